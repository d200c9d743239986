"""How likely something is to be done again: weighted counts, and Beta posteriors that back off to wider groups."""

from collections.abc import Collection, Iterable
from datetime import date

HALF_LIFE_DAYS = 42.0
"""After so many days a day of the log counts half."""
_STRENGTH = 2.0
"""A prior counts as much as so many days."""
_WIDER_STRENGTH = 3.0
"""For a weekday, the days like it count as much as so many of its own: a month has only four of each."""
_STALE = 0.02
"""A run of misses less likely than this, were the habit alive, means that it ended."""
_STALE_DAYS = 5
"""But not a shorter run: a long weekend ends nothing."""

WeekdayLikelihoods = tuple[float, float, float, float, float, float, float]
"""A probability per weekday, Monday first."""


def weight(day: date, today: date) -> float:
    """Recent days count more."""
    return float(0.5 ** (max(0, (today - day).days) / HALF_LIFE_DAYS))


def posterior(hits: float, chances: float, *, mean: float, strength: float = _STRENGTH) -> float:
    """The mean of a Beta posterior whose prior has this ``mean`` and counts as ``strength`` observations."""
    return (hits + mean * strength) / (chances + strength)


def weekday_likelihoods(hits: Collection[date], chances: Collection[date], today: date) -> WeekdayLikelihoods:
    """The probability per weekday that one of the ``chances`` (days) becomes a hit.

    A weekday with few days of its own leans on its like (Monday to Friday, or the weekend), and those on all days.
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
    """Whether the latest chances were missed so often in a row that the habit must have ended."""
    last = max(hits, default=None)
    if last is None:
        return True
    before = [day for day in chances if day <= last]
    misses = len(chances) - len(before)
    rate = posterior(len([day for day in before if day in hits]), len(before), mean=0.5)
    return misses >= _STALE_DAYS and (1 - rate) ** misses < _STALE
