"""KnowU-Bench's figures of its general and personalised tasks, and where each task ended.

The definitions are those of its ``scripts/calc_paper_metrics.py``: a task is solved above a score of 0.99, *average
score* is the mean of the scores, *interaction efficiency* the mean of the score divided by the number of queries, at
least one. A query is whatever the agent asks its user: here questions about arguments, and consent requests.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from evaluation.knowu.tasks.benchmark import TaskKind
from heed.model import Frozen

SUCCESS = 0.99
"""A score above it is a success."""


class Stage(StrEnum):
    """Where a task ended."""

    SOLVED = "solved"
    NOT_ACCEPTED = "carried out, not accepted by the checker"
    FAILED = "failed on the phone"
    REFUSED = "refused before anything was done"
    DECLINED = "not allowed by the simulated user"
    OPEN_QUESTION = "a question stayed open"
    NO_FUNCTION = "no function of heed's"
    NOT_PREPARED = "not prepared: KnowU-Bench's initialiser gave up"
    NOT_JUDGED = "not judged: KnowU-Bench's checker failed"
    FAULT = "a fault of heed's"


class TaskResult(Frozen):
    """One task.

    Attributes:
        functions: what heed carried out, in order.
        reason: why it was not solved, in the words of heed or of the checker.
        lacking: apps of the task that are not on the phone.
        questions: about arguments.
        consents: consent requests.
        pressed: the label of the button that the owner pressed at the end; empty for none.
        judged: how often KnowU-Bench's judge had a part in the score.
        judge_faults: why the judge did not answer.
        chat: what the simulated user was asked and said.
    """

    name: str
    kind: TaskKind
    request: str
    stage: Stage
    functions: tuple[str, ...] = ()
    reason: str = ""
    lacking: tuple[str, ...] = ()
    score: float = 0.0
    questions: int = 0
    consents: int = 0
    pressed: str = ""
    judged: int = 0
    judge_faults: tuple[str, ...] = ()
    chat: tuple[Mapping[str, str], ...] = ()

    @property
    def solved(self) -> bool:
        """Whether it is a success."""
        return self.stage is Stage.SOLVED

    @property
    def efficiency(self) -> float:
        """The score divided by the number of queries, at least one."""
        return self.score / max(self.questions + self.consents, 1)


class TaskFigures(Frozen):
    """The figures of one kind of tasks; shares of 1.

    A task that could not be prepared counts as unsolved.
    """

    tasks: int
    solved: int
    pressed: int
    """Solved tasks in which the owner pressed the last button."""
    success_rate: float
    average_score: float
    interaction_efficiency: float
    queries: float
    """A task, on average."""
    judged: int
    """Tasks in whose score a judge had, or would have had, a part."""
    judge_faults: int
    lacking: int
    """Tasks for which an app is missing on the phone."""
    stages: Mapping[Stage, int]


class TaskReport(Frozen):
    """All figures of one run.

    Attributes:
        conditions: who played the user, who judged, what heed remembered.
        results: every task.
    """

    conditions: Mapping[str, str]
    figures: Mapping[str, TaskFigures]
    results: tuple[TaskResult, ...]


def report(results: Sequence[TaskResult], conditions: Mapping[str, str]) -> TaskReport:
    """The figures by kind."""
    kinds = list(dict.fromkeys(result.kind for result in results))
    figures = {kind: task_figures([result for result in results if result.kind == kind]) for kind in kinds}
    return TaskReport(conditions=conditions, figures=figures, results=tuple(results))


def task_figures(results: Sequence[TaskResult]) -> TaskFigures:
    """The figures of some tasks, at least one."""
    count = len(results)
    stages = Counter(result.stage for result in results)
    return TaskFigures(
        tasks=count,
        solved=stages[Stage.SOLVED],
        pressed=sum(result.solved and bool(result.pressed) for result in results),
        success_rate=stages[Stage.SOLVED] / count,
        average_score=sum(result.score for result in results) / count,
        interaction_efficiency=sum(result.efficiency for result in results) / count,
        queries=sum(result.questions + result.consents for result in results) / count,
        judged=sum(result.judged > 0 for result in results),
        judge_faults=sum(bool(result.judge_faults) for result in results),
        lacking=sum(bool(result.lacking) for result in results),
        stages={stage: stages[stage] for stage in Stage if stages[stage]},
    )


def table(found: TaskReport) -> str:
    """The conditions, the figures by kind, and a line per task with the reason where it is not solved."""
    rows = [f"{name}: {value}" for name, value in found.conditions.items()]
    rows += ["", _row("", list(found.figures))]
    rows += [_row(name, [_shown(figures, name) for figures in found.figures.values()]) for name in _SHOWN]
    ended = [stage for stage in Stage if any(stage in figures.stages for figures in found.figures.values())]
    rows += ["", *(_row(stage, [str(one.stages.get(stage, 0)) for one in found.figures.values()]) for stage in ended)]
    rows += ["", *(line for result in found.results for line in _lines(result))]
    return "\n".join(rows)


_SHOWN = {
    "tasks": "{tasks}",
    "solved": "{solved}",
    "of these, the owner pressed last": "{pressed}",
    "success rate %": "{success_rate:.1%}",
    "average score": "{average_score:.3f}",
    "interaction efficiency": "{interaction_efficiency:.3f}",
    "queries a task": "{queries:.2f}",
    "scores with a judge's part": "{judged}",
    "tasks in which the judge failed": "{judge_faults}",
    "an app is not on the phone": "{lacking}",
}


def _shown(figures: TaskFigures, name: str) -> str:
    return _SHOWN[name].format(**figures.model_dump()).removesuffix("%")


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:50}" + "".join(f"{cell:>14}" for cell in cells)


def _lines(result: TaskResult) -> list[str]:
    done = ", ".join(result.functions)
    lines = [f"{result.name}: {result.score:.2f}, {result.stage}{f' ({done})' if done else ''}"]
    if not result.solved:
        lacking = f"not on the phone: {', '.join(result.lacking)}" if result.lacking else ""
        lines += [f"  {line}" for line in (result.reason, lacking) if line]
    return lines
