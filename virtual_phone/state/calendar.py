"""The calendar provider."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Annotated

from pydantic import AfterValidator, Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord
from virtual_phone.state.recurrence import RecurrenceRule
from virtual_phone.state.well_known import CALENDAR_APP

OWNER = 700
"""CalendarContract.Calendars.CAL_ACCESS_OWNER."""
_MINUTE = 60_000
"""Milliseconds."""


def _rule(text: str | None) -> str | None:
    if text:
        RecurrenceRule.parse(text)
    return text or None


class CalendarAccount(StateRecord):
    """A calendar that events belong to."""

    identifier: int = 1
    name: str = "Personal"
    account: str = "owner@example.com"
    access_level: int = OWNER


class Reminder(StateRecord):
    """A reminder before an event."""

    identifier: int
    minutes: int
    method: int = 1


class StoredEvent(StateRecord):
    """One event; times in milliseconds since 1970. A repeating one has ``rrule`` and ``duration`` (RFC 2445)."""

    identifier: int
    calendar: int = 1
    title: str = ""
    description: str = ""
    location: str = ""
    start: int
    end: int | None = None
    duration: str | None = None
    rrule: Annotated[str | None, AfterValidator(_rule)] = None
    timezone: str = "UTC"
    all_day: bool = False
    reminders: list[Reminder] = Field(default_factory=list)

    @property
    def length(self) -> int:
        """Milliseconds."""
        if self.end is not None:
            return max(0, self.end - self.start)
        return _duration(self.duration or "PT1H")


class CalendarState(StatePart):
    """Calendars and events."""

    calendars: list[CalendarAccount] = Field(default_factory=lambda: [CalendarAccount()])
    events: list[StoredEvent] = Field(default_factory=list)
    next_event: int = 1
    next_reminder: int = 1

    def add(self, title: str, start: datetime, end: datetime | None = None, **values: str | bool | None) -> StoredEvent:
        """An event of an hour unless told otherwise; ``values`` are other fields of ``StoredEvent``."""
        end = end or start + timedelta(hours=1)
        data: dict[str, object] = {"title": title, "start": _milliseconds(start), "end": _milliseconds(end), **values}
        return self.insert(data)

    def insert(self, values: dict[str, object]) -> StoredEvent:
        """An event from field values; ``ValueError`` when they do not fit."""
        event = StoredEvent.model_validate(
            {"timezone": self._phone.identity.timezone, **values, "identifier": self.next_event}
        )
        self.events.append(event)
        self.next_event += 1
        self._changed()
        return event

    def change(self, event: StoredEvent, values: dict[str, object]) -> None:
        """The owner edits an event; ``ValueError`` when the values do not fit."""
        changed = StoredEvent.model_validate({**event.model_dump(), **values})
        self.events = [changed if other is event else other for other in self.events]
        self._changed()

    def put(self, event: StoredEvent) -> None:
        """Store an event as it is: a new one, or in place of the one with its id."""
        self.events = [other for other in self.events if other.identifier != event.identifier] + [event]
        self.events.sort(key=lambda other: other.identifier)
        self.next_event = max(self.next_event, event.identifier + 1)
        self._changed()

    def put_account(self, account: CalendarAccount) -> None:
        """Store a calendar as it is: a new one, or in place of the one with its id."""
        self.calendars = [other for other in self.calendars if other.identifier != account.identifier] + [account]
        self.calendars.sort(key=lambda other: other.identifier)
        self._changed()

    def remove_account(self, identifier: int) -> None:
        """Delete a calendar with its events."""
        self.calendars = [account for account in self.calendars if account.identifier != identifier]
        self.remove({event.identifier for event in self.events if event.calendar == identifier})

    def put_reminder(self, event: int, reminder: Reminder) -> bool:
        """Store a reminder as it is: a new one, or in place of the one with its id; False without that event."""
        found = self.find(event)
        if found is None:
            return False
        self.remove_reminder(reminder.identifier)
        found.reminders = [*found.reminders, reminder]
        self.next_reminder = max(self.next_reminder, reminder.identifier + 1)
        self._changed()
        return True

    def remove_reminder(self, identifier: int) -> None:
        """Delete a reminder."""
        for event in self.events:
            event.reminders = [reminder for reminder in event.reminders if reminder.identifier != identifier]
        self._changed()

    def find(self, identifier: int) -> StoredEvent | None:
        """The event with this id."""
        return next((event for event in self.events if event.identifier == identifier), None)

    def remind(self, event: StoredEvent, minutes: int, method: int = 1) -> Reminder:
        """Add a reminder to an event."""
        reminder = Reminder(identifier=self.next_reminder, minutes=minutes, method=method)
        event.reminders.append(reminder)
        self.next_reminder += 1
        self._changed()
        return reminder

    def remove(self, identifiers: set[int]) -> int:
        """Delete events; how many there were."""
        before = len(self.events)
        self.events = [event for event in self.events if event.identifier not in identifiers]
        self._changed()
        return before - len(self.events)

    def instances(self, begin: int, end: int) -> list[tuple[StoredEvent, int, int]]:
        """Each occurrence that touches the window, with its begin and end, soonest first."""
        found = [
            (event, start, start + event.length)
            for event in self.events
            for start in takewhile(lambda start: start <= end, _starts(event))
            if start + event.length >= begin
        ]
        return sorted(found, key=lambda instance: (instance[1], instance[0].identifier))

    # --- time passing -----------------------------------------------------------------------------------------
    def next_due(self, after: datetime) -> datetime | None:
        """The time of the next reminder."""
        begin = int(after.timestamp() * 1000)
        moments = (
            next((time for start in _starts(event) if (time := start - reminder.minutes * _MINUTE) > begin), None)
            for event in self.events
            for reminder in event.reminders
        )
        soonest = min((moment for moment in moments if moment is not None), default=None)
        return None if soonest is None else datetime.fromtimestamp(soonest / 1000, after.tzinfo)

    def ring(self, after: datetime, moment: datetime) -> None:
        """Show the reminders that are due at ``moment``."""
        now = _milliseconds(moment)
        for event in self.events:
            for ahead in {reminder.minutes * _MINUTE for reminder in event.reminders}:
                if _starts_at(event, now + ahead):
                    self._remind_of(event, datetime.fromtimestamp((now + ahead) / 1000, moment.tzinfo))

    def _remind_of(self, event: StoredEvent, start: datetime) -> None:
        begins, ends = (
            self._phone.identity.clock_text(time) for time in (start, start + timedelta(milliseconds=event.length))
        )
        text = f"{begins} – {ends}"
        self._phone.notifications.post(
            package=CALENDAR_APP, identifier=event.identifier, tag=f"event:{event.identifier}", channel="Reminders",
            importance=4, title=event.title, text=f"{text}, {event.location}" if event.location else text,
            category="event",
        )  # fmt: skip


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _duration(text: str) -> int:
    """Milliseconds of an RFC 2445 duration such as ``P3600S`` (the provider's own form) or ``PT1H30M``."""
    units = {"W": 604800, "D": 86400, "H": 3600, "M": 60, "S": 1}
    seconds, number = 0, ""
    for character in text.upper().lstrip("+P"):
        if character.isdigit():
            number += character
        elif character in units and number:
            seconds += int(number) * units[character]
            number = ""
    return seconds * 1000


def _starts_at(event: StoredEvent, moment: int) -> bool:
    return next((start for start in _starts(event) if start >= moment), None) == moment


def _starts(event: StoredEvent) -> Iterator[int]:
    if event.rrule is None:
        return iter([event.start])
    return map(_milliseconds, RecurrenceRule.parse(event.rrule).starts(datetime.fromtimestamp(event.start / 1000, UTC)))
