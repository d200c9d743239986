"""Simple Calendar Pro: a month, a day, and the form of an event.

Its events are the rows of its own database (``databases/events.db``). Ids, words and what an intent does are those of
its source (github.com/SimpleMobileTools/Simple-Calendar: ``fragment_day.xml``, ``event_list_item.xml``,
``activity_event.xml``, ``menu_event.xml``, ``dialog_delete_event.xml``, ``MainActivity.kt``, ``EventActivity.kt``,
``DeleteEventDialog.kt``, ``EventsHelper.kt``). The first run is over: its notices have been answered.
"""

import json
import re
from datetime import date, datetime, timedelta
from typing import Any

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.state.packages import data_folder
from virtual_phone.state.sqlite_files import rows_in, with_row, without_row
from virtual_phone.ui.alert import ASKS, NEGATIVE, POSITIVE, AlertButton, AlertCard, ask, close
from virtual_phone.ui.page import MARGIN, STATUS_BAR, WIDTH, ScreenPage, choose, number_of
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import long_date, month, word

_EVENT = ".activities.EventActivity"
_TIME = re.compile(r"content://(?:\d+@)?com\.android\.calendar/time/(\d{1,15})", re.ASCII)
_DAY_S, _WEEK_S, _MONTH_S, _YEAR_S = 86_400, 604_800, 2_592_001, 31_536_000
_REPETITIONS = {0: "no_repetition", _DAY_S: "daily", _WEEK_S: "weekly", _MONTH_S: "monthly", _YEAR_S: "yearly"}
"""``Constants.kt``: seconds → the word for them."""
_SAME_DAY = 1
"""``REPEAT_SAME_DAY``, the rule of what repeats monthly or yearly."""
_REMINDER_MINUTES, _OFF = 10, -1
"""``Config.defaultReminder1``, and a reminder that is off."""
_CELL = (WIDTH - 2 * MARGIN) // 7
_DELETES, _RULE = "delete", "delete_rule"
"""The dialogue before an event is deleted, and the field of the activity with what is chosen in it."""
Event = dict[str, Any]


