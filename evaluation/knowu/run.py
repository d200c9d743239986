"""Runs the cases: each decides from its own log, and may have its recommendation rejected."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from collectors.context import Context, Fact, LogEntry, Section
from collectors.wording import render
from evaluation.knowu.cases import KnowuCase, load_log
from evaluation.knowu.metrics import KnowuPrediction, PredictedCall
from function_pool.spec import Pool
from heed.clock import Clock
from heed.errors import ModelError
from heed.language import Language
from heed.trust import Trust
from models.config import ModelsConfig, ReasonerKind
from models.factory import language_model
from models.reasoner import Reasoner, Recommendation
from models.routines.mining.miner import mine
from models.routines.reasoner import RoutinesReasoner

Log = Literal["clean", "noise"]
log = logging.getLogger(__name__)

COOL_DOWN = timedelta(hours=20)
"""A rejected topic may come up again on the next matching day."""
QUIET = timedelta(hours=1)
"""After a rejection the same kind of trigger is answered by nothing at all for so long."""
_TIMEOUT = 600.0
_SHOWN = 20
"""So many lines of the log are shown to a language model, which mines no habits."""


class RejectionMemory:
    """The rejections of one case, and the recommendations that they suppress."""

    def __init__(self) -> None:
        self._rejected: list[tuple[datetime, str, str]] = []

    def reject(self, context: Context, recommendation: Recommendation) -> None:
        """Remember that the owner said no."""
        self._rejected.append((context.now, recommendation.topic, context.trigger.kind))

    def forbids(self, context: Context, recommendation: Recommendation) -> bool:
        """Whether an earlier rejection suppresses this recommendation."""
        return any(
            (topic == recommendation.topic and context.now - when < COOL_DOWN)
            or (kind == context.trigger.kind and context.now - when < QUIET)
            for when, topic, kind in self._rejected
        )


def routines_of(cases: Sequence[KnowuCase], folder: Path, log: Log, pool: Pool) -> dict[str, Reasoner]:
    """Per log file, the routines reasoner with its habits; situations off, profile not read."""
    return {name: RoutinesReasoner(mine(load_log(folder / name), pool)) for name in _logs(cases, log)}


@asynccontextmanager
async def reasoners_of(
    cases: Sequence[KnowuCase], folder: Path, kind: Log, pool: Pool, config: ModelsConfig, clock: Clock
) -> AsyncIterator[Mapping[str, Reasoner]]:
    """Per log file, who decides, closed at the end: its habits, or a language model that sees the log's end."""
    if config.reasoner is ReasonerKind.ROUTINES:
        yield routines_of(cases, folder, kind, pool)
        return
    model = language_model(config, render=render, language=Language.EN, clock=clock)
    try:
        yield {name: _WithLog(model, load_log(folder / name)) for name in _logs(cases, kind)}
    finally:
        await model.close()


def _logs(cases: Sequence[KnowuCase], kind: Log) -> tuple[str, ...]:
    """The log files that the cases name, each once; two cases of one role may name different ones."""
    return tuple(dict.fromkeys(case.logs[kind] for case in cases))


class _WithLog:
    """A language model that is shown the latest lines of a log before the moment."""

    def __init__(self, model: Reasoner, log: Sequence[LogEntry]) -> None:
        self._model, self._log = model, sorted(log, key=lambda entry: entry.time)

    @property
    def name(self) -> str:
        return self._model.name

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """What the model recommends at a moment whose trace is the end of the log."""
        shown = context.model_copy(update={"trajectory": self._trace(context.now)})
        return await self._model.recommend(shown, pool, candidates, timeout=timeout)

    def _trace(self, now: datetime) -> Section:
        lines = [entry for entry in self._log if entry.time < now][-_SHOWN:]
        told = [{"time": line.time.isoformat(), "location": line.location, "action": line.action} for line in lines]
        fact = {"name": "log.recent", "value": told, "source": "log", "read_at": now, "trust": Trust.DEVICE}
        return Section(facts=(Fact.model_validate(fact),) if told else ())

    async def close(self) -> None:
        """The model is closed by who opened it."""


async def play(
    cases: Sequence[KnowuCase], reasoners: Mapping[str, Reasoner], kind: Log, pool: Pool
) -> list[KnowuPrediction]:
    """A prediction per case, by the reasoner of the log that the case names."""
    return [await _play(case, reasoners[case.logs[kind]], pool) for case in cases]


async def _play(case: KnowuCase, reasoner: Reasoner, pool: Pool) -> KnowuPrediction:
    rejections = RejectionMemory()
    context = case.context()
    first = await _propose(context, reasoner, pool, rejections)
    if first is None:
        return KnowuPrediction(id=case.id, decision="silent")
    after: dict[str, int] = {}
    if case.if_rejected:
        rejections.reject(context, first)
        for step in case.if_rejected[1:]:
            after[step.step] = int(await _propose(case.context(step), reasoner, pool, rejections) is not None)
    return KnowuPrediction(
        id=case.id,
        decision="ask",
        functions=tuple(PredictedCall(name=call.name, parameters=call.parameters) for call in first.calls),
        after_reject_actions=after.get("recur_soon"),
        next_day_proposals=after.get("recur_next_match"),
    )


async def _propose(
    context: Context, reasoner: Reasoner, pool: Pool, rejections: RejectionMemory
) -> Recommendation | None:
    """What is proposed to the owner, if anything."""
    candidates = [spec.name for spec in pool]
    try:
        recommendation = await reasoner.recommend(context, pool, candidates, timeout=_TIMEOUT)
    except ModelError as error:
        log.warning("a case without an answer counts as silence: %s", error)
        return None
    silent = recommendation.silent or rejections.forbids(context, recommendation)
    return None if silent else recommendation
