"""Plays one day as ``heed demo --script`` does."""

import asyncio
import logging
import tempfile
import time
from contextlib import aclosing
from pathlib import Path

from agent.demo import play_day
from agent.loop.progress import ContextRead, DecisionMade, ProgressEvent
from evaluation.live.configurations import Configuration
from evaluation.live.days import LiveDay
from evaluation.live.decisions import PlayedDecision, decisions_in
from heed.language import Language
from heed.model import Frozen
from models.config import ModelsConfig
from virtual_phone.scenario import Scenario

log = logging.getLogger(__name__)
_POLICY = "policy"
"""Name in a recommendation that the policy made before any reasoner was asked."""


class DayRequest(Frozen):
    """One day to play."""

    day: LiveDay
    configuration: Configuration
    models: ModelsConfig
    seconds: float
    """Time limit."""


class PlayedDay(Frozen):
    """The decisions of one day."""

    name: str
    decisions: tuple[PlayedDecision, ...] = ()
    milliseconds: tuple[float, ...] = ()
    """Of each decision on which a reasoner was asked: from the context to the recorded decision."""
    fault: str = ""
    """Why the day was not played to its end."""


class _Stopwatch:
    """Times decisions by the loop's progress."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self._since: float | None = None

    def listen(self, event: ProgressEvent) -> None:
        """Start at a context, stop at the decision on it."""
        match event:
            case ContextRead():
                self._since = time.perf_counter()
            case DecisionMade() if self._since is not None:
                if event.recommendation.reasoner != _POLICY:
                    self.milliseconds.append(1000 * (time.perf_counter() - self._since))
                self._since = None


def play(request: DayRequest) -> PlayedDay:
    """Play a day in a folder of its own; a fault is told in the result, beside what was decided until then."""
    name, stopwatch = request.day.name, _Stopwatch()
    with tempfile.TemporaryDirectory(prefix="heed-live-") as folder:
        home = Path(folder)
        fault = ""
        try:
            asyncio.run(_play(request, home, stopwatch))
        except Exception as error:
            log.exception("the day %s was not played to its end", name)
            fault = f"{type(error).__name__}: {error}"
        journal = home / "journal.sqlite3"
        decisions = decisions_in(journal) if journal.exists() else ()
    return PlayedDay(name=name, decisions=decisions, milliseconds=tuple(stopwatch.milliseconds), fault=fault)


async def _play(request: DayRequest, home: Path, stopwatch: _Stopwatch) -> None:
    scenario = request.configuration.scenario(_with_log(request.day, home))
    language, models = Language(scenario.language), request.configuration.models(request.models)
    day = play_day(home, scenario=scenario, language=language, models=models, listen=stopwatch.listen)
    try:
        async with asyncio.timeout(request.seconds) as limit, aclosing(day):
            async for _ in day:
                pass
    except TimeoutError as error:
        if limit.expired():
            raise TimeoutError(f"not finished after {request.seconds:g} s") from error
        raise


def _with_log(day: LiveDay, home: Path) -> Scenario:
    """The scenario with its behaviour log in ``home``."""
    if not day.log:
        return day.scenario
    file = home / "behaviour.jsonl"
    file.write_text(day.log, "utf-8")
    persona = day.scenario.persona.model_copy(update={"behaviour": str(file)})
    return day.scenario.model_copy(update={"persona": persona})