def simple_calendar(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The day that an intent or a tap chose, else the month."""
    page = ScreenPage(state, activity)
    page.bar(state.apps.label(activity.package), back=False)
    today = state.clock.wall().date()
    asked = _TIME.match(activity.intent.data)
    first = datetime.fromtimestamp(int(asked[1]) / 1000, _zone(state)).date() if asked else None
    chosen = activity.fields.get("day", first.isoformat() if first else "")
    if chosen:
        _day(page, date.fromisoformat(chosen))
    else:
        _month(page, today)
    _floating(page, "calendar_fab", "New Event", _new(date.fromisoformat(chosen) if chosen else today))
    return page.finish()


def _zone(state: PhoneState) -> Any:
    return state.clock.wall().tzinfo


def _midnight(state: PhoneState, day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), _zone(state))


def _top(page: ScreenPage, title: str) -> None:
    """The title with its arrows (``top_navigation.xml``)."""
    box = Box(MARGIN + 120, page.y, WIDTH - MARGIN - 120, page.y + 120)
    style = ViewStyle(size=48, align="center")
    page.put(ViewNode("text", box, text=title, resource="top_value", description=title, style=style))
    page.gap(132)


def _month(page: ScreenPage, today: date) -> None:
    _top(page, month(page.state, _midnight(page.state, today)))
    first = today.replace(day=1)
    day = first
    while day.month == first.month:
        place = first.weekday() + day.day - 1
        left, top = MARGIN + place % 7 * _CELL, page.y + place // 7 * _CELL
        style = ViewStyle(size=39, align="center", bold=day == today)
        box = Box(left, top, left + _CELL, top + _CELL)
        page.put(ViewNode("text", box, text=str(day.day), resource="day_monthly_number_id", style=style,
                          tap=choose("day", day.isoformat())))  # fmt: skip
        day += timedelta(days=1)
    page.gap(6 * _CELL)


# --- a day ----------------------------------------------------------------------------------------------------------
def _day(page: ScreenPage, day: date) -> None:
    state = page.state
    _top(page, _titled(state, day))
    for start, event in _on(state, page.activity.package, day):
        _item(page, event, start, day)


def _titled(state: PhoneState, day: date, *, weekday: bool = True) -> str:
    """``Formatter.getDayTitle``: the year where it is not this one."""
    year = f" {day.year}" if day.year != state.clock.wall().year else ""
    if state.identity.language == "zh":
        return f"{day.month}月 {day.day}{year}" + (
            f" ({long_date(state, _midnight(state, day))[-1]})" if weekday else ""
        )
    return f"{day:%B} {day.day}{year}" + (f" ({day:%a})" if weekday else "")


def _events(state: PhoneState, package: str) -> list[Event]:
    return rows_in(_file(state, package), "SELECT * FROM events")


def _path(package: str) -> str:
    return f"{data_folder(package)}/databases/events.db"


def _file(state: PhoneState, package: str) -> bytes:
    return state.files.as_root.read(_path(package)).read()


def _on(state: PhoneState, package: str, day: date) -> list[tuple[int, Event]]:
    """The events of a day with the second at which each begins, in the order of ``DayFragment.receivedEvents``."""
    begin = int(_midnight(state, day).timestamp())
    found = [(start, event) for event in _events(state, package) for start in _starts(state, event, day)
             if start < begin + _DAY_S and start + event["end_ts"] - event["start_ts"] >= begin]  # fmt: skip
    return sorted(found, key=lambda item: (item[0], item[1]["end_ts"], item[1]["title"], item[1]["description"]))


def _starts(state: PhoneState, event: Event, day: date) -> list[int]:
    """When an event begins that may be on a day: its own beginning, or that of its repetition on the day."""
    first, every = event["start_ts"], event["repeat_interval"]
    began = datetime.fromtimestamp(first, _zone(state))
    if not every or day <= began.date():
        return [first] if day != began.date() or not _left_out(event, began) else []
    apart = (day - began.date()).days
    falls = {
        _MONTH_S: day.day == began.day,
        _YEAR_S: (day.month, day.day) == (began.month, began.day),
    }.get(every, apart * _DAY_S % every == 0)
    start = began.replace(year=day.year, month=day.month, day=day.day)
    return [int(start.timestamp())] if falls and not _left_out(event, start) else []


def _left_out(event: Event, start: datetime) -> bool:
    """Whether a repetition is an exception, or comes after the last one."""
    limit = event["repeat_limit"] or 0
    return f"{start:%Y%m%d}" in str(event["repetition_exceptions"] or "") or 0 < limit < start.timestamp()


def _item(page: ScreenPage, event: Event, start: int, day: date) -> None:
    """A row (``DayEventsAdapter.setupView``)."""
    height = 210 if event["description"] else 156
    box = Box(MARGIN, page.y, WIDTH - MARGIN, page.y + height)
    row = ViewNode("group", box, resource="event_item_holder", style=ViewStyle(radius=24, border="line"))
    row.tap = _open(event["id"], start)
    lines = (("title", event["title"], 45), ("time", _span(page.state, event, start, day), 38),
             ("description", event["description"].replace("\n", " "), 38))  # fmt: skip
    for number, (name, text, size) in enumerate(lines):
        if text:
            place = Box(box.left + 36, box.top + 15 + 60 * number, box.right - 36, box.top + 75 + 60 * number)
            row.children.append(
                ViewNode("text", place, text=text, resource=f"event_item_{name}", style=ViewStyle(size=size))
            )
    page.put(row)
    page.gap(height + 18)


def _span(state: PhoneState, event: Event, start: int, day: date) -> str:
    end = start + event["end_ts"] - event["start_ts"]
    moments = [datetime.fromtimestamp(second, _zone(state)) for second in (start, end)]
    texts = [
        state.identity.clock_text(moment)
        + (f" ({_titled(state, moment.date(), weekday=False)})" if moment.date() != day else "")
        for moment in moments
    ]
    return texts[0] if start == end else " - ".join(texts)


def _open(event: int, start: int) -> Action:
    def action(state: PhoneState) -> None:
        extras = {"event_id": str(event), "event_occurrence_ts": str(start)}
        state.apps.start(Intent(component=f"{state.apps.foreground.package}/{_EVENT}", extras=extras))

    return action


def _new(day: date) -> Action:
    """A new event from the next full hour on."""

    def action(state: PhoneState) -> None:
        begin = _midnight(state, day).replace(hour=(state.clock.wall().hour + 1) % 24)
        extras = {"new_event_start_ts": str(int(begin.timestamp()))}
        state.apps.start(Intent(component=f"{state.apps.foreground.package}/{_EVENT}", extras=extras))

    return action


def _floating(page: ScreenPage, resource: str, description: str, tap: Action) -> None:
    box = Box(WIDTH - MARGIN - 168, page.footer_top - 222, WIDTH - MARGIN, page.footer_top - 54)
    style = ViewStyle(fill="accent", ink="on_accent", radius=48, glyph="plus", size=72)
    page.fix(ViewNode("icon", box, resource=resource, description=description, style=style, tap=tap))


# --- an event -------------------------------------------------------------------------------------------------------
def simple_calendar_event(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The form for a new event, filled from the intent, or for one that is there; the tick stores it."""
    page = ScreenPage(state, activity)
    known = _known(state, activity)
    form = _form(state, activity, known)
    asks = activity.fields.get(ASKS)
    if asks:
        return _delete(state, activity, known) if asks == _DELETES and known else _repetitions(page)
    page.bar("Edit event" if known else "New Event")
    tools = [("save", "check", _save(form)), *([("delete", "trash", ask(_DELETES))] if known else [])]
    for number, (name, glyph, tap) in enumerate(tools):
        left = WIDTH - 18 - 120 * (len(tools) - number)
        box = Box(left, STATUS_BAR + 12, left + 120, STATUS_BAR + 132)
        style = ViewStyle(glyph=glyph, size=66)
        page.fix(ViewNode("button", box, resource=name, description=word(state, name), style=style, tap=tap))
    for name, label in (("title", "Title"), ("location", "Location"), ("description", "Description")):
        page.field(f"event_{name}", label, form[name])
    for name, second in (("start", form["start_ts"]), ("end", form["end_ts"])):
        moment = datetime.fromtimestamp(second, _zone(state))
        page.text(_titled(state, moment.date()), resource=f"event_{name}_date")
        page.text(state.identity.clock_text(moment), resource=f"event_{name}_time")
    minutes = form["reminder_1_minutes"]
    page.text(f"{minutes} minutes before" if minutes >= 0 else "No reminder", resource="event_reminder_1")
    repeated = page.text(page.word(_REPETITIONS[form["repeat_interval"]]), resource="event_repetition")
    repeated.tap = choose(ASKS, "repetition")
    return page.finish()


def _known(state: PhoneState, activity: RunningActivity) -> Event | None:
    query = "SELECT * FROM events WHERE id = ?"
    found = rows_in(_file(state, activity.package), query, number_of(activity, "event_id"))
    return found[0] if found else None


def _form(state: PhoneState, activity: RunningActivity, known: Event | None) -> Event:
    """The row as the form shows it now."""
    event = dict(known) if known else _blank(state, activity)
    event |= {name: activity.fields.get(f"event_{name}", event[name]) for name in ("title", "location", "description")}
    event["repeat_interval"] = int(activity.fields.get("repeat", event["repeat_interval"]))
    return event


def _blank(state: PhoneState, activity: RunningActivity) -> Event:
    """``EventActivity.setupNewEvent``: the extras of an intent to insert; no other extra is read."""
    given, now = activity.intent.extras, state.clock.milliseconds()
    begin = (number_of(activity, "beginTime") or now) // 1000
    end = (number_of(activity, "endTime") or now) // 1000
    if "new_event_start_ts" in given:
        begin = number_of(activity, "new_event_start_ts")
        end = begin
    texts = {
        "title": given.get("title"),
        "location": given.get("eventLocation"),
        "description": given.get("description"),
    }
    return {name: str(text or "") for name, text in texts.items()} | {
        "start_ts": begin,
        "end_ts": end,
        "repeat_interval": 0,
        "reminder_1_minutes": _REMINDER_MINUTES,
        "reminder_2_minutes": _OFF,
        "reminder_3_minutes": _OFF,
        "reminder_1_type": 0,
        "reminder_2_type": 0,
        "reminder_3_type": 0,
        "repeat_limit": 0,
        "repetition_exceptions": "[]",
        "attendees": "[]",
        "import_id": "",
        "time_zone": state.identity.properties.get("persist.sys.timezone", "UTC"),
        "flags": 0,
        "event_type": 1,
        "parent_id": 0,
        "source": "simple-calendar",
        "availability": 0,
        "color": 0,
        "type": 0,
    }


def _repetitions(page: ScreenPage) -> ViewNode:
    """The dialogue of repetitions: a touch chooses and closes (``RadioGroupDialog``)."""
    page.gap(600)
    for seconds, name in _REPETITIONS.items():
        box = Box(MARGIN + 60, page.y, WIDTH - MARGIN - 60, page.y + 132)
        chosen = page.activity.fields.get("repeat", "0") == str(seconds)
        page.put(ViewNode("radio", box, text=page.word(name), checked=chosen, tap=_repeat(seconds)))
        page.gap(132)
    root = page.finish()
    root.back = close
    return root


def _delete(state: PhoneState, activity: RunningActivity, event: Event) -> ViewNode:
    """``DeleteEventDialog``: of an event that repeats, the chosen repetition, those from then on, or all."""
    card = AlertCard(state, activity)
    card.text(word(state, "proceed_with_deletion"), resource="delete_event_description")
    rule = activity.fields.get(_RULE, "one_only") if event["repeat_interval"] else "all"
    if event["repeat_interval"]:
        card.text(word(state, "event_is_repeatable"), resource="delete_event_repeat_description")
        for name in ("one_only", "future", "all"):
            label = word(state, f"delete_event_{name}")
            card.radio(f"delete_event_{name}", label, choose(_RULE, name), chosen=name == rule)
    occurrence = number_of(activity, "event_occurrence_ts") or event["start_ts"]

    def delete(state: PhoneState) -> None:
        package = state.apps.foreground.package
        file = _file(state, package)
        if rule == "all":
            file = without_row(file, "events", "id", event["id"])
        else:
            file = with_row(file, "events", {**event, **_shortened(state, event, occurrence, rule)})
        state.files.as_root.put(_path(package), file)
        state.apps.back()

    return card.finish(
        [AlertButton(POSITIVE, word(state, "yes"), delete), AlertButton(NEGATIVE, word(state, "no"), close)]
    )


def _shortened(state: PhoneState, event: Event, occurrence: int, rule: str) -> Event:
    """What of the row changes (``deleteRepeatingEventOccurrence``, ``addEventRepeatLimit``)."""
    if rule == "future":
        return {"repeat_limit": occurrence - _DAY_S}
    day = f"{datetime.fromtimestamp(occurrence, _zone(state)):%Y%m%d}"
    known = re.findall(r"\d{8}", str(event["repetition_exceptions"] or ""))
    return {"repetition_exceptions": json.dumps([*known, day])}


def _repeat(seconds: int) -> Action:
    def action(state: PhoneState) -> None:
        state.apps.set_field("repeat", str(seconds))
        state.apps.set_field(ASKS, "")

    return action


def _save(form: Event) -> Action:
    """``EventActivity.saveEvent``; without a title, or with an end before the start, it stays with a toast."""

    def action(state: PhoneState) -> None:
        if not form["title"] or form["end_ts"] < form["start_ts"]:
            return
        package = state.apps.foreground.package
        row = {**form, "repeat_rule": _rule(state, form), "last_updated": state.clock.milliseconds()}
        state.files.as_root.put(_path(package), with_row(_file(state, package), "events", row))
        state.apps.back()

    return action


def _rule(state: PhoneState, form: Event) -> int:
    """``EventActivity.setRepeatInterval``: the weekday's bit, or the same day."""
    if form["repeat_interval"] in (_MONTH_S, _YEAR_S):
        return _SAME_DAY
    weekday = datetime.fromtimestamp(form["start_ts"], _zone(state)).weekday()
    return int(2**weekday) if form["repeat_interval"] == _WEEK_S else 0
