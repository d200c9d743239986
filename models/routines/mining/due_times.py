"""When an unprompted act is due: at a time of day, or whenever the phone is used in a part of the day."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date

from models.routines.mining.habit import MIN_CHANCE, AtTime, DayCount, InUse
from models.routines.mining.history import ActionOccurrence, HabitCandidate, History
from models.routines.mining.likelihood import is_stale, posterior, weekday_likelihoods
from models.routines.mining.places import HOME, OTHER, WORK
from models.routines.mining.time_windows import clusters, peaks, typical_window

CLOCK_GAP = 25.0
"""Minutes: acts at times of day no farther apart belong together."""
CLOCK_SPREAD = 90.0
"""Minutes: what is spread over more of the day is not brought up by the clock."""
USE_GAP = 150.0
USE_SPREAD = 360.0
MIN_DAYS = 3
"""A habit of the clock, or of use, was seen on at least so many days."""
MIN_LIKELIHOOD = 0.6
"""A habit of use is proposed from here on."""


def at_times(done: Sequence[ActionOccurrence], history: History) -> Iterator[HabitCandidate]:
    """The times of day at which something is done unprompted."""
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
    odds = {place: weekday_likelihoods(hits & days, days, history.today) for place, days in chances.items()}
    if max(chance for week in odds.values() for chance in week) < MIN_CHANCE:
        return None
    when = AtTime(window=window, odds=odds, seen=_seen(hits, presence.days | hits))
    return HabitCandidate(when, done, len(hits), len(presence.days))


def _seen(hits: Collection[date], days: Collection[date]) -> tuple[DayCount, ...]:
    """Per weekday, on how many of the days it was done."""
    return tuple(
        DayCount(
            hits=sum(day.weekday() == weekday for day in hits),
            chances=sum(day.weekday() == weekday for day in days),
        )
        for weekday in range(7)
    )


def in_use(done: Sequence[ActionOccurrence], history: History) -> Iterator[HabitCandidate]:
    """The parts of the day in which something is done whenever the phone is used."""
    for members in clusters([one.reading.entry.time for one in done], USE_GAP):
        group = [done[index] for index in members]
        window = typical_window([one.reading.entry.time for one in group])
        if not CLOCK_SPREAD < window.length <= USE_SPREAD:
            continue
        hits = frozenset(window.day_of(one.reading.entry.time) for one in group)
        chances = history.days_in_use(window) | hits
        likelihood = posterior(len(hits), len(chances), mean=0.2)
        if len(hits) >= MIN_DAYS and likelihood >= MIN_LIKELIHOOD and not is_stale(hits, chances):
            yield HabitCandidate(InUse(window=window, likelihood=likelihood), group, len(hits), len(chances))
