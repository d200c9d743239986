"""The log as read: what was done, what happened before it, and where its owner was."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from models.routines.language.log_reader import ParsedEntry
from models.routines.language.owner_actions import OwnerAction
from models.routines.language.preceding_events import PrecedingEvent
from models.routines.mining.habit import AtTime, InUse, OnEvent
from models.routines.mining.likelihood import weight
from models.routines.mining.places import UNKNOWN, place_labels
from models.routines.mining.time_windows import TimeWindow

ANSWER_TIME = timedelta(minutes=5)
"""An act so soon after an event, told in a line of its own, still answers it."""
PRESENCE_MINUTES = 120.0
"""A line so near to a window shows where its owner was at the time."""


class ActionOccurrence(NamedTuple):
    """One time that a function was carried out."""

    act: OwnerAction
    reading: ParsedEntry
    cause: ParsedEntry | None
    """The line that tells what it reacted to: its own, or one just before; None when nothing prompted it."""

    @property
    def happening(self) -> PrecedingEvent | None:
        return self.cause.happening if self.cause else None

    @property
    def lines(self) -> tuple[ParsedEntry, ...]:
        """The lines that tell it."""
        return (self.reading,) if self.cause is None or self.cause is self.reading else (self.cause, self.reading)


class HabitCandidate(NamedTuple):
    """When something is done, the acts it was told from, and how often it was and could have been done."""

    when: AtTime | InUse | OnEvent
    done: list[ActionOccurrence]
    support: int
    """Days, or of a reaction times."""
    chances: int


class Presence(NamedTuple):
    """Where the log shows its owner around a window, by day; a day of which it tells nothing is not there."""

    places: Mapping[date, frozenset[str]]

    @property
    def days(self) -> frozenset[date]:
        return frozenset(self.places)

    def days_at(self, place: str) -> frozenset[date]:
        """The days without those on which the owner was elsewhere, and only elsewhere, at the time.

        A day that tells no place stays: counting only the days on which a line proves the place would count the
        days on which the act itself was logged, and call every habit sure.
        """
        return frozenset(day for day, seen in self.places.items() if not seen or seen & {place, UNKNOWN})


class History:
    """All readings of a log in time order, with the questions that mining asks."""

    def __init__(self, readings: Sequence[ParsedEntry]) -> None:
        self.readings = readings
        self.today = readings[-1].entry.time.date()
        self._labels = place_labels(reading.entry for reading in readings)
        self.done = tuple(self._done())

    def place(self, reading: ParsedEntry) -> str:
        """Home, work, other or unknown."""
        return self._labels[reading.entry.location]

    def _done(self) -> Iterator[ActionOccurrence]:
        prompt: ParsedEntry | None = None
        for reading in self.readings:
            if _is_prompt(reading):
                prompt = reading
            answered = prompt is not None and reading.entry.time - prompt.entry.time <= ANSWER_TIME
            for act in reading.acts:
                yield ActionOccurrence(act, reading, prompt if answered else None)

    def events(self, kind: str) -> list[ParsedEntry]:
        """The lines that tell of a kind of happening."""
        return [reading for reading in self.readings if reading.happening and reading.happening.kind == kind]

    def presence(self, window: TimeWindow) -> Presence:
        """The days on which the log tells something, and where its owner was around the window."""
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
        """The days on which the log shows the phone used within the window."""
        return frozenset(
            window.day_of(reading.entry.time) for reading in self.readings if window.contains(reading.entry.time)
        )

    def weight_of(self, reading: ParsedEntry) -> float:
        """How much a line counts by its age."""
        return weight(reading.entry.time.date(), self.today)


def _is_prompt(reading: ParsedEntry) -> bool:
    """Merely using the phone prompts nothing."""
    return reading.happening is not None and reading.happening.kind != "screen_time"
