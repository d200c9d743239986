"""``heed eval proactivemobile``."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, NamedTuple, get_args

import typer
from rich.progress import Progress

from agent.config import load
from evaluation.proactivemobile.cases import Dimension, ProactiveCase, load_cases
from evaluation.proactivemobile.default import DefaultReasoner
from evaluation.proactivemobile.judge import Judge
from evaluation.proactivemobile.metrics import Figures, ProactivePrediction, ProactiveReport, report
from evaluation.proactivemobile.page import COLUMNS, faults, page, shown
from evaluation.proactivemobile.pictures import WithWords
from evaluation.proactivemobile.run import LanguageModelPredictor, Look, Predictor, play
from evaluation.proactivemobile.translation import translated, untranslated
from function_pool.pool_map import load_pool_map
from function_pool.spec import Pool, default_pool, load_pool
from heed.clock import SystemClock
from heed.errors import UsageError
from heed.printing import errors, print_json, print_lines
from models.config import ModelsConfig, OpenAIConfig, ReasonerKind
from models.openai.server import ModelServer
from models.perceptor import Perceptor
from models.perceptor.ocr import PictureReader
from models.reader.context_reader import ContextReader

EACH = "each"
"""Stands for every dimension in turn."""


class _Who(NamedTuple):
    """Who decides, and how."""

    models: ModelsConfig
    folder: Path
    """Where the records' pictures lie."""
    ocr: bool
    judge: OpenAIConfig | None
    parallel: int


def proactivemobile(
    file: Annotated[Path, typer.Argument(help="The records, a JSON array.", exists=True, dir_okay=False)],
    pool: Annotated[Path | None, typer.Option(help="The benchmark's function_pool.json; ours by default.")] = None,
    pool_map: Annotated[
        Path | None,
        typer.Option(help="Table of that pool's functions in heed's names: records and proposals are judged in ours."),
    ] = None,
    reasoner: Annotated[ReasonerKind, typer.Option(help="Who decides.")] = ReasonerKind.ROUTINES,
    without: Annotated[
        str | None, typer.Option(help="Leave out profile, phone, world or trace; `each` measures all four beside.")
    ] = None,
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read the pictures in the traces, for reasoners that see none.")
    ] = False,
    judge: Annotated[
        str, typer.Option(help="Address of an OpenAI-compatible server that judges, as the paper's.")
    ] = "",
    judge_model: Annotated[str, typer.Option(help="Name of the judge's model on that server.")] = "",
    parallel: Annotated[int, typer.Option(min=1, help="How many records at a time; for servers.")] = 1,
    predictions: Annotated[
        Path | None, typer.Option(help="Write one prediction per line here, and go on from what is there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write the report as a page.")] = None,
) -> None:
    """ProactiveMobile's records; `routines` is the embedded default: situations, and the perceptor's reading."""
    models = (
        _models(load().models, pool, pool_map) if judge or reasoner is not ReasonerKind.ROUTINES else ModelsConfig()
    )
    judging = models.openai.model_copy(update={"base_url": judge, "model": judge_model}) if judge else None
    models = models.model_copy(update={"reasoner": reasoner})
    who = _Who(models, file.parent, ocr, judging, parallel)
    cases, functions, unknown = _in_one_pool(load_cases(file), pool, pool_map)
    figures = _measured(cases, functions, who, without, predictions).model_copy(update={"untranslated": unknown})
    if html is not None:
        html.write_text(page(figures, f"ProactiveMobile: {file.name}, {reasoner}"), "utf-8")
    print_json(figures) if as_json else print_lines(table(figures))


def _models(models: ModelsConfig, pool: Path | None, pool_map: Path | None) -> ModelsConfig:
    """The configured models; with a pool on the command line, prompts have that one instead of the configured one."""
    if pool is None and pool_map is None:
        return models
    prompt = {"pool": pool if pool_map else None, "pool_map": pool_map}
    return models.model_copy(update={"prompt": models.prompt.model_copy(update=prompt)})


