"""The figures of played days: as a whole, and by source, language, function and person."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from evaluation.live.score import FalseOffer, ScoredDay, ScoredNeed
from heed.model import Frozen

_T = TypeVar("_T")


class NeedFigures(Frozen):
    """Figures of needs; shares are of 1, None where there is nothing to divide by."""

    needs: int
    met: int
    recall: float | None
    arguments_right: int
    arguments_checked: int
    """Of the met needs, those that demand arguments."""
    met_and_right: int
    """Met, and no demanded argument wrong."""
    answered: int
    verified: int
    handed_over: int
    other_outcome: int
    repeats: int
    """Further suggestions for a need that was met."""


class FunctionFigures(NeedFigures):
    """Figures of needs and of false suggestions."""

    false: int
    precision: float | None
    """Met needs among met needs and false suggestions."""


class LiveFigures(FunctionFigures):
    """Figures of whole days."""

    days: int
    quiet_moments: int
    false_per_day: float | None
    false_at_lookalikes: int
    false_at_ordinary: int
    false_between: int
    wrong_at_needs: int
    questions_per_day: float | None


class DecisionTime(Frozen):
    """Milliseconds from a context to the recorded decision, where a reasoner was asked."""

    decisions: int
    p50: float | None
    p95: float | None


class LiveReport(Frozen):
    """All figures of one run."""

    reasoner: str
    all: LiveFigures
    tolerated: int
    time_per_decision: DecisionTime
    sources: Mapping[str, NeedFigures]
    languages: Mapping[str, LiveFigures]
    functions: Mapping[str, FunctionFigures]
    """Needs by the first accepted function, false suggestions by the suggested one."""
    persons: Mapping[str, LiveFigures]
    """By day: each day is of one person."""
    baselines: Mapping[str, LiveFigures]
    faults: Mapping[str, str]
    """Days that were not played to their end."""


def report(
    reasoner: str, days: Sequence[ScoredDay], baselines: Mapping[str, Sequence[ScoredDay]], faults: Mapping[str, str]
) -> LiveReport:
    """Returns the figures of a run.

    Args:
        reasoner: name of the configuration that was played.
        days: its played days.
        baselines: the same days as other configurations played them.
        faults: days that could not be read.
    """
    needs = [need for day in days for need in day.needs]
    false = [offer for day in days for offer in day.false]
    return LiveReport(
        reasoner=reasoner,
        all=figures(days),
        tolerated=sum(len(day.tolerated) for day in days),
        time_per_decision=_time_per_decision([spent for day in days for spent in day.milliseconds]),
        sources={
            source: need_figures(mine) for source, mine in _grouped(needs, lambda need: need.source or "").items()
        },
        languages={language: figures(mine) for language, mine in _grouped(days, lambda day: day.language).items()},
        functions=_by_function(needs, false),
        persons={day.day: figures([day]) for day in days},
        baselines={name: figures(played) for name, played in baselines.items()},
        faults={**faults, **{day.day: day.fault for day in days if day.fault}},
    )


def need_figures(needs: Sequence[ScoredNeed]) -> NeedFigures:
    """Returns the figures of some needs."""
    met = [need for need in needs if need.met]
    ended = Counter(outcome for need in met for outcome in need.outcomes[:1])
    return NeedFigures(
        needs=len(needs),
        met=len(met),
        recall=_share(len(met), len(needs)),
        arguments_right=sum(need.wrong == () for need in met),
        arguments_checked=sum(need.wrong is not None for need in met),
        met_and_right=sum(not need.wrong for need in met),
        answered=sum(bool(need.answer) for need in met),
        verified=ended["verified"],
        handed_over=ended["handed_over"],
        other_outcome=ended.total() - ended["verified"] - ended["handed_over"],
        repeats=sum(need.repeats for need in needs),
    )


def function_figures(needs: Sequence[ScoredNeed], false: Sequence[FalseOffer]) -> FunctionFigures:
    """Returns the figures of some needs and some false suggestions."""
    of_needs = need_figures(needs)
    precision = _share(of_needs.met, of_needs.met + len(false))
    return FunctionFigures(**of_needs.model_dump(), false=len(false), precision=precision)


def figures(days: Sequence[ScoredDay]) -> LiveFigures:
    """Returns the figures of whole days."""
    false = [offer for day in days for offer in day.false]
    where = Counter(offer.where for offer in false)
    return LiveFigures(
        **function_figures([need for day in days for need in day.needs], false).model_dump(),
        days=len(days),
        quiet_moments=sum(day.quiet_moments for day in days),
        false_per_day=_share(len(false), len(days)),
        false_at_lookalikes=where["lookalike"],
        false_at_ordinary=where["ordinary"],
        false_between=where["between"],
        wrong_at_needs=where["wrong at a need"],
        questions_per_day=_share(sum(day.questions for day in days), len(days)),
    )


def _by_function(needs: Sequence[ScoredNeed], false: Sequence[FalseOffer]) -> dict[str, FunctionFigures]:
    of_needs = _grouped(needs, lambda need: need.accept[0])
    of_false = _grouped(false, lambda offer: offer.functions[0])
    names = sorted(of_needs.keys() | of_false.keys())
    return {name: function_figures(of_needs.get(name, []), of_false.get(name, [])) for name in names}


def _grouped(items: Sequence[_T], key: Callable[[_T], str]) -> dict[str, list[_T]]:
    return {name: [item for item in items if key(item) == name] for name in sorted({key(item) for item in items})}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _time_per_decision(milliseconds: Sequence[float]) -> DecisionTime:
    spent = sorted(milliseconds)
    return DecisionTime(decisions=len(spent), p50=_quantile(spent, 0.5), p95=_quantile(spent, 0.95))


def _quantile(spent: Sequence[float], share: float) -> float | None:
    return round(spent[min(len(spent) - 1, int(share * len(spent)))], 1) if spent else None
