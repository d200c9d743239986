"""Likelihood of a repeated action: weighted counts and Beta posteriors that back off to wider groups of days."""

from collections.abc import Collection, Iterable
from datetime import date

HALF_LIFE_DAYS = 42.0
"""A day of the log loses half its weight in this many days."""
_STRENGTH = 2.0
"""Weight of a prior, in days."""
_WIDER_STRENGTH = 3.0
"""Weight of the prior of a weekday, in days: a month has only four days of each weekday."""
_STALE = 0.02
"""A habit has ended if its latest run of misses is less probable than this."""
_STALE_DAYS = 5
"""Minimum length of such a run, longer than a long weekend."""

WeekdayLikelihoods = tuple[float, float, float, float, float, float, float]
"""A probability per weekday, Monday first."""


def weight(day: date, today: date) -> float:
    """The weight of a day by its age: 1 for today, 0.5 after ``HALF_LIFE_DAYS``."""
    return float(0.5 ** (max(0, (today - day).days) / HALF_LIFE_DAYS))


def posterior(hits: float, chances: float, *, mean: float, strength: float = _STRENGTH) -> float:
    """The mean of a Beta posterior whose prior has this ``mean`` and counts as ``strength`` observations."""
    return (hits + mean * strength) / (chances + strength)


def weekday_likelihoods(hits: Collection[date], chances: Collection[date], today: date) -> WeekdayLikelihoods:
    """The probability per weekday that one of the days ``chances`` is a hit.

    The prior of a weekday is the group it belongs to (Monday to Friday, or the weekend); that of a group is all days.
    """

    def share(days: Iterable[date], mean: float, strength: float = _STRENGTH) -> float:
        counted = [(weight(day, today), day in hits) for day in days]
        total = sum(value for value, _ in counted)
        return posterior(sum(value for value, hit in counted if hit), total, mean=mean, strength=strength)

    overall = share(chances, 0.25)
    workdays = share((day for day in chances if day.weekday() < 5), overall)
    weekend = share((day for day in chances if day.weekday() >= 5), overall)

    def of_weekday(weekday: int) -> float:
        wider = workdays if weekday < 5 else weekend
        return share((day for day in chances if day.weekday() == weekday), wider, _WIDER_STRENGTH)

    return tuple(of_weekday(weekday) for weekday in range(7))  # type: ignore[return-value]


def is_stale(hits: Collection[date], chances: Collection[date]) -> bool:
    """Whether the latest run of days without a hit is long enough that the habit has ended."""
    last = max(hits, default=None)
    if last is None:
        return True
    before = [day for day in chances if day <= last]
    misses = len(chances) - len(before)
    rate = posterior(len([day for day in before if day in hits]), len(before), mean=0.5)
    return misses >= _STALE_DAYS and (1 - rate) ** misses < _STALE
