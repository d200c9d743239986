"""A language model is asked only where the gate opens, and about a few functions."""

from collections.abc import Sequence

import pytest

from collectors.context import Context, RenderedContext
from function_pool.spec import Pool, default_pool
from heed.language import Language
from models.gate import MOST_FUNCTIONS, Gate, GatedReasoner
from models.perceptor import Perceptor
from models.reader.reading import TextReader
from models.reader.reasoner import TextReasoner
from models.reasoner import Recommendation, silence
from tests.models.routines.moments import context

POOL = default_pool()
NAMES = tuple(spec.name for spec in POOL)
BATTERY = context("2026-05-04T10:00:00", "battery_level", {"level": 15})


class Model:
    """A language model that is silent, and keeps the candidates that it was asked about."""

    name = "model"

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        self.asked.append(tuple(candidates))
        return silence(self.name, "nothing")

    async def close(self) -> None:
        """Nothing to close."""


def said(phone: str) -> RenderedContext:
    return RenderedContext(profile="", phone=phone, world="", trace=("The battery level changed.",))


def gated(*, threshold: float, perceptor: float = 0.5, phone: str = "") -> tuple[GatedReasoner, Model]:
    model = Model()
    reader = TextReasoner(TextReader.load(), threshold)
    gate = Gate(reader, Perceptor.load(threshold=perceptor), lambda context, language: said(phone), Language.EN)
    return GatedReasoner(model, gate), model


def message(text: str) -> Context:
    return context("2026-05-04T10:00:00", "sms_received", {"number": "+491701112233", "contact": "Mum", "text": text})


async def ask(reasoner: GatedReasoner, given: Context, candidates: Sequence[str] = NAMES) -> Recommendation:
    return await reasoner.recommend(given, POOL, candidates, timeout=1.0)


async def test_a_request_is_passed_on_with_the_likeliest_functions() -> None:
    reasoner, model = gated(threshold=1.7)
    await ask(reasoner, message("Can you book us a table for 4 at Luigi's tonight at 7pm please"))
    (asked,) = model.asked
    assert asked[0] == "reserve_restaurant"
    assert len(asked) == MOST_FUNCTIONS


async def test_small_talk_does_not_reach_the_model() -> None:
    reasoner, model = gated(threshold=1.7)
    found = await ask(reasoner, message("haha yes see you later"))
    assert found.silent
    assert found.reasoner == "gate"
    assert model.asked == []


@pytest.mark.parametrize(("threshold", "asked"), [(0.001, 1), (0.999, 0)])
async def test_a_trigger_without_a_text_passes_the_perceptor(threshold: float, asked: int) -> None:
    reasoner, model = gated(threshold=1.7, perceptor=threshold, phone="battery 4 %, not charging")
    await ask(reasoner, BATTERY)
    assert len(model.asked) == asked


async def test_a_function_that_is_no_candidate_is_not_asked_about() -> None:
    reasoner, model = gated(threshold=1.7)
    text = "Can you book us a table for 4 at Luigi's tonight at 7pm please"
    await ask(reasoner, message(text), [name for name in NAMES if name != "reserve_restaurant"])
    assert "reserve_restaurant" not in model.asked[0]
    await ask(reasoner, message(text), ["set_timer"])
    assert len(model.asked) == 1 or model.asked[1] == ("set_timer",)
