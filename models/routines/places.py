"""Which places of a behaviour log are home and work: told by the hours that its owner spends there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Final

from collectors.context import LogEntry

HOME: Final = "home"
WORK: Final = "work"
OTHER: Final = "other"
UNKNOWN: Final = "unknown"

_WORDS = {
    HOME: frozenset({"home", "house", "my place", "家", "家里", "家中", "住处", "宿舍"}),
    WORK: frozenset({"work", "office", "workplace", "the office", "公司", "办公室", "单位"}),
}
_WORK_DAYS = 3
"""A place of work is seen on at least so many weekdays."""


def place_labels(entries: Iterable[LogEntry]) -> Mapping[str, str]:
    """Location text → ``home``, ``work``, ``other`` or ``unknown``, for every location in the log.

    Home is where the most nights and weekend days are spent, work where the most weekdays are, of the other places.
    """
    known = list(entries)
    locations = {entry.location for entry in known}
    labels = {location: _label_of_text(location) for location in locations}
    free = {location for location, label in labels.items() if label == OTHER}
    if HOME not in labels.values():
        home = _most_days(known, free, lambda moment: not 7 <= moment.hour < 21 or moment.weekday() >= 5, least=1)
        labels.update({home: HOME} if home else {})
        free -= {home}
    if WORK not in labels.values():
        work = _most_days(known, free, lambda moment: 9 <= moment.hour < 18 and moment.weekday() < 5, least=_WORK_DAYS)
        labels.update({work: WORK} if work else {})
    return labels


def _label_of_text(location: str) -> str:
    text = location.strip().lower()
    if not text:
        return UNKNOWN
    return next((label for label, words in _WORDS.items() if text in words), OTHER)


def _most_days(
    entries: Iterable[LogEntry], among: set[str], hours: Callable[[datetime], bool], *, least: int
) -> str | None:
    """The location with the most days on which an entry falls into ``hours``; None when none has ``least`` days."""
    days: defaultdict[str, set[date]] = defaultdict(set)
    for entry in entries:
        if entry.location in among and hours(entry.time):
            days[entry.location].add(entry.time.date())
    best = max(days, key=lambda location: (len(days[location]), location), default=None)
    return best if best is not None and len(days[best]) >= least else None
