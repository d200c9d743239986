"""How many of AndroidWorld's tasks heed solves, and for each of the others why it does not."""

import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from pydantic import TypeAdapter

from bench.oracles.cases import CASES
from bench.oracles.judging import Judgement
from heed.model import Frozen

_UNSOLVED = Path(__file__).with_name("unsolved.yaml")


class Unsolved(Frozen):
    """Tasks that heed does not solve, for one reason."""

    reason: str
    tasks: tuple[str, ...]


class Count(NamedTuple):
    """The tasks by what their checkers say before and after heed's calls."""

    solved: tuple[str, ...]
    """No before, yes after."""
    kept: tuple[str, ...]
    """Yes before and after: AndroidWorld begins these tasks with what they ask for."""
    refused: tuple[str, ...]
    """A case that its checker did not accept."""
    pressed: tuple[str, ...]
    """Those of the solved ones in which the owner pressed a last button, or several."""
    taught: tuple[str, ...]
    """Those of the solved ones in which heed played a task that the owner had taught."""


@cache
def unsolved() -> Sequence[Unsolved]:
    """Returns the tasks without a case, by reason."""
    return TypeAdapter(tuple[Unsolved, ...]).validate_python(yaml.safe_load(_UNSOLVED.read_text("utf-8")))


def unaccounted(names: Sequence[str]) -> set[str]:
    """Returns the tasks that have neither a case nor a reason, have both, or that AndroidWorld does not have."""
    tried = {case.task for case in CASES}
    given = [task for group in unsolved() for task in group.tasks]
    twice = {task for task in given if task in tried or given.count(task) > 1}
    return twice | ({*tried, *given} ^ set(names))


def count(judgements: Sequence[Judgement]) -> Count:
    """Returns the tasks of the judgements; a task with several cases counts where all of them are right."""
    by_task: dict[str, list[Judgement]] = {}
    for item in judgements:
        by_task.setdefault(item.case.task, []).append(item)
    groups: Mapping[str, list[str]] = {"solved": [], "kept": [], "refused": []}
    for task, items in by_task.items():
        right = all(item.right for item in items)
        group = "refused" if not right else "solved" if any(item.before < 1 for item in items) else "kept"
        groups[group].append(task)
    solved = {task: by_task[task] for task in groups["solved"]}
    return Count(
        **{name: tuple(tasks) for name, tasks in groups.items()},
        pressed=tuple(task for task, items in solved.items() if any(item.pressed for item in items)),
        taught=tuple(task for task, items in solved.items() if any(item.case.lessons for item in items)),
    )


def table(judgements: Sequence[Judgement], *, whole: bool) -> list[str]:
    """A line per case; where all cases were judged, the other tasks by reason too; and the counts."""
    lines = [f"{'task':40} {'functions':38} {'owner':>5} before after"]
    for item in judgements:
        functions = ", ".join(dict.fromkeys(item.functions))
        row = f"{item.case.task:40} {functions:38} {item.pressed:5} {item.before:6.0f} {item.after:5.0f}"
        lines.append(row)
        if not item.right:
            lines.append(f"  {item.error or item.said}")
    found = count(judgements)
    figures = {
        "solved: the checker says no before the calls, yes after": len(found.solved),
        "  of these, with a last button that the owner pressed": len(found.pressed),
        "  of these, with a task that the owner had taught": len(found.taught),
        "begin as they should end, and heed keeps them so (the tasks called Verify)": len(found.kept),
        "tried, and not accepted": len(found.refused),
    }
    if whole:
        for group in unsolved():
            lines += ["", f"{group.reason}: {len(group.tasks)}"]
            lines += textwrap.wrap(", ".join(group.tasks), 118, initial_indent="  ", subsequent_indent="  ")
        figures["not tried, for the reasons above"] = sum(len(group.tasks) for group in unsolved())
    return [*lines, "", *(f"{words:75} {number:4}" for words, number in figures.items())]
