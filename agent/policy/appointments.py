"""Whether the appointment that a trigger tells of is still in the calendar."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from collectors.context import Context, TriggerKind

_SOURCE = "calendar"
"""The source of ``calendar.next``, as it is named where it could not be read."""


def is_outdated(context: Context) -> bool:
    """Whether the trigger is an appointment that was deleted, moved or renamed since.

    False for any other trigger, and when the calendar could not be read.
    """
    if context.trigger.kind is not TriggerKind.CALENDAR_EVENT:
        return False
    if any(missing.name == _SOURCE for missing in context.device.missing):
        return False
    coming = context.value("calendar.next")
    events = [event for event in (coming if isinstance(coming, list) else []) if isinstance(event, dict)]
    return not any(_same(event, context.trigger.data) for event in events)


def _same(event: Mapping[str, JsonValue], trigger: Mapping[str, JsonValue]) -> bool:
    return event.get("title") == trigger.get("title") and _moment(event) == _moment(trigger)


def _moment(event: Mapping[str, JsonValue]) -> datetime | None:
    start = event.get("start")
    return datetime.fromisoformat(start) if isinstance(start, str) else None
