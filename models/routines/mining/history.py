"""The parsed log in time order: actions, the events before them, and the owner's places."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from collectors.context import TriggerKind
from models.routines.language.log_reader import ParsedEntry
from models.routines.language.owner_actions import OwnerAction
from models.routines.language.preceding_events import PrecedingEvent
from models.routines.mining.habit import AtTime, InUse, OnEvent
from models.routines.mining.likelihood import weight
from models.routines.mining.places import UNKNOWN, place_labels
from models.routines.mining.time_windows import TimeWindow

ANSWER_TIME = timedelta(minutes=5)
"""An action in a later log line counts as a reaction to an event at most this long before."""
PRESENCE_MINUTES = 120.0
"""A log line at most this far from a window shows the owner's place at the time."""


class ActionOccurrence(NamedTuple):
    """One occurrence of an action in the log."""

    action: OwnerAction
    reading: ParsedEntry
    cause: ParsedEntry | None
    """The entry with the event that preceded it: its own or an earlier one; None without such an event."""

    @property
    def event(self) -> PrecedingEvent | None:
        return self.cause.event if self.cause else None

    @property
    def lines(self) -> tuple[ParsedEntry, ...]:
        """The log entries that report it."""
        return (self.reading,) if self.cause is None or self.cause is self.reading else (self.cause, self.reading)


class HabitCandidate(NamedTuple):
    """A possible habit: when, the occurrences that show it, and its counts."""

    when: AtTime | InUse | OnEvent
    done: list[ActionOccurrence]
    support: int
    """Number of days, or of a reaction events, with the action."""
    chances: int
    """Number of days or events on which it could have been done."""


class Presence(NamedTuple):
    """The owner's places around a time window, by day."""

    places: Mapping[date, frozenset[str]]
    """Only days with log entries; an empty set where no entry is near the window."""

    @property
    def days(self) -> frozenset[date]:
        return frozenset(self.places)

    def days_at(self, place: str) -> frozenset[date]:
        """The days on which the owner may have been at ``place``.

        Days without a known place count, too: a log line near the window often is the action itself, so counting only
        days with a known place would overestimate every habit.
        """
        return frozenset(day for day, seen in self.places.items() if not seen or seen & {place, UNKNOWN})


class History:
    """All parsed entries of a log in time order, with the queries of mining."""

    def __init__(self, readings: Sequence[ParsedEntry]) -> None:
        self.readings = readings
        self.today = readings[-1].entry.time.date()
        self._labels = place_labels(reading.entry for reading in readings)
        self.done = tuple(self._done())

    def place(self, reading: ParsedEntry) -> str:
        """``home``, ``work``, ``other`` or ``unknown``."""
        return self._labels[reading.entry.location]

    def _done(self) -> Iterator[ActionOccurrence]:
        prompt: ParsedEntry | None = None
        for reading in self.readings:
            if _is_prompt(reading):
                prompt = reading
            answered = prompt is not None and reading.entry.time - prompt.entry.time <= ANSWER_TIME
            for action in reading.actions:
                yield ActionOccurrence(action, reading, prompt if answered else None)

    def events(self, kind: str) -> list[ParsedEntry]:
        """The entries that report an event of this kind."""
        return [reading for reading in self.readings if reading.event and reading.event.kind == kind]

    def presence(self, window: TimeWindow) -> Presence:
        """The days with log entries, and the owner's places around the window."""
        first, last = self.readings[0].entry.time, self.readings[-1].entry.time
        places: defaultdict[date, set[str]] = defaultdict(set)
        for reading in self.readings:
            day = window.day_of(reading.entry.time)
            near = window.contains(reading.entry.time, before=PRESENCE_MINUTES, after=PRESENCE_MINUTES)
            places[day] |= {self.place(reading)} if near else set()
        length = timedelta(minutes=window.length)
        within = (
            day for day in places if window.begin(day, last) <= last and window.begin(day, first) + length >= first
        )
        return Presence({day: frozenset(places[day]) for day in within})

    def days_in_use(self, window: TimeWindow) -> frozenset[date]:
        """The days with log entries within the window."""
        return frozenset(
            window.day_of(reading.entry.time) for reading in self.readings if window.contains(reading.entry.time)
        )

    def weight_of(self, reading: ParsedEntry) -> float:
        """The weight of an entry by its age."""
        return weight(reading.entry.time.date(), self.today)


def _is_prompt(reading: ParsedEntry) -> bool:
    """Whether the entry reports an event that an action may react to; use of the phone is none."""
    return reading.event is not None and reading.event.kind != TriggerKind.SCREEN_TIME
