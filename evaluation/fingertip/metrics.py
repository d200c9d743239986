"""FingerTip-20K's figures: suggestion (Sim1, SR1) and execution (SR2, Sim2, step ratio)."""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TypeVar

from evaluation.fingertip.execution import Executed, success_rate
from evaluation.fingertip.suggestion import Suggested
from heed.model import Frozen

One = TypeVar("One")


class SuggestionFigures(Frozen):
    """The suggestion track; None where there is nothing to divide by or nobody judged."""

    episodes: int
    suggested: int
    sim1: float | None
    """Over all episodes; 0 for silence."""
    sim1_of_suggestions: float | None
    sim1_of_last_intent: float | None
    """A baseline: the user's last intent in the place of a suggestion."""
    sr1: float | None
    faults: int


class ExecutionFigures(Frozen):
    """The execution track; similarities and steps over what was executed."""

    episodes: int
    executed: int
    sr2: float | None
    """Over all episodes; what was not executed counts as failed."""
    sim2: float | None
    to_user: float | None
    to_other: float | None
    step_ratio: float | None
    faults: int


class FingertipReport(Frozen):
    """All figures of one run; a track that was not evaluated is None.

    Attributes:
        reasoner: who suggested.
        embedding: of sentences.
        judge: the model that gave verdicts; empty for none.
    """

    reasoner: str
    embedding: str
    judge: str
    suggestion: SuggestionFigures | None = None
    execution: ExecutionFigures | None = None
    suggested: tuple[Suggested, ...] = ()
    executed: tuple[Executed, ...] = ()


def suggestion_figures(made: Sequence[Suggested]) -> SuggestionFigures:
    """The figures of the suggestion track."""
    spoken = [one for one in made if one.suggestion]
    verdicts = [one.right for one in made if one.right is not None]
    return SuggestionFigures(
        episodes=len(made),
        suggested=len(spoken),
        sim1=_mean(made, lambda one: one.similarity),
        sim1_of_suggestions=_mean(spoken, lambda one: one.similarity),
        sim1_of_last_intent=_mean(made, lambda one: one.last_similarity),
        sr1=fmean(verdicts) if verdicts else None,
        faults=sum(bool(one.fault) for one in made),
    )


def execution_figures(made: Sequence[Executed]) -> ExecutionFigures:
    """The figures of the execution track."""
    return ExecutionFigures(
        episodes=len(made),
        executed=sum(bool(one.actions) for one in made),
        sr2=success_rate(made),
        sim2=_mean(made, lambda one: one.personal),
        to_user=_mean(made, lambda one: one.to_user),
        to_other=_mean(made, lambda one: one.to_other),
        step_ratio=_mean(made, lambda one: one.steps),
        faults=sum(bool(one.fault) for one in made),
    )


def _mean(made: Sequence[One], value: Callable[[One], float | None]) -> float | None:
    found = [number for one in made if (number := value(one)) is not None]
    return fmean(found) if found else None


def table(report: FingertipReport) -> str:
    """The figures of both tracks."""
    rows = [f"suggestions by: {report.reasoner}", f"embedding: {report.embedding}", f"judge: {report.judge or 'none'}"]
    if (suggestion := report.suggestion) is not None:
        rows += [
            "",
            _row("suggestion: episodes", suggestion.episodes),
            _row("suggested", suggestion.suggested),
            _row("Sim1", suggestion.sim1),
            _row("Sim1 of what was suggested", suggestion.sim1_of_suggestions),
            _row("Sim1 of the user's last intent (baseline)", suggestion.sim1_of_last_intent),
            _row("SR1 %", _percent(suggestion.sr1)),
            _row("faults", suggestion.faults),
        ]
    if (execution := report.execution) is not None:
        rows += [
            "",
            _row("execution: episodes", execution.episodes),
            _row("executed", execution.executed),
            _row("SR2 %", _percent(execution.sr2)),
            _row("Sim2", execution.sim2),
            _row("similarity to this user", execution.to_user),
            _row("similarity to another user", execution.to_other),
            _row("step ratio", execution.step_ratio),
            _row("faults", execution.faults),
        ]
    return "\n".join(rows)


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f}"


def _row(name: str, value: float | str | None) -> str:
    shown = "n/a" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
    return f"{name:45}{shown:>10}"
