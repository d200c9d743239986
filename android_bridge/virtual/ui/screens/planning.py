"""The calendar and the form for a new event."""

from datetime import datetime, timedelta

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.state.intents import Intent
from android_bridge.virtual.ui.page import Page, center_note
from android_bridge.virtual.ui.tree import Node
from android_bridge.virtual.ui.words import long_date, word

_DAYS_SHOWN = 14


def calendar(state: PhoneState, activity: Activity) -> Node:
    """The agenda of the coming days."""
    page = Page(state, activity)
    page.bar(word(state, "calendar"), back=False)
    now = state.clock.wall()
    start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begin, end = (round(moment.timestamp() * 1000) for moment in (start, start + timedelta(days=_DAYS_SHOWN)))
    day = ""
    for event, first, last in state.calendar.instances(begin, end):
        moment = datetime.fromtimestamp(first / 1000, now.tzinfo)
        if long_date(state, moment) != day:
            day = long_date(state, moment)
            page.heading(day)
        until = datetime.fromtimestamp(last / 1000, now.tzinfo)
        span = f"{state.identity.clock_text(moment)} – {state.identity.clock_text(until)}"
        page.row(event.title, f"{span} · {event.location}" if event.location else span, glyph="calendar")
    if not day:
        center_note(page, word(state, "no_events"))
    page.floating("plus", word(state, "new_event"), _new_event)
    return page.finish()


def _new_event(state: PhoneState) -> None:
    state.apps.start(Intent(action="android.intent.action.INSERT", data="content://com.android.calendar/events"))


def event_editor(state: PhoneState, activity: Activity) -> Node:
    """A new event as the intent describes it; Save stores it."""
    extras = activity.intent.extras
    now = state.clock.wall()
    begin = int(extras.get("beginTime") or round((now + timedelta(hours=1)).timestamp() * 1000))
    end = int(extras.get("endTime") or begin + 3_600_000)
    page = Page(state, activity)
    page.bar(word(state, "new_event"))
    title, place = str(extras.get("title") or ""), str(extras.get("eventLocation") or "")
    page.field("title", word(state, "title"), title)
    page.field("location", word(state, "place"), place)
    for milliseconds in (begin, end):
        moment = datetime.fromtimestamp(milliseconds / 1000, now.tzinfo)
        page.row(long_date(state, moment), trailing=state.identity.clock_text(moment), glyph="clock")
    if extras.get("rrule"):
        page.text(str(extras["rrule"]), ink="faint")
    values: dict[str, object] = {
        "title": activity.fields.get("title", title),
        "location": activity.fields.get("location", place),
        "description": str(extras.get("description") or ""),
        "start": begin,
        "end": end,
        "rrule": extras.get("rrule"),
    }
    page.button(word(state, "save"), lambda state: _save(state, values), resource="save")
    return page.finish()


def _save(state: PhoneState, values: dict[str, object]) -> None:
    state.calendar.insert(values)
    state.apps.back()
