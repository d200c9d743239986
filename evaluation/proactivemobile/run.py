"""Play the records through a reasoner: resumable, one prediction per line."""

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Protocol

from PIL import Image

from collectors.context import Context, Fact, RenderedContext, Section, StoredFrame
from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.metrics import ProactivePrediction
from function_pool.spec import Pool
from heed.clock import Clock
from heed.errors import HeedError, ModelError, PromptTooLongError, UsageError
from heed.language import Language
from heed.trust import Trust
from models.config import ModelsConfig
from models.factory import language_model
from models.reasoner import Reasoner

TIMEOUT = 600.0
"""Seconds for one case."""
_FRAMES = 10
UNKNOWN_TIME = datetime(2026, 1, 1, tzinfo=UTC)
"""Of a record that does not say its date in a known way."""


Look = Callable[[ProactiveCase, ProactivePrediction, Pool], Awaitable[ProactivePrediction]]
"""Gives a prediction a verdict."""


class Predictor(Protocol):
    """Decides on a record."""

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction: ...


async def play(
    cases: Sequence[ProactiveCase],
    predictor: Predictor,
    pool: Pool,
    done: Mapping[str, ProactivePrediction],
    made: Callable[[ProactivePrediction], None],
    *,
    look: Look | None = None,
    parallel: int = 1,
) -> list[ProactivePrediction]:
    """A prediction per case, in order; those in ``done`` are not made again. ``made`` is told of each as it comes.

    ``look`` is a judge's; it also looks at predictions of an earlier run that have no verdict. ``parallel`` cases are
    decided at a time: worth it where a server decides.
    """
    slots = asyncio.Semaphore(parallel)

    async def one(case: ProactiveCase) -> ProactivePrediction:
        async with slots:
            prediction = done.get(case.id) or await predictor.predict(case, pool)
            if look is not None and prediction.judged is None:
                prediction = await look(case, prediction, pool)
            made(prediction)
            return prediction

    try:
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(one(case)) for case in cases]
    except* HeedError as faults:
        raise faults.exceptions[0] from faults
    return [task.result() for task in asked]


class LanguageModelPredictor:
    """A language model on records: it reads a record's words and pictures as they are."""

    def __init__(self, config: ModelsConfig, cases: Sequence[ProactiveCase], folder: Path, clock: Clock) -> None:
        self._cases = {case.id: case for case in cases}
        self._folder = folder
        chinese = sum(case.language == Language.ZH for case in cases) * 2 > len(cases)
        language = Language.ZH if chinese else Language.EN
        self._reasoner: Reasoner = language_model(config, render=self._said, language=language, clock=clock)

    def _said(self, context: Context, language: Language) -> RenderedContext:
        return self._cases[context.serial].said

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction:
        """The model's proposal; a model that fails on a case is told in its ``fault``."""
        self._cases[case.id] = case
        names = [spec.name for spec in pool]
        start = time.perf_counter()
        try:
            said = await self._reasoner.recommend(context_of(case, self._folder), pool, names, timeout=TIMEOUT)
        except PromptTooLongError as error:
            return ProactivePrediction(id=case.id, fault=str(error), too_long=True)
        except ModelError as error:
            return ProactivePrediction(id=case.id, fault=str(error))
        spent = 1000 * (time.perf_counter() - start)
        return ProactivePrediction(id=case.id, rec=said.rec, calls=said.calls, milliseconds=spent)

    async def close(self) -> None:
        await self._reasoner.close()


def context_of(case: ProactiveCase, folder: Path) -> Context:
    """A context that carries a record: its words as they are, its clock, its last pictures."""
    now = case.now or UNKNOWN_TIME
    words = case.said.model_dump()

    def section(name: str) -> Section:
        text = "\n".join(words[name]) if name == "trace" else words[name]
        fact = Fact(name=f"record.{name}", value=text, source="record", read_at=now, trust=Trust.THIRD_PARTY)
        return Section(facts=(fact,) if text else ())

    return Context(
        serial=case.id,
        now=now,
        profile=section("profile"),
        device=section("phone"),
        world=section("world"),
        trajectory=section("trace"),
        frames=tuple(_frame(folder / picture, now) for picture in case.pictures[-_FRAMES:]),
    )


def _frame(path: Path, now: datetime) -> StoredFrame:
    try:
        raw = path.read_bytes()
        with Image.open(BytesIO(raw)) as image:
            width, height = image.size
    except OSError as error:
        raise UsageError(f"A case's picture cannot be read: {path}: {error}.") from error
    return StoredFrame(sha256=hashlib.sha256(raw).hexdigest(), path=str(path), width=width, height=height, taken_at=now)
