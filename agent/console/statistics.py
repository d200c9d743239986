"""How often heed suggested something and what became of it, over weeks, by situation and by hour."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta, tzinfo

from agent.journal import CountedDecision, Ending, Statistics
from heed.model import Frozen
from heed.safe_text import Shown

WEEKS = 12
"""The period that is counted."""
_MOST_SUBJECTS = 12


class EndingCounts(Frozen):
    """What became of decisions."""

    accepted: int = 0
    declined: int = 0
    no_answer: int = 0
    silent: int = 0


class WeekView(Frozen):
    """The decisions of one week."""

    begins: date
    """Its Monday."""
    counts: EndingCounts


class SubjectView(Frozen):
    """The suggestions of one situation, habit or function."""

    name: Shown
    counts: EndingCounts


class StatisticsView(Frozen):
    """The counts of a period, in the phone's time."""

    weeks: tuple[WeekView, ...]
    """Oldest first, without gaps."""
    hours: tuple[EndingCounts, ...]
    """One per hour of the day."""
    subjects: tuple[SubjectView, ...]
    """The most frequent ones first; silences have none."""
    total: EndingCounts


def counted(statistics: Statistics, about: Mapping[str, str], zone: tzinfo | None) -> StatisticsView:
    """The counts of the last weeks; ``about`` has the words of topics and functions."""
    decisions = statistics.decisions(timedelta(weeks=WEEKS), zone)
    return StatisticsView(
        weeks=tuple(_weeks(decisions)),
        hours=tuple(_counts(one for one in decisions if one.at.hour == hour) for hour in range(24)),
        subjects=tuple(_subjects(decisions, about)),
        total=_counts(decisions),
    )


def _counts(decisions: Iterable[CountedDecision]) -> EndingCounts:
    counts = Counter(one.ending for one in decisions)
    return EndingCounts(**{ending.value: counts[ending] for ending in Ending})


def _weeks(decisions: Sequence[CountedDecision]) -> Iterable[WeekView]:
    by_week: defaultdict[date, list[CountedDecision]] = defaultdict(list)
    for one in decisions:
        by_week[one.at.date() - timedelta(days=one.at.weekday())].append(one)
    if not by_week:
        return
    # A phone whose clock was turned may have weeks far apart: the newest ones are shown.
    newest = max(by_week)
    for back in reversed(range(WEEKS)):
        monday = newest - timedelta(weeks=back)
        yield WeekView(begins=monday, counts=_counts(by_week[monday]))


def _subjects(decisions: Sequence[CountedDecision], about: Mapping[str, str]) -> Iterable[SubjectView]:
    by_name: defaultdict[str, list[CountedDecision]] = defaultdict(list)
    for one in decisions:
        if one.ending is not Ending.SILENT:
            by_name[about.get(one.topic) or about.get(one.functions) or one.functions or one.topic].append(one)
    for name in sorted(by_name, key=lambda name: -len(by_name[name]))[:_MOST_SUBJECTS]:
        yield SubjectView(name=name, counts=_counts(by_name[name]))
