"""Decisions on random weights: whatever the weights want to say, what comes out is valid."""

import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from collectors.context import StoredFrame
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.clock import SystemClock
from heed.language import Language
from models.config import ModelsConfig
from models.factory import language_model
from models.llama.tiny import TinyModel
from models.reasoner import NO_RECOMMENDATION, Recommendation
from models.vlm import VlmReasoner
from tests.models.cases import FEW, POOL, llama_config, random_context, render
from tests.proof import examples


@asynccontextmanager
async def reasoning(config: ModelsConfig, language: Language = Language.EN) -> AsyncIterator[VlmReasoner]:
    reasoner = language_model(config, render=render, language=language, clock=SystemClock())
    try:
        yield reasoner
    finally:
        await reasoner.close()


async def decisions(
    reasoner: VlmReasoner, pool: Pool, seeds: Iterable[int], picture: Callable[..., StoredFrame]
) -> AsyncIterator[Recommendation]:
    """Valid recommendations for random contexts, pictures and candidates."""
    for seed in seeds:
        rng = random.Random(seed)
        candidates = (
            rng.sample(list(pool.functions), rng.randrange(1, min(20, len(pool)))) if seed % 2 else list(pool.functions)
        )
        context = random_context(seed, tuple(picture(seed + place) for place in range(seed % 3)))
        recommendation = await reasoner.recommend(context, pool, candidates, timeout=120)
        assert recommendation.silent == (recommendation.rec == NO_RECOMMENDATION)
        for call in recommendation.calls:
            assert call.name in candidates
            assert dict(validate(pool, call).parameters) == dict(call.parameters)
        yield recommendation


async def test_decisions_on_random_weights_are_valid(
    tiny_model: TinyModel, picture: Callable[..., StoredFrame]
) -> None:
    async with reasoning(llama_config(tiny_model)) as reasoner:
        made = [made async for made in decisions(reasoner, FEW, range(examples(50, 1000)), picture)]
    assert sum(not recommendation.silent for recommendation in made) > len(made) / 2
    assert all(recommendation.confidence for recommendation in made if recommendation.calls)


async def test_decisions_with_all_functions_and_the_real_vocabulary_are_valid(
    wide_model: TinyModel, picture: Callable[..., StoredFrame]
) -> None:
    async with reasoning(llama_config(wide_model), Language.ZH) as reasoner:
        made = [made async for made in decisions(reasoner, POOL, range(examples(5, 1000)), picture)]
    assert sum(not recommendation.silent for recommendation in made) > len(made) / 2
