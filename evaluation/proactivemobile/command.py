"""``heed eval proactivemobile``."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from agent.config import load
from evaluation.proactivemobile.cases import Case, load_cases
from evaluation.proactivemobile.default import DefaultReasoner, PerceptorAlone
from evaluation.proactivemobile.metrics import Figures, Prediction, Report, report
from evaluation.proactivemobile.page import COLUMNS, page, shown
from evaluation.proactivemobile.run import LanguageModelPredictor, Predictor, play
from function_pool.spec import Pool, default_pool, load_pool
from heed.clock import SystemClock
from heed.errors import UsageError
from models.config import ReasonerKind
from models.perceptor import Perceptor

Who = ReasonerKind | Literal["perceptor"]


def proactivemobile(
    file: Annotated[Path, typer.Argument(help="The records, a JSON array.", exists=True, dir_okay=False)],
    pool: Annotated[Path | None, typer.Option(help="The benchmark's function_pool.json; ours by default.")] = None,
    reasoner: Annotated[ReasonerKind, typer.Option(help="Who decides.")] = ReasonerKind.ROUTINES,
    perceptor: Annotated[
        bool, typer.Option("--perceptor", help="Let the perceptor alone decide, which the daemon never does.")
    ] = False,
    without: Annotated[str | None, typer.Option(help="Leave out profile, phone, world or trace.")] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Write one prediction per line here, and go on from what is there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write the report as a page.")] = None,
) -> None:
    """ProactiveMobile's records; `routines` is the embedded default, habits and situations, as in the daemon."""
    cases = _without(load_cases(file), without)
    functions = default_pool() if pool is None else load_pool(pool)
    if perceptor and reasoner is not ReasonerKind.ROUTINES:
        raise UsageError("The perceptor decides without a model.", "Leave out --reasoner or --perceptor.")
    who: Who = "perceptor" if perceptor else reasoner
    made = asyncio.run(_play(cases, file.parent, functions, who, predictions))
    figures = report(cases, made, functions)
    if html is not None:
        html.write_text(page(figures, f"ProactiveMobile: {file.name}, {who}"), "utf-8")
    typer.echo(figures.model_dump_json(indent=1) if as_json else table(figures))


def _without(cases: Sequence[Case], dimension: str | None) -> Sequence[Case]:
    match dimension:
        case None:
            return cases
        case "profile" | "phone" | "world" | "trace":
            return [case.without(dimension) for case in cases]
    raise UsageError(f"{dimension!r} is no dimension.", "Use profile, phone, world or trace.")


async def _play(cases: Sequence[Case], folder: Path, pool: Pool, who: Who, file: Path | None) -> list[Prediction]:
    done = _done(file)
    async with AsyncExitStack() as stack:
        predictor: Predictor
        if who == "perceptor":
            predictor = PerceptorAlone(Perceptor.load())
        elif who is ReasonerKind.ROUTINES:
            predictor = DefaultReasoner(Perceptor.load())
        else:
            config = load().models.model_copy(update={"reasoner": who})
            predictor = LanguageModelPredictor(config, cases, folder, SystemClock())
            stack.push_async_callback(predictor.close)
        progress = stack.enter_context(Progress(console=Console(stderr=True)))
        task = progress.add_task("cases", total=len(cases))

        def made(prediction: Prediction) -> None:
            progress.advance(task)
            if file is not None and prediction.id not in done:
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(prediction.model_dump_json() + "\n")

        return await play(cases, predictor, pool, done, made)


def _done(file: Path | None) -> dict[str, Prediction]:
    """The predictions of an earlier run; a line cut off by its end is made again."""
    if file is None or not file.exists():
        return {}
    lines = file.read_text("utf-8").splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    if len(whole) < len(lines):
        file.write_text("".join(whole), "utf-8")
    try:
        made = [Prediction.model_validate(json.loads(line)) for line in whole]
    except ValueError as error:
        raise UsageError(f"{file} holds no predictions of an earlier run: {error}.", "Name another file.") from error
    return {one.id: one for one in made}


def table(figures: Report) -> str:
    """The figures in rows, the groups below the whole and the baselines."""
    rows = [_line("", list(COLUMNS.values()))]
    rows += [_row(name, one) for name, one in {"all": figures.all, **figures.baselines}.items()]
    for group, members in figures.groups.items():
        rows += ["", *(_row(f"{group} {name}", one) for name, one in members.items())]
    if figures.faults:
        rows.append(f"{figures.faults} cases without an answer count as silence")
    return "\n".join(rows)


def _row(name: str, figures: Figures) -> str:
    return _line(name, [shown(figures, column) for column in COLUMNS])


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:32}" + "".join(f"{cell.removesuffix(' %'):>14}"[:24] for cell in cells)
