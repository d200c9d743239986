"""A habit: what its owner does, when, how surely, and the log lines it rests on."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Literal

from pydantic import Field, JsonValue

from heed.model import Frozen
from models.reasoner import Evidence
from models.routines.mining.likelihood import WeekdayLikelihoods
from models.routines.mining.time_windows import TimeWindow

LEAD_MINUTES = 10.0
"""So long before its usual time a habit may be proposed, and so long after."""
_OFFER_EARLY = timedelta(minutes=2)
"""So long before its usual time the owner is best asked."""
MIN_CHANCE = 0.5
"""A clock habit is proposed on a weekday on which it is at least so likely."""
MIN_PLACE_SHARE = 0.2
"""A place fits when at least this share of the days had it there."""


class DayCount(Frozen):
    """On how many days of a kind something was done, and could have been."""

    hits: int
    chances: int


class AtTime(Frozen):
    """Done at a time of day, unprompted."""

    kind: Literal["clock"] = "clock"
    window: TimeWindow
    odds: Mapping[str, WeekdayLikelihoods]
    """Probability per weekday, by place: ``any``, and the places that the log knows."""
    seen: tuple[DayCount, ...] = Field(min_length=7, max_length=7)
    """Per weekday, Monday first."""

    def chance(self, weekday: int, place: str) -> float:
        """How likely it is on a weekday at a place; an unknown place counts as any."""
        return self.odds.get(place, self.odds["any"])[weekday]

    def is_likely_on(self, day: date) -> bool:
        """Whether it may be proposed on that day, wherever its owner will be."""
        return max(week[day.weekday()] for week in self.odds.values()) >= MIN_CHANCE


class InUse(Frozen):
    """Done in a part of the day whenever the phone is used then."""

    kind: Literal["use"] = "use"
    window: TimeWindow
    likelihood: float


class OnEvent(Frozen):
    """Done in reaction to something that happens."""

    kind: Literal["event"] = "event"
    event: str
    """A kind of ``collectors.context.Trigger``."""
    about: frozenset[str] = frozenset()
    """Things of the lexicon that the event must mention."""
    familiar: frozenset[str] = frozenset()
    """All things that such events mentioned before."""
    at_most: int | None = None
    """The largest measure (percent) at which it was done."""
    place: str | None = None
    """Only there, where it was done nowhere else."""
    likelihood: float


class Habit(Frozen):
    """Something that the phone's owner does again and again."""

    id: str
    """Stable while the log grows: what the owner's edits and rejections are remembered for."""
    function: str
    parameters: Mapping[str, JsonValue]
    """Those that are the same every time."""
    days_before: Mapping[str, int] = Field(default_factory=dict)
    """Date parameters that lie so many days before the day of doing."""
    when: AtTime | InUse | OnEvent = Field(discriminator="kind")
    places: Mapping[str, float] = Field(default_factory=dict)
    """Share of the times it was done at each place."""
    support: int
    """Days (of a reaction: times) on which it was done."""
    chances: int
    """Days (times) on which it could have been done."""
    last_seen: datetime
    evidence: tuple[Evidence, ...]
    """The lines of the behaviour log it rests on, oldest first."""
    enabled: bool = True
    """Switched off by the owner: never proposed, still listed."""

    def suits(self, place: str) -> bool:
        """Whether it is done at ``place``; an unknown place suits every habit."""
        return place == "unknown" or self.places.get(place, 0.0) >= MIN_PLACE_SHARE

    def due(self, now: datetime) -> datetime | None:
        """When the owner is best asked next, after ``now``; None for a habit that no time of day brings up."""
        if not isinstance(self.when, AtTime) or not self.enabled:
            return None
        days = (now.date() + timedelta(days=ahead) for ahead in range(-1, 8))
        moments = (self.when.window.begin(day, now) for day in days if self.when.is_likely_on(day))
        return next((asked for moment in moments if (asked := moment - _OFFER_EARLY) > now), None)


class HabitEdit(Frozen):
    """What the owner changed about a habit; the habit itself is mined again from the log."""

    enabled: bool | None = None
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


def edited(habits: Iterable[Habit], edits: Mapping[str, HabitEdit]) -> tuple[Habit, ...]:
    """The habits with the owner's edits (by habit id) applied."""
    return tuple(_edited(habit, edits[habit.id]) if habit.id in edits else habit for habit in habits)


def _edited(habit: Habit, edit: HabitEdit) -> Habit:
    enabled = habit.enabled if edit.enabled is None else edit.enabled
    return habit.model_copy(update={"enabled": enabled, "parameters": {**habit.parameters, **edit.parameters}})
