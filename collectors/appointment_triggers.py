"""The triggers of appointments: before they begin, when they are added, and the evening before an early one.

The calendar sends no event for any of them; ``Upcoming`` reads it and asks here when heed is to look.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.facts.people import AHEAD_S
from collectors.context import Trigger, TriggerKind
from collectors.limits import clean_fields
from heed.trust import Trust

LAST_LOOKS = (timedelta(minutes=3), timedelta(minutes=1))
"""So long before an appointment heed looks again: to silence the phone, and to join an online meeting."""
EARLY = (time(3), time(10))
"""An appointment that begins in this range is one to get up for."""
_UP_BEFORE = timedelta(hours=1)
"""From the alarm to the appointment."""
_SLEEP = timedelta(hours=6, minutes=30)
_EVENING = (time(21, 15), time(23))
"""Heed asks about the next morning neither earlier nor later."""
_REACH = timedelta(seconds=AHEAD_S)


class DueTrigger(NamedTuple):
    """A trigger that is due at a time of the phone's clock."""

    at: datetime
    """It has passed for an appointment that was added later and has not begun."""
    trigger: Trigger


def appointment_dues(event: Mapping[str, JsonValue], lead: timedelta) -> Sequence[DueTrigger]:
    """``calendar_event`` with the fields of an appointment and ``length_minutes``, ``lead`` before it and at the last
    looks."""
    trigger = appointment_trigger(TriggerKind.CALENDAR_EVENT, event)
    return [DueTrigger(_start(event) - before, trigger) for before in sorted({lead, *LAST_LOOKS}, reverse=True)]


def evening_dues(events: Iterable[Mapping[str, JsonValue]], now: datetime) -> Sequence[DueTrigger]:
    """``evening_before`` for the first early appointment of the next day, when it is time to sleep for it."""
    early = (one for one in events if EARLY[0] <= _start(one).time() < EARLY[1] and _start(one).date() > now.date())
    first = min(early, key=_start, default=None)
    if first is None:
        return []
    evening = _start(first) - timedelta(days=1)
    earliest, latest = (datetime.combine(evening.date(), clock, evening.tzinfo) for clock in _EVENING)
    at = min(max(_start(first) - _UP_BEFORE - _SLEEP, earliest), latest)
    return [DueTrigger(at, appointment_trigger(TriggerKind.EVENING_BEFORE, first))]


class AddedAppointments:
    """Compares readings of the calendar of the next 24 hours; an appointment that is new in one was added."""

    def __init__(self) -> None:
        self._seen: frozenset[tuple[str, str]] | None = None
        self._reach: datetime | None = None
        """The end of the time that the last reading covered."""
        self._added: dict[tuple[str, str], datetime] = {}

    def dues(self, events: Sequence[Mapping[str, JsonValue]], now: datetime) -> Sequence[DueTrigger]:
        """``calendar_added`` for each appointment that was added within the last minutes, due when it was first seen.

        One that came into reach because time went by was not added.
        """
        by_key = {_key(event): event for event in events}
        if self._seen is not None and (reach := self._reach):
            new = (key for key, event in by_key.items() if key not in self._seen and _start(event) < reach)
            self._added |= dict.fromkeys(new, now)
        self._seen, self._reach = frozenset(by_key), now + _REACH
        self._added = {key: at for key, at in self._added.items() if key in by_key and now - at < _REACH}
        return [
            DueTrigger(at, appointment_trigger(TriggerKind.CALENDAR_ADDED, by_key[key]))
            for key, at in self._added.items()
        ]


def appointment_trigger(kind: TriggerKind, event: Mapping[str, JsonValue]) -> Trigger:
    """A trigger with the fields of an appointment, as its author wrote them, and ``length_minutes``."""
    length = datetime.fromisoformat(str(event["end"])) - _start(event)
    data = {name: value for name, value in event.items() if name != "minutes_ahead"}
    fields = clean_fields({**data, "length_minutes": round(length.total_seconds() / 60)})
    return Trigger(kind=kind, data=fields, trust=Trust.THIRD_PARTY)


def _start(event: Mapping[str, JsonValue]) -> datetime:
    return datetime.fromisoformat(str(event["start"]))


def _key(event: Mapping[str, JsonValue]) -> tuple[str, str]:
    return str(event.get("title", "")), str(event["start"])
