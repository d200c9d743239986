"""The command group ``heed eval``: evaluation on recorded cases."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from agent.config import load
from evaluation.knowu.cases import KnowuCase, load_cases
from evaluation.knowu.metrics import KnowuPrediction, KnowuReport, Rates, report
from evaluation.knowu.run import Log, play, reasoners_of
from evaluation.live.command import live
from evaluation.proactivemobile.command import proactivemobile
from function_pool.spec import default_pool
from heed.clock import SystemClock
from heed.printing import print_json, print_lines
from models.config import ModelsConfig, ReasonerKind

_FOLDER = typer.Argument(help="The folder with cases.json, reject_cases.json and logs/.", exists=True, file_okay=False)
_LOG = typer.Option("--log", help="Which behaviour log to mine: clean or noise.")
_REASONER = typer.Option(help="Who decides.")
_PREDICTIONS = typer.Option("--predictions", help="Write one prediction per line to this file.")
_JSON = typer.Option("--json", help="Print the figures as JSON.")


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = typer.Typer(name="eval", help="Measure the reasoners on recorded cases.", no_args_is_help=True)
    group.callback()(lambda: None)
    group.command("knowu")(knowu)
    group.command("proactivemobile")(proactivemobile)
    group.command("live")(live)
    app.add_typer(group)


def knowu(
    folder: Annotated[Path, _FOLDER],
    log: Annotated[Log, _LOG] = "clean",
    reasoner: Annotated[ReasonerKind, _REASONER] = ReasonerKind.ROUTINES,
    predictions: Annotated[Path | None, _PREDICTIONS] = None,
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """KnowU's proactive decisions: situations off, profile not read."""
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
