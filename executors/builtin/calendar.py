"""Calendar events and reminders.

Rows are written through ``content`` (docs/android-notes.md, "Permissions of the shell"). No guests are added, because
an event with guests would send mail. A reminder with a time is an event of zero length, so that the phone itself
reminds; one without a time is added to a list on this machine.
"""

from datetime import datetime, tzinfo

from pydantic import JsonValue

from android_bridge.commands import Bound
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.content import Row
from android_bridge.facts.properties import PROPERTIES
from executors.builtin.calendar_app import EventForm, EventPages
from executors.calendar_rows import (
    READABLE_CALENDAR,
    WRITABLE_CALENDAR,
    EventExecutor,
    FoundEvent,
    between,
    default_end,
    found_effect,
    insertion,
    local,
    milliseconds,
    starting,
    writable_calendar,
)
from executors.config import ExecutorsConfig
from executors.executor import Executor, Receipt
from executors.local_list import LocalList
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from function_pool.call import FunctionCall

_FREQUENCIES = {"daily": "DAILY", "weekly": "WEEKLY", "monthly": "MONTHLY", "yearly": "YEARLY"}
_ZONE = "persist.sys.timezone"
_MOST = 20
"""Events that one answer lists."""


class CreateCalendarEvent(EventExecutor):
    """Adds an event to the owner's main calendar."""

    function = "create_calendar_event"
    requirements = (WRITABLE_CALENDAR,)

    @classmethod
    def of(cls, config: ExecutorsConfig) -> Executor:
        return EventForm(config) if config.calendar_app else cls(config)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        now, properties = await observe(phone, CLOCK, PROPERTIES)
        calendar = await writable_calendar(phone)
        start = local(str(call.parameters["start_time"]), now)
        end = local(str(call.parameters["end_time"]), now) if "end_time" in call.parameters else default_end(start)
        (there,) = await observe(phone, starting(start))
        title = str(call.parameters["title"])
        if any(row["title"] == title for row in there.items):
            return Preparation(effects=(Effect(kind="event_there", detail={"title": title}),), already=True)
        minutes = call.parameters.get("reminder_minutes")
        new: dict[str, JsonValue] = {"title": title, "calendar": calendar.name}
        new |= {"at": start.isoformat(), "until": end.isoformat()}
        return Preparation(
            commands=insertion(
                {
                    "calendar_id": calendar.identifier,
                    "eventTimezone": properties.get(_ZONE, "UTC"),
                    **_columns(call, start, end),
                },
                minutes if isinstance(minutes, int) else None,
            ),
            effects=(Effect(kind="event_new", detail=new), *_details(call)),
            undo=(Effect(kind="event_removed", detail={"title": title}),),
            before={"title": title, "start": start.isoformat(), "known": [int(row["_id"] or 0) for row in there.items]},
        )


def _columns(call: FunctionCall, start: datetime, end: datetime) -> dict[str, Bound]:
    columns: dict[str, Bound] = {"title": str(call.parameters["title"]), "dtstart": milliseconds(start)}
    for parameter, column in (("location", "eventLocation"), ("description", "description")):
        if parameter in call.parameters:
            columns[column] = str(call.parameters[parameter])
    frequency = _FREQUENCIES.get(str(call.parameters.get("recurrence", "none")))
    if frequency is None:
        return {**columns, "dtend": milliseconds(end)}
    # The provider requires a duration instead of an end for a recurring event.
    return {**columns, "rrule": f"FREQ={frequency}", "duration": f"P{int((end - start).total_seconds())}S"}


def _details(call: FunctionCall) -> list[Effect]:
    given = call.parameters
    effects = []
    if "location" in given:
        effects.append(Effect(kind="event_place", detail={"text": given["location"]}))
    if "description" in given:
        effects.append(Effect(kind="event_note", detail={"text": given["description"]}))
    if "reminder_minutes" in given:
        effects.append(Effect(kind="event_reminder", detail={"minutes": given["reminder_minutes"]}))
    if given.get("recurrence", "none") != "none":
        effects.append(Effect(kind=f"event_repeats_{given['recurrence']}"))
    return effects


