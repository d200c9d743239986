"""The calendar of the next hours, and what comes back."""

from datetime import datetime, timedelta
from typing import Any

from android_bridge.device import Device
from android_bridge.facts.content import Rows
from android_bridge.facts.people import CALENDAR_AHEAD, CALENDAR_REPEATED
from collectors.config import CollectorsConfig
from collectors.sources.agenda import CalendarSource, RegularSource
from heed.trust import Trust
from tests.collectors.sources.phone_values import NOW, readings
from tests.phones import START
from virtual_phone import VirtualPhone

CONFIG = CollectorsConfig()


def row(begin: datetime, hours: float = 1, title: str | None = "Standup", **more: str | None) -> dict[str, str | None]:
    end = begin + timedelta(hours=hours)
    millis = {"begin": str(round(begin.timestamp() * 1000)), "end": str(round(end.timestamp() * 1000))}
    return {"_id": "1", **millis, "allDay": "0", "eventLocation": None, "title": title, **more}


async def ahead(*rows: dict[str, str | None]) -> Any:
    found = await readings(CalendarSource(CONFIG), {CALENDAR_AHEAD: Rows(items=rows)})
    assert not found or found["calendar.next"].trust is Trust.THIRD_PARTY
    return found["calendar.next"].value if found else []


async def test_an_event_has_its_times_on_the_phones_clock() -> None:
    assert await ahead(row(NOW + timedelta(minutes=50), eventLocation="Room 4")) == [
        {
            "title": "Standup",
            "location": "Room 4",
            "start": "2026-02-06T17:00:00+08:00",
            "end": "2026-02-06T18:00:00+08:00",
            "minutes_ahead": 50,
        }
    ]


async def test_what_is_going_on_counts_and_what_is_over_does_not() -> None:
    (one,) = await ahead(row(NOW - timedelta(hours=2)), row(NOW - timedelta(minutes=30)))
    assert one["minutes_ahead"] == -30


async def test_an_event_of_the_whole_day_has_a_date_and_no_time() -> None:
    utc_day = datetime.fromisoformat("2026-02-06T00:00:00+00:00")
    tomorrow = utc_day + timedelta(days=1)
    assert await ahead(row(utc_day, 24, "Birthday", allDay="1"), row(tomorrow, 24, "Fair", allDay="1")) == [
        {"title": "Birthday", "date": "2026-02-06", "all_day": True}
    ]


async def test_an_event_without_a_title_is_there_without_one() -> None:
    (one,) = await ahead(row(NOW, title=None))
    assert "title" not in one


async def test_what_repeats_is_told_by_its_rule() -> None:
    start = str(round(datetime.fromisoformat("2026-01-05T18:30:00+08:00").timestamp() * 1000))
    base = {"_id": "1", "dtstart": start, "eventTimezone": "Asia/Shanghai"}
    rows = (
        {**base, "allDay": "0", "title": "Gym", "rrule": "FREQ=WEEKLY;WKST=MO;BYDAY=MO,1WE"},
        {**base, "allDay": "1", "title": "Mum's birthday", "rrule": "FREQ=YEARLY"},
        {**base, "allDay": "0", "title": "Odd", "rrule": "FREQ=SECONDLY"},
    )
    found = await readings(RegularSource(CONFIG), {CALENDAR_REPEATED: Rows(items=rows)})
    assert found["calendar.regular"].value == [
        {"title": "Gym", "every": "week", "days": ["mon", "wed"], "clock": "18:30"},
        {"title": "Mum's birthday", "every": "year"},
    ]


async def test_the_phone_gives_the_next_hours_by_its_own_clock(phone: VirtualPhone, device: Device) -> None:
    calendar = phone.state.calendar
    for hours, title in ((1, "Team, meeting"), (13, "Too late"), (-30, "Yesterday")):
        calendar.add(title, START + timedelta(hours=hours), location="Room 4, house B")
    start = round((START - timedelta(days=21)).timestamp() * 1000)
    calendar.insert({"title": "Gym", "start": start, "duration": "PT1H", "rrule": "FREQ=WEEKLY;BYDAY=FR"})
    rows = (await device.read(CALENDAR_AHEAD)).items
    assert [(one["title"], one["eventLocation"]) for one in rows] == [
        ("Gym", None),
        ("Team, meeting", "Room 4, house B"),
    ]
    assert [one["title"] for one in (await device.read(CALENDAR_REPEATED)).items] == ["Gym"]
    phone.state.clock.advance(4 * 3600)
    assert [one["title"] for one in (await device.read(CALENDAR_AHEAD)).items] == ["Too late"]
