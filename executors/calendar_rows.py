"""The phone's calendar: calendars that can be written to, events in a time span, adding an event."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.commands import Bound, content_delete, content_insert
from android_bridge.device import Device
from android_bridge.facts.content import Row, Rows, rows
from android_bridge.facts.reader import Reader
from executors.capability import Requirement
from executors.executor import Executor, Receipt, RefusedError, RejectedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Step
from heed.messages import msg
from heed.model import Frozen

EVENTS = "content://com.android.calendar/events"
_REMINDERS = "content://com.android.calendar/reminders"
_INSTANCES = "content://com.android.calendar/instances/when"
_WRITABLE = 500
"""``CalendarContract.Calendars.CAL_ACCESS_CONTRIBUTOR``."""
_ALERT = 1
"""``CalendarContract.Reminders.METHOD_ALERT``."""
_VARIABLE = "event"

_CALENDARS = rows(
    "content://com.android.calendar/calendars",
    ["calendar_access_level", "isPrimary", "visible", "calendar_displayName"],
    plain=["calendar_access_level", "isPrimary", "visible"],
)


class FoundEvent(Frozen):
    """One event of an answer."""

    title: str
    start: datetime
    end: datetime
    location: str = ""

    def overlaps(self, start: datetime, end: datetime) -> bool:
        """Whether it lies at least partly between two moments."""
        return self.start <= end and self.end >= start


def found_effect(events: Sequence[FoundEvent]) -> Effect:
    """Returns the answer: a line per event, and the events themselves."""
    lines: list[JsonValue] = [
        f"{event.start:%m-%d %H:%M} {event.title}" + (f" ({event.location})" if event.location else "")
        for event in events
    ]
    return Effect(
        kind="events_found", detail={"events": lines, "found": [event.model_dump(mode="json") for event in events]}
    )


class WritableCalendar(NamedTuple):
    """A calendar that events may be written to."""

    identifier: int
    name: str


def _own(found: Rows) -> list[Row]:
    return [row for row in found.items if int(row["calendar_access_level"] or 0) >= _WRITABLE and row["visible"] == "1"]


READABLE_CALENDAR = Requirement(_CALENDARS, msg("The calendars cannot be read."))
WRITABLE_CALENDAR = Requirement(_CALENDARS, msg("No calendar can be written to."), lambda found: bool(_own(found)))


async def writable_calendar(phone: Device) -> WritableCalendar:
    """Returns the owner's main calendar; raises ``RefusedError`` when no calendar can be written to."""
    (found,) = await observe(phone, _CALENDARS)
    own = _own(found)
    if not own:
        raise RefusedError(
            msg("The phone has no calendar that can be written to."), msg("Add an account with a calendar.")
        )
    best = min(own, key=lambda row: (row["isPrimary"] != "1", int(row["_id"] or 0)))
    return WritableCalendar(int(best["_id"] or 0), best["calendar_displayName"] or "")


def milliseconds(moment: datetime) -> int:
    """Returns milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


def local(text: str, now: datetime) -> datetime:
    """Returns a call's local time (ISO 8601) with the time zone of ``now``, the phone's clock."""
    return datetime.fromisoformat(text).replace(tzinfo=now.tzinfo)


def starting(moment: datetime) -> Reader[Rows]:
    """Returns the reader of the events that start at a time."""
    return rows(EVENTS, ["dtstart", "title"], where=f"dtstart={milliseconds(moment)} AND deleted=0", plain=["dtstart"])


def between(start: datetime, end: datetime, column: str) -> Reader[Rows]:
    """Returns the reader of the events between two moments with one free-text column.

    Source: docs/android-notes.md, "Rows of content providers".
    """
    uri = f"{_INSTANCES}/{milliseconds(start)}/{milliseconds(end)}"
    return rows(uri, ["begin", "end", column], id_column="event_id", plain=["begin", "end"])


def insertion(event: Mapping[str, Bound], minutes: int | None) -> tuple[str, ...]:
    """Returns the commands that add an event and, unless ``minutes`` is None, a reminder that long before it."""
    added = content_insert(EVENTS, event)
    if minutes is None:
        return (added,)
    # The new row's id is known only after the insert: a shell variable that `perform` sets stands for it.
    reminder = content_insert(_REMINDERS, {"minutes": minutes, "method": _ALERT})
    return added, f"{reminder} --bind event_id:i:${_VARIABLE}"


class EventExecutor(Executor):
    """An executor whose step adds one event (``insertion``); undo deletes exactly that event.

    ``before`` holds ``title``, ``start`` (ISO 8601) and ``known``: the ids of the events that started then before.
    """

    async def perform(self, phone: Device, step: Step) -> Receipt:
        await run(phone, step.commands[0])
        receipt = await self.recover(phone, step)
        if "event" not in receipt:
            raise RejectedError(step.commands[0], msg("no new event appeared"), 0)
        for done, command in enumerate(step.commands[1:], start=1):
            await run(phone, f"{_VARIABLE}={receipt['event']}; {command}", done)
        return receipt

    async def recover(self, phone: Device, step: Step) -> Receipt:
        event = await _added(phone, step)
        return {} if event is None else {"event": int(event["_id"] or 0)}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        event = await _added(phone, step)
        shown = (proof(starting(_start(step)), dict(event) if event else "no such event"),)
        if event is None:
            return Outcome(kind=OutcomeKind.FAILED, message=msg("The event is not in the calendar."), proof=shown)
        if len(step.commands) == 1:
            return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
        reader = rows(_REMINDERS, ["minutes"], where=f"event_id={int(event['_id'] or 0)}")
        (reminders,) = await observe(phone, reader)
        both = (*shown, proof(reader, [dict(row) for row in reminders.items]))
        if not reminders.items:
            return Outcome(kind=OutcomeKind.FAILED, message=msg("The event has no reminder."), proof=both)
        return Outcome(kind=OutcomeKind.VERIFIED, proof=both)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        if "event" in receipt:
            await run(phone, content_delete(f"{EVENTS}/{int(str(receipt['event']))}"))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        event = await _added(phone, step)
        shown = (proof(starting(_start(step)), dict(event) if event else "no such event"),)
        if event is not None:
            return Outcome(kind=OutcomeKind.FAILED, message=msg("The event is still in the calendar."), proof=shown)
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)


def _start(step: Step) -> datetime:
    return datetime.fromisoformat(str(step.before["start"]))


async def _added(phone: Device, step: Step) -> Row | None:
    """Returns the event that the step added; None when there is none or more than one."""
    (there,) = await observe(phone, starting(_start(step)))
    known = step.before["known"]
    seen = {int(str(item)) for item in known} if isinstance(known, list) else set()
    title = step.before["title"]
    fresh = [row for row in there.items if int(row["_id"] or 0) not in seen and row["title"] == title]
    return fresh[0] if len(fresh) == 1 else None


def default_end(start: datetime) -> datetime:
    """Returns the end of an event without one: an hour later, as calendar apps propose."""
    return start + timedelta(hours=1)
