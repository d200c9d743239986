"""The calendar provider."""

from datetime import UTC, datetime, timedelta

from pydantic import Field

from android_bridge.virtual.state.part import Part, Record

OWNER = 700
"""CalendarContract.Calendars.CAL_ACCESS_OWNER."""
_MAX_OCCURRENCES = 1000
_STEP_DAYS = {"DAILY": 1, "WEEKLY": 7}
_RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class CalendarAccount(Record):
    """A calendar that events belong to."""

    identifier: int = 1
    name: str = "Personal"
    account: str = "owner@example.com"
    access_level: int = OWNER


class Reminder(Record):
    """A reminder before an event."""

    identifier: int
    minutes: int
    method: int = 1


class Event(Record):
    """One event; times in milliseconds since 1970. A repeating one has ``rrule`` and ``duration`` (RFC 2445)."""

    identifier: int
    calendar: int = 1
    title: str = ""
    description: str = ""
    location: str = ""
    start: int
    end: int | None = None
    duration: str | None = None
    rrule: str | None = None
    timezone: str = "UTC"
    all_day: bool = False
    reminders: list[Reminder] = Field(default_factory=list)

    @property
    def length(self) -> int:
        """Milliseconds."""
        if self.end is not None:
            return max(0, self.end - self.start)
        return _duration(self.duration or "PT1H")


class Calendar(Part):
    """Calendars and events."""

    calendars: list[CalendarAccount] = Field(default_factory=lambda: [CalendarAccount()])
    events: list[Event] = Field(default_factory=list)
    next_event: int = 1
    next_reminder: int = 1

    def add(self, title: str, start: datetime, end: datetime | None = None, **values: str | bool | None) -> Event:
        """An event of an hour unless told otherwise; ``values`` are other fields of ``Event``."""
        end = end or start + timedelta(hours=1)
        data: dict[str, object] = {"title": title, "start": _milliseconds(start), "end": _milliseconds(end), **values}
        return self.insert(data)

    def insert(self, values: dict[str, object]) -> Event:
        """An event from field values; ``ValueError`` when they do not fit."""
        event = Event.model_validate(
            {"timezone": self._phone.identity.timezone, **values, "identifier": self.next_event}
        )
        self.events.append(event)
        self.next_event += 1
        self._changed()
        return event

    def change(self, event: Event, values: dict[str, object]) -> None:
        """The person edits an event; ``ValueError`` when the values do not fit."""
        changed = Event.model_validate({**event.model_dump(), **values})
        self.events = [changed if other is event else other for other in self.events]
        self._changed()

    def find(self, identifier: int) -> Event | None:
        """The event with this id."""
        return next((event for event in self.events if event.identifier == identifier), None)

    def remind(self, event: Event, minutes: int, method: int = 1) -> Reminder:
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

    def instances(self, begin: int, end: int) -> list[tuple[Event, int, int]]:
        """Each occurrence that touches the window, with its begin and end, soonest first."""
        found = [
            (event, start, start + event.length)
            for event in self.events
            for start in _occurrences(event, end)
            if start <= end and start + event.length >= begin
        ]
        return sorted(found, key=lambda instance: (instance[1], instance[0].identifier))


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


def _occurrences(event: Event, until: int) -> list[int]:
    """The starts of an event up to ``until``; rules by day, week (BYDAY), month, year, with INTERVAL, COUNT, UNTIL."""
    if not event.rrule:
        return [event.start]
    rule = dict(item.split("=", 1) for item in event.rrule.upper().split(";") if "=" in item)
    limit = min(int(rule.get("COUNT", _MAX_OCCURRENCES)), _MAX_OCCURRENCES)
    if "UNTIL" in rule:
        last = datetime.strptime(rule["UNTIL"][:8], "%Y%m%d").replace(tzinfo=UTC) + timedelta(days=1)
        until = min(until, _milliseconds(last))
    starts: list[int] = []
    for moment in _moments(datetime.fromtimestamp(event.start / 1000, UTC), rule):
        if len(starts) >= limit or _milliseconds(moment) > until:
            break
        starts.append(_milliseconds(moment))
    return starts


def _moments(first: datetime, rule: dict[str, str]) -> list[datetime]:
    interval = max(1, int(rule.get("INTERVAL", 1)))
    frequency = rule.get("FREQ", "DAILY")
    days = [day for day in rule.get("BYDAY", "").split(",") if day in _RULE_DAYS]
    if frequency == "WEEKLY" and days:
        monday = first - timedelta(days=first.weekday())
        moments = [
            monday + timedelta(weeks=week * interval, days=_RULE_DAYS.index(day))
            for week in range(_MAX_OCCURRENCES // len(days))
            for day in sorted(days, key=_RULE_DAYS.index)
        ]
        return [moment for moment in moments if moment >= first]
    if frequency in _STEP_DAYS:
        step = timedelta(days=_STEP_DAYS[frequency] * interval)
        return [first + step * count for count in range(_MAX_OCCURRENCES)]
    months = interval * (12 if frequency == "YEARLY" else 1)
    return [moment for count in range(240) if (moment := _plus_months(first, count * months))]


def _plus_months(first: datetime, months: int) -> datetime | None:
    total = first.year * 12 + first.month - 1 + months
    try:
        return first.replace(year=total // 12, month=total % 12 + 1)
    except ValueError:
        return None
