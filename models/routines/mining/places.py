"""Labels the locations of a behaviour log as home, work or other, by the hours spent there."""

import re
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
_ON_THE_WAY = re.compile(
    r"\b(?:station|stop|subway|metro|tram|bus|train|rail|airport|commute|commuting|taxi|car|flight|on the way)\b"
    r"|地铁|车站|公交|高铁|火车|机场|路上|通勤|站[（(]|站$",
    re.IGNORECASE,
)
"""Locations of transit are neither home nor work."""
_CORE_HOURS = range(10, 16)
"""Hours in which people who work somewhere usually are there."""
_WORK_DAYS = 3
"""Minimum number of weekdays at a place of work."""


def place_labels(entries: Iterable[LogEntry]) -> Mapping[str, str]:
    """Location text → ``home``, ``work``, ``other`` or ``unknown``, for every location in the log.

    A location that is called home or work has that label. Otherwise home is the location with the most nights and
    weekend days, and work the one of the others with the most weekdays.
    """
    known = list(entries)
    locations = {entry.location for entry in known}
    labels = {location: _label_of_text(location) for location in locations}
    free = {location for location, label in labels.items() if label == OTHER and not _ON_THE_WAY.search(location)}
    if HOME not in labels.values():
        home = _most_days(known, free, _is_home_time, least=1)
        labels.update({home: HOME} if home else {})
        free -= {home}
    if WORK not in labels.values():
        work = _most_days(known, free, _is_working_time, least=_WORK_DAYS)
        labels.update({work: WORK} if work else {})
    return labels


def _is_home_time(moment: datetime) -> bool:
    return not 7 <= moment.hour < 21 or moment.weekday() >= 5


def _is_working_time(moment: datetime) -> bool:
    return moment.hour in _CORE_HOURS and moment.weekday() < 5


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
