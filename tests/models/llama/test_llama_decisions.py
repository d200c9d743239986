"""Decisions on random weights: whatever the weights want to say, what comes out is valid."""

import json
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import JsonValue

from collectors.context import LogEntry, StoredFrame
from function_pool.call import Basis
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.clock import SystemClock
from heed.errors import UsageError
from heed.language import Language
from heed.trust import Trust
from models.config import ModelsConfig, PromptConfig, ReasonerKind
from models.factory import Past, json_model, language_model, other_pool
from models.grammar import OutputFormat
from models.llama.tiny import TinyModel
from models.prompt import PromptImage
from models.reasoner import NO_RECOMMENDATION, Recommendation
from models.vlm import VlmReasoner
from tests.function_pool.official_style import official_style_pool
from tests.models.cases import FEW, NOW, POOL, SHORT, llama_config, random_context, render
from tests.proof import examples


@asynccontextmanager
async def reasoning(
    config: ModelsConfig, language: Language = Language.EN, past: Past | None = None
) -> AsyncIterator[VlmReasoner]:
    reasoner = language_model(config, render=render, language=language, clock=SystemClock(), past=past)
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


async def test_answers_of_random_weights_to_a_question_about_a_picture_fit_its_schema(
    tiny_model: TinyModel, picture: Callable[..., StoredFrame]
) -> None:
    frame = picture(1)
    schema: dict[str, JsonValue] = {
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "why": {"type": "string", "maxLength": 20},
                    "do": {"const": "tap"},
                    "view": {"enum": [1, 2]},
                },
                "required": ["why", "do", "view"],
                "additionalProperties": False,
            }
        ]
    }
    model = json_model(llama_config(tiny_model), ReasonerKind.LLAMA, SystemClock())
    shown = PromptImage(path=frame.path, sha256=frame.sha256)
    try:
        for number in range(examples(5, 100)):
            answer = await model.data("Operate.", f"[{number}]", schema, timeout=120, picture=shown)
            assert (answer["do"], answer["view"] in (1, 2)) == ("tap", True)
    finally:
        await model.close()


@pytest.mark.parametrize("output", [OutputFormat.FUNC, OutputFormat.THINK_FUNC, OutputFormat.THINK_REC_FUNC])
async def test_every_format_is_held_to(
    output: OutputFormat, tiny_model: TinyModel, picture: Callable[..., StoredFrame]
) -> None:
    limits = SHORT.model_copy(update={"thoughts": 20})
    async with reasoning(llama_config(tiny_model, output=output, limits=limits)) as reasoner:
        made = [made async for made in decisions(reasoner, FEW, range(3), picture)]
    assert all(recommendation.prompt_version == f"heed-2/en/{output}" for recommendation in made)
    assert all(bool(one.why.text) <= output.thinks for one in made if one.calls)


async def test_an_owners_template_with_another_pool_leads_to_our_calls(
    tiny_model: TinyModel, tmp_path: Path, picture: Callable[..., StoredFrame]
) -> None:
    """The official pool has other names: its calls are translated, and nothing else can be called."""
    template, pool, table = (tmp_path / name for name in ("mine.yaml", "pool.json", "map.yaml"))
    template.write_text("base: benchmark-1\ntexts: {en: {system: 'Decide. {format} {pool}'}}", "utf-8")
    raw = dict(list(official_style_pool().items())[:2])
    raw["省电模式"] = {**raw["function_0_0"], "name": "省电模式"}
    pool.write_text(json.dumps(raw, ensure_ascii=False), "utf-8")
    table.write_text(
        "source: test\nfunctions: {省电模式: {function: set_power_saving_mode, always: {enabled: true}}}", "utf-8"
    )
    prompt = PromptConfig(template=str(template), pool=pool, pool_map=table, limits=SHORT, format=OutputFormat.FUNC)
    config = llama_config(tiny_model).model_copy(update={"prompt": prompt})
    async with reasoning(config) as reasoner:
        made = await reasoner.recommend(random_context(1), POOL, list(POOL.functions), timeout=120)
    assert made.prompt_version is not None
    assert made.prompt_version.startswith("mine#")
    assert {call.name for call in made.calls} <= {"set_power_saving_mode"}
    assert all(call.parameters == {"enabled": True} for call in made.calls)


async def test_the_past_is_part_of_the_prompt(tiny_model: TinyModel) -> None:
    entry = LogEntry(time=NOW - timedelta(days=2), location="home", action="opened app 3 at home", package="com.a")
    config = llama_config(tiny_model)
    read = []
    for past in (None, Past(tuple, lambda: (entry,))):
        async with reasoning(config, past=past) as reasoner:
            made = await reasoner.recommend(random_context(3), FEW, list(FEW.functions), timeout=120)
        read.append(made.cost.tokens_evaluated + made.cost.tokens_reused)
        assert all(
            (Basis(fact="log.nearest", trust=Trust.THIRD_PARTY) in call.choice) == (past is not None)
            for call in made.calls
        )
    assert read[0] < read[1]


def test_a_pool_without_a_counterpart_is_refused_with_what_to_do(tmp_path: Path) -> None:
    pool = tmp_path / "pool.json"
    raw = {name: spec for name, spec in official_style_pool().items() if name != "book_transport"}
    pool.write_text(json.dumps(raw), "utf-8")
    with pytest.raises(UsageError, match="heed functions --map"):
        other_pool(PromptConfig(pool=pool))
