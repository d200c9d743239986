"""Habits: a call that the owner makes repeatedly, when, how likely, and the log lines that show it."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Literal

from pydantic import Field, JsonValue

from collectors.context import AnyKind
from heed.model import Frozen
from models.reasoner import Evidence
from models.routines.mining.likelihood import WeekdayLikelihoods
from models.routines.mining.places import HOME, OTHER, UNKNOWN
from models.routines.mining.time_windows import TimeWindow

LEAD_MINUTES = 10.0
"""A habit may be proposed from this many minutes before its usual time to as many after."""
MIN_LIKELIHOOD = 0.5
"""A habit with a time of day is proposed on the weekdays on which it is at least this likely."""
MIN_PLACE_SHARE = 0.2
"""A habit suits a place if at least this share of its occurrences was there."""


class DayCount(Frozen):
    """A count of days."""

    hits: int
    """Days on which the function was carried out."""
    chances: int
    """Days on which it could have been."""


class AtTime(Frozen):
    """Done at a time of day, without a preceding event."""

    kind: Literal["clock"] = "clock"
    window: TimeWindow
    likelihoods: Mapping[str, WeekdayLikelihoods]
    """Probability per weekday, by place: ``any`` and the place labels of the log."""
    seen: tuple[DayCount, ...] = Field(min_length=7, max_length=7)
    """Per weekday, Monday first."""

    def likelihood(self, weekday: int, place: str) -> float:
        """The probability on a weekday (0 = Monday) at a place; an unknown place counts as ``any``."""
        return self.likelihoods.get(place, self.likelihoods["any"])[weekday]

    def is_likely_on(self, day: date) -> bool:
        """Whether it may be proposed on ``day`` at some place."""
        return max(week[day.weekday()] for week in self.likelihoods.values()) >= MIN_LIKELIHOOD


class InUse(Frozen):
    """Done in a part of the day when the phone is in use."""

    kind: Literal["use"] = "use"
    window: TimeWindow
    likelihood: float


class OnEvent(Frozen):
    """Done in reaction to an event."""

    kind: Literal["event"] = "event"
    event: AnyKind
    """A kind of ``collectors.context.Trigger``."""
    about: frozenset[str] = frozenset()
    """Object classes of the lexicon that the event must mention."""
    familiar: frozenset[str] = frozenset()
    """All object classes that such events mentioned in the log."""
    at_most: int | None = None
    """The event's percentage must not be above this."""
    place: str | None = None
    """The only place where it was done; None = any place."""
    likelihood: float


class Habit(Frozen):
    """A call that the owner makes repeatedly."""

    id: str
    """Stable while the log grows; the owner's edits and rejections refer to it."""
    function: str
    parameters: Mapping[str, JsonValue]
    """The parameters that are the same every time."""
    days_before: Mapping[str, int] = Field(default_factory=dict)
    """Date parameters, as the number of days before the day of the call."""
    when: AtTime | InUse | OnEvent = Field(discriminator="kind")
    places: Mapping[str, float] = Field(default_factory=dict)
    """Share of the occurrences at each place."""
    support: int
    """Number of days (of a reaction: events) on which it was done."""
    chances: int
    """Number of days (events) on which it could have been done."""
    last_seen: datetime
    evidence: tuple[Evidence, ...]
    """The log lines that show it, oldest first."""
    enabled: bool = True
    """False when the owner switched it off: listed, but not proposed."""

    def suits(self, place: str) -> bool:
        """Whether it is usual at ``place``; an unknown place suits every habit, and home what is done out of it.

        People are reminded of a run before they leave for it.
        """
        suiting = (place, OTHER) if place == HOME else (place,)
        return place == UNKNOWN or sum(self.places.get(one, 0.0) for one in suiting) >= MIN_PLACE_SHARE

    def due(self, now: datetime) -> datetime | None:
        """The next time after ``now`` to propose it; None for a disabled habit or one without a time of day."""
        if not isinstance(self.when, AtTime) or not self.enabled:
            return None
        days = (now.date() + timedelta(days=ahead) for ahead in range(-1, 8))
        moments = (self.when.window.middle(day, now) for day in days if self.when.is_likely_on(day))
        return next((moment for moment in moments if moment > now), None)


class HabitEdit(Frozen):
    """The owner's changes to a habit; the habit itself is mined anew from the log."""

    enabled: bool | None = None
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


def edited(habits: Iterable[Habit], edits: Mapping[str, HabitEdit]) -> tuple[Habit, ...]:
    """The habits with the owner's edits (by habit id) applied."""
    return tuple(_edited(habit, edits[habit.id]) if habit.id in edits else habit for habit in habits)


def _edited(habit: Habit, edit: HabitEdit) -> Habit:
    enabled = habit.enabled if edit.enabled is None else edit.enabled
    return habit.model_copy(update={"enabled": enabled, "parameters": {**habit.parameters, **edit.parameters}})
