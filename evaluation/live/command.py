"""``heed eval live``."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from agent.config import load
from evaluation.live.cluster import play_on_cluster
from evaluation.live.configurations import BASELINES, CONFIGURATIONS, Configuration
from evaluation.live.days import LiveDay, load_answers, load_days
from evaluation.live.metrics import LiveReport, report
from evaluation.live.play import DayRequest, PlayedDay
from evaluation.live.processes import play_in_processes
from evaluation.live.score import ScoredDay, score
from evaluation.live.table import misses, tables
from heed.errors import UsageError
from heed.printing import errors, json_text, print_json, print_lines
from models.config import ModelsConfig, ReasonerKind

PlayAll = Callable[[Sequence[DayRequest]], Iterator[PlayedDay]]
"""Plays days and yields each when it is finished."""


def live(
    folder: Annotated[
        Path, typer.Argument(help="The folder with DAY.yaml, DAY.jsonl and answers.json.", exists=True, file_okay=False)
    ],
    day: Annotated[list[str] | None, typer.Option("--day", help="Play this day only; repeatable.")] = None,
    reasoner: Annotated[
        str, typer.Option(help=f"What decides: {', '.join(CONFIGURATIONS)}.")
    ] = ReasonerKind.ROUTINES.value,
    baselines: Annotated[
        bool, typer.Option("--baselines/--no-baselines", help=f"Play {' and '.join(BASELINES)} too.")
    ] = True,
    jobs: Annotated[int, typer.Option(min=1, help="Days at a time.")] = os.cpu_count() or 1,
    ray: Annotated[
        str, typer.Option("--ray", help="Play on the Ray cluster at this address; needs heed-android[cluster].")
    ] = "",
    seconds: Annotated[float, typer.Option("--timeout", min=1, help="Seconds for one day.")] = 900,
    list_misses: Annotated[
        bool, typer.Option("--misses", help="List misses, wrong arguments and false suggestions with their input.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write figures and every scored need as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Days of people, played from phone to executors in compressed time and compared with their answers."""
    if reasoner not in CONFIGURATIONS:
        raise UsageError(f"{reasoner!r} is no reasoner.", f"Use {', '.join(CONFIGURATIONS)}.")
    loaded = list(load_days(folder, load_answers(folder, day or ())))
    days = [one for one in loaded if isinstance(one, LiveDay)]
    unreadable = dict(one for one in loaded if not isinstance(one, LiveDay))
    names = [reasoner, *(name for name in BASELINES if baselines and name != reasoner)]
    play_all = partial(play_on_cluster, address=ray) if ray else partial(play_in_processes, jobs=jobs)
    played = _played(days, {name: CONFIGURATIONS[name] for name in names}, seconds, play_all)
    chosen = played.pop(reasoner)
    figures = report(reasoner, chosen, played, unreadable)
    if out is not None:
        out.write_text(json_text(_everything(figures, chosen)) + "\n", "utf-8")
    if as_json:
        print_json(figures)
        return
    if list_misses:
        print_lines("\n".join((*misses(chosen), "")))
    print_lines(tables(figures))


def _played(
    days: Sequence[LiveDay], configurations: Mapping[str, Configuration], seconds: float, play_all: PlayAll
) -> dict[str, list[ScoredDay]]:
    """The scored days of each configuration, in the order of ``days``."""
    with Progress(console=errors, transient=True) as progress:
        return {
            name: _scored(
                days,
                configuration,
                seconds,
                play_all,
                partial(progress.advance, progress.add_task(name, total=len(days))),
            )
            for name, configuration in configurations.items()
        }


def _scored(
    days: Sequence[LiveDay],
    configuration: Configuration,
    seconds: float,
    play_all: PlayAll,
    advance: Callable[[], None],
) -> list[ScoredDay]:
    models = ModelsConfig() if configuration.reasoner is ReasonerKind.ROUTINES else load().models
    requests = [DayRequest(day=day, configuration=configuration, models=models, seconds=seconds) for day in days]
    by_name = {day.name: day for day in days}
    scored = {}
    for played in play_all(requests):
        scored[played.name] = score(by_name[played.name], played)
        advance()
    return [scored[day.name] for day in days]


def _everything(figures: LiveReport, days: Sequence[ScoredDay]) -> dict[str, object]:
    return {
        "report": figures,
        "needs": [need for day in days for need in day.needs],
        "false": [offer for day in days for offer in day.false],
        "tolerated": [offer for day in days for offer in day.tolerated],
    }