def _in_one_pool(
    cases: Sequence[ProactiveCase], pool: Path | None, pool_map: Path | None
) -> tuple[Sequence[ProactiveCase], Pool, int]:
    """The records, the pool in whose names they are judged, and how many have answers that it cannot express."""
    if pool_map is None:
        return cases, default_pool() if pool is None else load_pool(pool), 0
    if pool is None:
        raise UsageError("--pool-map translates the functions of another pool.", "Name its file with --pool.")
    ours = default_pool()
    known = translated(cases, load_pool_map(pool_map, ours), ours)
    return known, ours, untranslated(known, ours)


def _measured(
    cases: Sequence[ProactiveCase], pool: Pool, who: _Who, without: str | None, file: Path | None
) -> ProactiveReport:
    """The figures; of all dimensions but one, or of all beside each left out."""
    if without != EACH:
        left_out = _dimension(without) if without else None
        kept = [case.without(left_out) for case in cases] if left_out else cases
        return report(kept, asyncio.run(_play(kept, pool, who, file)), pool)
    whole = report(cases, asyncio.run(_play(cases, pool, who, file)), pool)
    ablation = {}
    for dimension in get_args(Dimension):
        beside = file.with_suffix(f".without-{dimension}{file.suffix}") if file else None
        ablation[f"without {dimension}"] = _measured(cases, pool, who, dimension, beside).all
    return whole.model_copy(update={"ablation": ablation})


def _dimension(name: str) -> Dimension:
    match name:
        case "profile" | "phone" | "world" | "trace":
            return name
    raise UsageError(f"{name!r} is no dimension.", f"Use profile, phone, world, trace or {EACH}.")


async def _play(cases: Sequence[ProactiveCase], pool: Pool, who: _Who, file: Path | None) -> list[ProactivePrediction]:
    done = _done(file)
    async with AsyncExitStack() as stack:
        predictor = _predictor(cases, who, stack)
        progress = stack.enter_context(Progress(console=errors))
        task = progress.add_task("cases", total=len(cases))

        def made(prediction: ProactivePrediction) -> None:
            progress.advance(task)
            if file is not None and prediction != done.get(prediction.id):
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(prediction.model_dump_json() + "\n")

        return await play(cases, predictor, pool, done, made, look=_look(who, stack), parallel=who.parallel)


def _predictor(cases: Sequence[ProactiveCase], who: _Who, stack: AsyncExitStack) -> Predictor:
    """Who decides, told what stands in pictures where that is wanted."""
    predictor: Predictor
    if who.models.reasoner is ReasonerKind.ROUTINES:
        predictor = DefaultReasoner(Perceptor.load(), ContextReader.load())
    else:
        predictor = LanguageModelPredictor(who.models, cases, who.folder, SystemClock())
        stack.push_async_callback(predictor.close)
    if who.ocr:
        predictor = WithWords(predictor, PictureReader(), who.folder)
    return predictor


def _look(who: _Who, stack: AsyncExitStack) -> Look | None:
    if who.judge is None:
        return None
    server = ModelServer(who.judge)
    stack.push_async_callback(server.close)
    return Judge(server).look


def _done(file: Path | None) -> dict[str, ProactivePrediction]:
    """The predictions of an earlier run, the latest of each record; a line cut off by its end is made again."""
    if file is None or not file.exists():
        return {}
    lines = file.read_text("utf-8").splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    if len(whole) < len(lines):
        file.write_text("".join(whole), "utf-8")
    try:
        made = [ProactivePrediction.model_validate(json.loads(line)) for line in whole]
    except ValueError as error:
        raise UsageError(f"{file} holds no predictions of an earlier run: {error}.", "Name another file.") from error
    return {one.id: one for one in made if not one.too_long}  # the context may be larger now


def table(figures: ProactiveReport) -> str:
    """The figures in rows, the groups below the whole and the baselines."""
    rows = [_line("", list(COLUMNS.values()))]
    rows += [_row(name, one) for name, one in {"all": figures.all, **figures.ablation, **figures.baselines}.items()]
    for group, members in figures.groups.items():
        rows += ["", *(_row(f"{group} {name}", one) for name, one in members.items())]
    rows += faults(figures)
    return "\n".join(rows)


def _row(name: str, figures: Figures) -> str:
    return _line(name, [shown(figures, column) for column in COLUMNS])


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:28}" + "".join(f"{cell.removesuffix(' %'):>13}" for cell in cells)