class QueryCalendarEvents(Executor):
    """Reads the events of a time span."""

    function = "query_calendar_events"
    requirements = (READABLE_CALENDAR,)

    @classmethod
    def of(cls, config: ExecutorsConfig) -> Executor:
        return EventPages(config) if config.calendar_app else cls(config)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        (now,) = await observe(phone, CLOCK)
        start, end = (local(str(call.parameters[name]), now) for name in ("start_time", "end_time"))
        detail = {"at": start.isoformat(), "until": end.isoformat()}
        return Preparation(effects=(Effect(kind="events_read", detail={**detail}),), before={**detail})

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        start, end = (datetime.fromisoformat(str(step.before[name])) for name in ("at", "until"))
        reader = between(start, end, "title")
        (found,) = await observe(phone, reader)
        keyword = str(step.call.parameters.get("keyword", "")).casefold()
        wanted = [row for row in found.items if keyword in (row["title"] or "").casefold()]
        told = [found_effect([_found(row, start.tzinfo) for row in wanted[:_MOST]])]
        missed = found.unread + len(wanted[_MOST:])
        told += [Effect(kind="events_unread", detail={"count": missed})] if missed else []
        shown = (proof(reader, f"{len(found.items)} entries"),)
        return Outcome(kind=OutcomeKind.VERIFIED, told=tuple(told), proof=shown)


def _found(row: Row, zone: tzinfo | None) -> FoundEvent:
    start, end = (datetime.fromtimestamp(int(row[name] or 0) / 1000, zone) for name in ("begin", "end"))
    return FoundEvent(title=row["title"] or "", start=start, end=end)


class CreateReminder(EventExecutor):
    """Adds an event of zero length with a reminder, or, without a time, an entry of the list on this machine."""

    function = "create_reminder"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        title = str(call.parameters["content"])
        if "due_time" not in call.parameters:
            return self._noted(call, title)
        now, properties = await observe(phone, CLOCK, PROPERTIES)
        calendar = await writable_calendar(phone)
        due = local(str(call.parameters["due_time"]), now)
        (there,) = await observe(phone, starting(due))
        if any(row["title"] == title for row in there.items):
            return Preparation(effects=(Effect(kind="event_there", detail={"title": title}),), already=True)
        event: dict[str, Bound] = {
            "calendar_id": calendar.identifier,
            "eventTimezone": properties.get(_ZONE, "UTC"),
            "title": title,
        }
        event |= {"dtstart": milliseconds(due), "dtend": milliseconds(due)}
        detail: dict[str, JsonValue] = {"title": title, "calendar": calendar.name, "at": due.isoformat()}
        return Preparation(
            commands=insertion(event, 0),
            effects=(Effect(kind="reminder_timed", detail=detail), *_priority(call)),
            undo=(Effect(kind="event_removed", detail={"title": title}),),
            before={"title": title, "start": due.isoformat(), "known": [int(row["_id"] or 0) for row in there.items]},
        )

    def _noted(self, call: FunctionCall, title: str) -> Preparation:
        name = str(call.parameters.get("list_name", "heed"))
        return Preparation(
            effects=(Effect(kind="reminder_noted", detail={"title": title, "list": name}), *_priority(call)),
            undo=(Effect(kind="reminder_removed", detail={"title": title}),),
            before={"entry": LocalList.new_id()},
        )

    @property
    def _list(self) -> LocalList:
        return LocalList(self.config.reminders)

    async def perform(self, phone: Device, step: Step) -> Receipt:
        if step.commands:
            return await super().perform(phone, step)
        given = step.call.parameters
        entry = {"content": given["content"], "list": given.get("list_name", "heed"), "priority": given.get("priority")}
        self._list.add(str(step.before["entry"]), entry)
        return {}

    async def recover(self, phone: Device, step: Step) -> Receipt:
        return await super().recover(phone, step) if step.commands else {}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return (
            await super().verify(phone, step, receipt) if step.commands else self._list.check_entry(step, present=True)
        )

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        if step.commands:
            await super().undo(phone, step, receipt)
        else:
            self._list.remove(str(step.before["entry"]))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return (
            await super().verify_undo(phone, step, receipt)
            if step.commands
            else self._list.check_entry(step, present=False)
        )


def _priority(call: FunctionCall) -> list[Effect]:
    priority = call.parameters.get("priority")
    return [Effect(kind="reminder_priority", detail={"priority": priority})] if priority else []
