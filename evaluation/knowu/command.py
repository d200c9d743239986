"""``heed eval knowu``."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from agent.config import load
from evaluation.knowu.cases import KnowuCase, load_cases
from evaluation.knowu.metrics import KnowuPrediction, KnowuReport, Rates, report
from evaluation.knowu.run import Log, play, reasoners_of
from evaluation.knowu.tasks.command import TaskOptions, TaskSelection, run_tasks
from evaluation.knowu.tasks.metrics import table as task_table
from function_pool.spec import default_pool
from heed.clock import SystemClock
from heed.errors import UsageError
from heed.printing import print_json, print_lines
from models.config import ModelsConfig, ReasonerKind

_WITH_TASKS = "With --tasks"


def knowu(
    folder: Annotated[
        Path,
        typer.Argument(
            help="The folder with cases.json, reject_cases.json and logs/; with --tasks, KnowU-Bench's own folder src.",
            exists=True,
            file_okay=False,
        ),
    ],
    log: Annotated[Log, typer.Option("--log", help="Which behaviour log: clean or noise.")] = "clean",
    reasoner: Annotated[ReasonerKind, typer.Option(help="Who decides; not with --tasks.")] = ReasonerKind.ROUTINES,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", help="Write one prediction per line to this file; not with --tasks.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    tasks: Annotated[
        TaskSelection | None,
        typer.Option("--tasks", help="Carry out these tasks on a virtual phone, judged by KnowU-Bench's own code."),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task", help="Only this task, with or without its @persona; repeatable.", rich_help_panel=_WITH_TASKS
        ),
    ] = None,
    memory: Annotated[
        str,
        typer.Option(
            help="What is remembered of a persona's log: full, or nearest:K entries to a task.",
            rich_help_panel=_WITH_TASKS,
        ),
    ] = "full",
    with_profile: Annotated[
        bool,
        typer.Option(
            "--with-profile",
            help="Give heed the persona's profile too, which KnowU-Bench shows to no agent.",
            rich_help_panel=_WITH_TASKS,
        ),
    ] = False,
    user: Annotated[
        str,
        typer.Option(
            help="Address of an OpenAI-compatible server that plays the user; else a script, from the task's facts.",
            rich_help_panel=_WITH_TASKS,
        ),
    ] = "",
    user_model: Annotated[
        str, typer.Option(help="Name of the user's model on that server.", rich_help_panel=_WITH_TASKS)
    ] = "",
    judge: Annotated[
        str,
        typer.Option(
            help="Address of an OpenAI-compatible server for KnowU-Bench's judge; else its verdicts are 0.",
            rich_help_panel=_WITH_TASKS,
        ),
    ] = "",
    judge_model: Annotated[
        str, typer.Option(help="Name of the judge's model on that server.", rich_help_panel=_WITH_TASKS)
    ] = "",
    python: Annotated[
        Path | None,
        typer.Option(
            help="An interpreter with the packages that KnowU-Bench imports; heed's own by default.",
            rich_help_panel=_WITH_TASKS,
            exists=True,
            dir_okay=False,
        ),
    ] = None,
) -> None:
    """KnowU's proactive decisions, situations off and profile not read; with --tasks its other tasks, on a phone."""
    if tasks is None:
        _decisions(folder, log, reasoner, predictions, as_json=as_json)
        return
    if reasoner is not ReasonerKind.ROUTINES or predictions is not None:
        raise UsageError(
            "--tasks takes neither --reasoner nor --predictions.", "Leave them out; --json has every task."
        )
    options = TaskOptions(
        folder=folder, selection=tasks, names=tuple(task or ()), log=log, memory=memory, with_profile=with_profile,
        user=(user, user_model), judge=(judge, judge_model), python=python,
    )  # fmt: skip
    found = asyncio.run(run_tasks(options))
    print_json(found) if as_json else print_lines(task_table(found))


def _decisions(folder: Path, log: Log, reasoner: ReasonerKind, predictions: Path | None, *, as_json: bool) -> None:
    cases = load_cases(folder)
    made = asyncio.run(_play(cases, folder, log, reasoner))
    if predictions is not None:
        predictions.write_text("\n".join(one.model_dump_json(exclude_none=True) for one in made) + "\n", "utf-8")
    figures = report(cases, made)
    print_json(figures) if as_json else print_lines(_table(figures))


async def _play(cases: list[KnowuCase], folder: Path, log: Log, kind: ReasonerKind) -> list[KnowuPrediction]:
    pool = default_pool()
    config = ModelsConfig() if kind is ReasonerKind.ROUTINES else load().models
    chosen = config.model_copy(update={"reasoner": kind})
    async with reasoners_of(cases, folder, log, pool, chosen, SystemClock()) as reasoners:
        return await play(cases, reasoners, log, pool)


def _table(figures: KnowuReport) -> str:
    rows = [_row("", ("main", "contested", "all"))]
    blocks = (figures.main, figures.contested, figures.all)
    rows += [_row(name.replace("_", " "), [_show(block, name) for block in blocks]) for name in Rates.model_fields]
    rows.append(_row("stop rate", (_percent(figures.stop.stop_rate), "", "")))
    rows.append(f"wrong: {', '.join(figures.wrong) or 'none'}")
    rows.append("baselines: always silent and always act both have a balanced accuracy of 50.0")
    return "\n".join(rows)


def _row(name: str, cells: tuple[str, ...] | list[str]) -> str:
    return f"{name:32}" + "".join(f"{cell:>12}" for cell in cells)


def _show(block: Rates, name: str) -> str:
    value = getattr(block, name)
    return str(value) if isinstance(value, int) else _percent(value)


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}"
