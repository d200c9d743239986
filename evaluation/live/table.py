"""The figures of played days as tables, and the misses as lines."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from evaluation.live.metrics import LiveReport, NeedFigures
from evaluation.live.score import ScoredDay

COLUMNS = {
    "needs": "needs", "met": "met", "recall": "recall", "args ok": "arguments_right", "of": "arguments_checked",
    "verif.": "verified", "handed": "handed_over", "other": "other_outcome", "repeat": "repeats",
    "quiet": "quiet_moments", "f.look": "false_at_lookalikes", "f.ord": "false_at_ordinary", "f.betw": "false_between",
    "f.need": "wrong_at_needs", "false": "false", "f/day": "false_per_day", "precis.": "precision",
    "q/day": "questions_per_day",
}  # fmt: skip
"""Title and figure of each column."""


def tables(report: LiveReport) -> str:
    """Returns all tables of a report."""
    groups: dict[str, Mapping[str, NeedFigures]] = {
        "reasoner": {report.reasoner: report.all, **report.baselines},
        "source": report.sources,
        "language": report.languages,
        "function": report.functions,
        "person": {**report.persons, "all": report.all},
    }
    return "\n".join([*chain.from_iterable((*_table(*group), "") for group in groups.items()), *_ending(report)])


def _table(title: str, rows: Mapping[str, NeedFigures]) -> Iterator[str]:
    width = max(map(len, (title, *rows))) + 1
    columns = {name: key for name, key in COLUMNS.items() if any(hasattr(figures, key) for figures in rows.values())}
    yield f"{title:<{width}}" + "".join(f"{name:>8}" for name in columns)
    for name, figures in rows.items():
        yield f"{name:<{width}}" + "".join(f"{_cell(figures, key):>8}" for key in columns.values())


def _cell(figures: NeedFigures, key: str) -> str:
    value = getattr(figures, key, None)
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _ending(report: LiveReport) -> Iterator[str]:
    spent = report.time_per_decision
    if spent.decisions:
        yield f"time per decision: p50 {spent.p50} ms, p95 {spent.p95} ms ({spent.decisions} decisions)"
    if report.tolerated:
        yield f"tolerated suggestions: {report.tolerated}"
    yield from (f"FAULT {day}: {fault}" for day, fault in report.faults.items())


def misses(days: Sequence[ScoredDay]) -> Iterator[str]:
    """Yields a line for each missed need, each met need with wrong arguments and each false suggestion."""
    for day in days:
        for need in day.needs:
            if not need.met:
                yield f"MISS  {day.day} {need.at} [{need.source}] {'/'.join(need.accept)}: {need.input}"
            elif need.wrong:
                wrong = "; ".join(need.wrong)
                yield f"ARGS  {day.day} {need.at} {need.function} {dict(need.parameters)}: {wrong} <- {need.input}"
        for offer in day.false:
            functions = "/".join(offer.functions)
            yield f"FALSE {day.day} {offer.at[11:16]} ({offer.where}) {functions}: {offer.sentence} <- {offer.input}"
