"""Reads the pages of days of Simple Calendar (Pro, and Fossify Calendar, its successor) from the screen.

Source: github.com/SimpleMobileTools/Simple-Calendar. ``MainActivity.checkIsViewIntent`` opens the day of
``content://com.android.calendar/time/MILLISECONDS``; ``event_list_item.xml`` and ``DayEventsAdapter.setupView`` are the
rows, ``activity_event.xml`` the page of one event.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from android_bridge.device import Device
from android_bridge.facts.hierarchy import Hierarchy
from android_bridge.ui import Direction
from executors.calendar_rows import FoundEvent, milliseconds
from executors.executor import run
from executors.steps.drivers import ScreenDriver, open_driver
from executors.steps.guards import check_screen
from executors.steps.owner_touch import OwnerTouch, watch_touches
from executors.steps.player import Player, look
from executors.steps.vocabulary import BackStep, Locator, ReadStep, TapStep
from function_pool.risk import Risk
from heed.language import Language
from heed.messages import Text, msg

DAY_TYPE, ANY_DAY = "time/epoch", "content://com.android.calendar/time/0"
"""The type of the address of a day, and one such address."""
_TITLE, _TIME, _PAGE, _PLACE = "event_item_title", "event_item_time", "top_value", "event_location"
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?:\s?([AaPp])\.?[Mm]\.?)?( \([^()]{0,40}\))?")
"""A time of day, and in brackets its date where that is another day."""
_PAGE_S, _LOOK_AGAIN_S = 10.0, 0.2
_MOST_SWIPES = 12
_MOST_PLACES = 3
"""Events of one day whose page is opened to read the place, when a word of the title was given."""


class _Row(NamedTuple):
    title: str
    time: str


def day_address(day: datetime) -> str:
    """Returns the address of the page of a day."""
    return f"content://com.android.calendar/time/{milliseconds(day.replace(hour=12, minute=0))}"


async def days_read(
    phone: Device, app: str, pages: Sequence[tuple[datetime, str]], risk: Risk, keyword: str
) -> list[FoundEvent] | Text:
    """Opens the page of each day and returns its events, or why it stopped.

    Args:
        phone: the phone.
        app: the calendar app's package.
        pages: each day's midnight, and the command that opens its page.
        risk: the class of the call.
        keyword: events with this in their title are opened, to read their place; empty for none.
    """
    found: list[FoundEvent] = []
    async with watch_touches(phone) as touch, open_driver(phone) as driver:
        reader = _DayReader(phone, driver, touch, app, risk)
        for day, command in pages:
            await run(phone, command)
            rows = await reader.rows(day)
            if not isinstance(rows, list):
                return rows
            events = [event for row in rows if (event := _event(row, day, first=day == pages[0][0])) is not None]
            places = await reader.places({event.title for event in events if _named(event, keyword)})
            found += [event.model_copy(update={"location": places.get(event.title, "")}) for event in events]
    return found


def _named(event: FoundEvent, keyword: str) -> bool:
    return bool(keyword) and keyword.casefold() in event.title.casefold()


class _DayReader:
    def __init__(self, phone: Device, driver: ScreenDriver, touch: OwnerTouch, app: str, risk: Risk) -> None:
        self._phone, self._driver, self._touch, self._app, self._risk = phone, driver, touch, app, risk

    async def rows(self, day: datetime) -> list[_Row] | Text:
        """Returns the rows of the day's page, scrolled to its end, or why it is not read."""
        clock = asyncio.get_running_loop().time
        end, before = clock() + _PAGE_S, None
        while True:
            screen = await look(self._phone, self._driver)
            if self._touch.touched or self._touch.unwatched:
                return self._touch.unwatched or msg("You touched the screen.")
            halt = check_screen(screen, self._app)
            if halt is None and _is_day(screen.hierarchy, day) and screen.hierarchy == before:
                return await self._scrolled(screen.hierarchy)
            if clock() >= end:
                return halt.message if halt else msg("The app does not show {day}.", day=f"{day:%Y-%m-%d}")
            before = screen.hierarchy
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _scrolled(self, page: Hierarchy) -> list[_Row]:
        seen: Counter[_Row] = Counter()
        for _ in range(_MOST_SWIPES):
            shown = Counter(_rows(page))
            if not shown - seen and seen:
                break
            seen |= shown
            if not any(node.scrollable for node in page.nodes()):
                break
            await self._driver.swipe(Direction.DOWN)
            page = await self._driver.views()
        return list(seen.elements())

    async def places(self, titles: set[str]) -> dict[str, str]:
        """Returns the places of the events with these titles, from their pages."""
        found = {}
        for title in sorted(titles)[:_MOST_PLACES]:
            words = {Language.EN: title[:60], Language.ZH: title[:60]}
            steps = (
                TapStep(view=Locator(id="event_item_holder", inside=(title,), first=True), name=words,
                        after=(Locator(id=_PLACE),)),
                ReadStep(view=Locator(id=_PLACE), into="place"),
                BackStep(after=(Locator(id=_PAGE),)),
            )  # fmt: skip
            player = Player(self._phone, self._driver, self._touch, lambda _: None, app=self._app, risk=self._risk)
            found[title] = (await player.play(steps)).values.get("place", "")
        return found


def _is_day(page: Hierarchy, day: datetime) -> bool:
    """Whether the page's title has the number of the day: months and weekdays are words of the phone's language."""
    titles = [node.text for node in page.nodes() if _id(node.resource_id) == _PAGE]
    return any(re.search(rf"\b{day.day}\b", title) for title in titles)


def _id(resource: str) -> str:
    return resource.rpartition(":id/")[2]


def _rows(page: Hierarchy) -> list[_Row]:
    """Returns the rows that are shown with title and time."""
    rows, title = [], None
    for node in page.nodes():
        name = _id(node.resource_id)
        if name == _TITLE:
            title = node.text
        elif name == _TIME and title is not None:
            rows.append(_Row(title, node.text))
            title = None
    return rows


def _event(row: _Row, day: datetime, *, first: bool) -> FoundEvent | None:
    """Returns the event of a row; None for the later days of one that began on an earlier page."""
    midnight, after = day, day + timedelta(days=1)
    times = [*_CLOCK.finditer(row.time)]
    if not times:  # all day
        return FoundEvent(title=row.title, start=midnight, end=after)
    start, end = times[0], times[-1]
    if start[4] and not first:
        return None
    began = midnight if start[4] else _moment(start, day)
    return FoundEvent(title=row.title, start=began, end=after if end[4] else _moment(end, day))


def _moment(time: re.Match[str], day: datetime) -> datetime:
    hour = int(time[1])
    if time[3]:
        hour = hour % 12 + (12 if time[3] in "Pp" else 0)
    return day.replace(hour=hour, minute=int(time[2]))
