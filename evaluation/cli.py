"""``heed eval``: measure the reasoners on recorded cases."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from evaluation.knowu.cases import load_cases
from evaluation.knowu.metrics import Rates, Report, report
from evaluation.knowu.run import Log, play, routines_of
from evaluation.proactivemobile.command import proactivemobile
from function_pool.spec import default_pool

_FOLDER = typer.Argument(help="The folder with cases.json, reject_cases.json and logs/.", exists=True, file_okay=False)
_LOG = typer.Option("--log", help="Which behaviour log to mine: clean or noise.")
_PREDICTIONS = typer.Option("--predictions", help="Write one prediction per line to this file.")
_JSON = typer.Option("--json", help="Print the figures as JSON.")


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = typer.Typer(name="eval", help="Measure the reasoners on recorded cases.", no_args_is_help=True)
    group.callback()(lambda: None)
    group.command("knowu")(knowu)
    group.command("proactivemobile")(proactivemobile)
    app.add_typer(group)


def knowu(
    folder: Annotated[Path, _FOLDER],
    log: Annotated[Log, _LOG] = "clean",
    predictions: Annotated[Path | None, _PREDICTIONS] = None,
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """KnowU's proactive decisions with the routines reasoner: situations off, profile not read."""
    cases, pool = load_cases(folder), default_pool()
    made = asyncio.run(play(cases, routines_of(cases, folder, log, pool), pool))
    if predictions is not None:
        predictions.write_text("\n".join(one.model_dump_json(exclude_none=True) for one in made) + "\n", "utf-8")
    figures = report(cases, made)
    typer.echo(figures.model_dump_json(indent=1) if as_json else _table(figures))


def _table(figures: Report) -> str:
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
