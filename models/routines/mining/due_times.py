"""Finds when actions without a preceding event are due: at a time of day, or while the phone is in use."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date

from models.routines.mining.habit import MIN_LIKELIHOOD, AtTime, DayCount, InUse
from models.routines.mining.history import ActionOccurrence, HabitCandidate, History
from models.routines.mining.likelihood import is_stale, posterior, weekday_likelihoods
from models.routines.mining.places import HOME, OTHER, WORK
from models.routines.mining.time_windows import clusters, peaks, typical_window

CLOCK_GAP = 25.0
"""Minutes: neighbouring times of day at most this far apart form one cluster."""
CLOCK_SPREAD = 90.0
"""Minutes: a wider window gives no habit with a time of day."""
USE_GAP = 150.0
"""Minutes: the same as ``CLOCK_GAP``, for habits of a part of the day."""
USE_SPREAD = 360.0
"""Minutes: a wider window gives no habit of a part of the day."""
MIN_DAYS = 3
"""Minimum number of days with the action."""
MIN_USE_LIKELIHOOD = 0.6
"""Minimum likelihood of a habit of a part of the day."""


def at_times(done: Sequence[ActionOccurrence], history: History) -> Iterator[HabitCandidate]:
    """Candidates with a time of day, from the actions without a preceding event."""
    unprompted = [one for one in done if one.cause is None]
    often = [unprompted[index] for index in peaks([one.reading.entry.time for one in unprompted], CLOCK_GAP)]
    for members in clusters([one.reading.entry.time for one in often], CLOCK_GAP):
        found = _at_time([often[index] for index in members], history)
        if found is not None:
            yield found


def _at_time(done: list[ActionOccurrence], history: History) -> HabitCandidate | None:
    window = typical_window([one.reading.entry.time for one in done])
    hits = frozenset(window.day_of(one.reading.entry.time) for one in done)
    if len(hits) < MIN_DAYS or window.length > CLOCK_SPREAD:
        return None
    presence = history.presence(window)
    if is_stale(hits, presence.days):
        return None
    chances = {"any": presence.days, **{place: presence.days_at(place) for place in (HOME, WORK, OTHER)}}
    likelihoods = {place: weekday_likelihoods(hits & days, days, history.today) for place, days in chances.items()}
    if max(value for week in likelihoods.values() for value in week) < MIN_LIKELIHOOD:
        return None
    when = AtTime(window=window, likelihoods=likelihoods, seen=_days_per_weekday(hits, presence.days | hits))
    return HabitCandidate(when, done, len(hits), len(presence.days))


def _days_per_weekday(hits: Collection[date], days: Collection[date]) -> tuple[DayCount, ...]:
    """Per weekday, the number of days and of those with the action."""
    return tuple(
        DayCount(
            hits=sum(day.weekday() == weekday for day in hits),
            chances=sum(day.weekday() == weekday for day in days),
        )
        for weekday in range(7)
    )


def in_use(done: Sequence[ActionOccurrence], history: History) -> Iterator[HabitCandidate]:
    """Candidates with a part of the day in which the phone is in use."""
    for members in clusters([one.reading.entry.time for one in done], USE_GAP):
        group = [done[index] for index in members]
        window = typical_window([one.reading.entry.time for one in group])
        if not CLOCK_SPREAD < window.length <= USE_SPREAD:
            continue
        hits = frozenset(window.day_of(one.reading.entry.time) for one in group)
        chances = history.days_in_use(window) | hits
        likelihood = posterior(len(hits), len(chances), mean=0.2)
        if len(hits) >= MIN_DAYS and likelihood >= MIN_USE_LIKELIHOOD and not is_stale(hits, chances):
            yield HabitCandidate(InUse(window=window, likelihood=likelihood), group, len(hits), len(chances))
