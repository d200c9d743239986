"""The reasoner of every language model: from a model's text to a recommendation."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from collectors.context import Context, LogEntry, Section
from function_pool.pool_map import PoolMap
from function_pool.spec import parse_pool
from heed.errors import ModelError
from heed.language import Language
from heed.trust import Trust
from models.engine import Completion, DecisionRequest
from models.grammar import Limits, OutputFormat
from models.output import InvalidAnswer
from models.prompt import PromptBuilder, PromptText
from models.prompt.history import HistoryReader
from models.prompt.template import load
from models.reasoner import NO_RECOMMENDATION, DecisionCost, Recommendation
from models.vlm import OtherPool, VlmReasoner
from tests.models.cases import NOW, POOL, fact, render

SILENT = '<rec>No Recommendation</rec><function>{"model_recommendation":[]}</function>'
SAVE = (
    '<rec>Save Bob\'s new number?</rec><function>{"model_recommendation":[{"name":"save_contact","parameters":'
    '{"name":"Bob","phone_number":"+1 555 0100"}}]}</function>'
)
CONTEXT = Context(
    serial="test",
    now=NOW,
    device=Section(
        facts=(fact("sms.unread", [{"number": "+1 555 0100", "text": "Hi, this is Bob"}], Trust.THIRD_PARTY),)
    ),
)


class Said:
    """An engine that says one thing, and keeps what it was asked."""

    name = "said"

    def __init__(self, text: str, *, finished: bool = True) -> None:
        self._completion = Completion(
            text=text, finished=finished, confidence=0.8, cost=DecisionCost(tokens_evaluated=5, tokens_reused=7)
        )
        self.requests: list[DecisionRequest] = []
        self.prepared: list[str] = []

    async def prepare(self, system: str, *, timeout: float) -> None:
        self.prepared.append(system)

    async def complete(self, request: DecisionRequest, *, timeout: float) -> Completion:
        self.requests.append(request)
        return self._completion

    async def close(self) -> None:
        """Nothing to close."""


def reasoner(
    engine: Said,
    output: OutputFormat = OutputFormat.REC_FUNC,
    *,
    other: OtherPool | None = None,
    history: HistoryReader | None = None,
) -> VlmReasoner:
    builder = PromptBuilder(load("heed-2"), Language.EN, output, Limits())
    return VlmReasoner(engine, builder, render, output=output, other=other, history=history)


async def recommend(
    text: str, candidates: Sequence[str] = ("save_contact",), *, output: OutputFormat = OutputFormat.REC_FUNC
) -> Recommendation:
    return await reasoner(Said(text), output).recommend(CONTEXT, POOL, candidates, timeout=1)


async def test_a_recommendation_knows_what_it_rests_on() -> None:
    made = await recommend(SAVE)
    (call,) = made.calls
    assert call.parameters == {"name": "Bob", "phone_number": "+15550100"}
    assert call.trust_of("phone_number") is Trust.THIRD_PARTY
    assert [evidence.ref for evidence in made.why.evidence] == ["sms.unread"]
    assert (made.rec, made.confidence, made.topic) == ("Save Bob's new number?", 0.8, "save_contact")
    assert (made.reasoner, made.prompt_version) == ("said", "heed-2/en/rec+func")
    assert made.cost.tokens_reused == 7


async def test_silence_is_silence() -> None:
    made = await recommend(SILENT)
    assert made.silent
    assert made.rec == NO_RECOMMENDATION


async def test_an_answer_that_did_not_end_is_silence() -> None:
    made = await reasoner(Said("<rec>Sa", finished=False)).recommend(CONTEXT, POOL, ["save_contact"], timeout=1)
    assert made.silent
    assert "did not end" in made.why.text


async def test_a_call_that_contradicts_itself_is_silence() -> None:
    window = '{"start_time":"2026-11-21T10:00:00","end_time":"2026-11-21T09:00:00"}'
    call = f'{{"name":"query_calendar_events","parameters":{window}}}'
    text = f'<rec>x</rec><function>{{"model_recommendation":[{call}]}}</function>'
    made = await recommend(text, ["query_calendar_events"])
    assert made.silent
    assert "end_time must lie after" in made.why.text


async def test_without_candidates_no_model_is_asked() -> None:
    engine = Said(SAVE)
    assert (await reasoner(engine).recommend(CONTEXT, POOL, [], timeout=1)).silent
    assert not engine.requests


async def test_text_in_no_format_is_an_error() -> None:
    with pytest.raises(InvalidAnswer):
        await recommend("Sure, I can help!")
    assert issubclass(InvalidAnswer, ModelError)


async def test_thoughts_become_the_reason() -> None:
    made = await recommend(f"<think>He asked.</think>{SAVE}", output=OutputFormat.THINK_REC_FUNC)
    assert made.why.text == "He asked."


async def test_a_format_without_a_sentence_gets_one_from_the_pool() -> None:
    made = await recommend(SAVE.split("</rec>")[1], output=OutputFormat.FUNC)
    assert made.rec == POOL.get("save_contact").description


async def test_thoughts_and_calls_without_a_sentence_are_a_recommendation() -> None:
    text = f"<think>He asked.</think>{SAVE.split('</rec>')[1]}"
    made = await recommend(text, output=OutputFormat.THINK_FUNC)
    assert (made.why.text, made.rec) == ("He asked.", POOL.get("save_contact").description)


def theirs(name: str, **parameters: object) -> dict[str, object]:
    described = {
        key: {"description": "", "type": "string", "must_fill": "optional", "value": value}
        for key, value in parameters.items()
    }
    return {"name": name, "description": "", "similar": [], "parameters": described}


OTHER = OtherPool(
    parse_pool({name: theirs(name, who="non-enumerable") for name in ("add_person", "fly")}, "theirs"),
    PoolMap.model_validate(
        {"source": "", "functions": {"add_person": {"function": "save_contact", "parameters": {"who": "name"},
         "always": {"phone_number": "10086"}}, "fly": {"function": "book_transport"}}}
    ),
)  # fmt: skip


async def test_calls_of_another_pool_are_translated() -> None:
    engine = Said(
        '<rec>x</rec><function>{"model_recommendation":[{"name":"add_person","parameters":{"who":"Bob"}}]}</function>'
    )
    asked = reasoner(engine, other=OTHER)
    await asked.prepare(POOL, timeout=1)
    made = await asked.recommend(CONTEXT, POOL, ["save_contact", "send_sms"], timeout=1)
    assert [(call.name, call.parameters) for call in made.calls] == [
        ("save_contact", {"name": "Bob", "phone_number": "10086"})
    ]
    request = engine.requests[0]
    assert (request.candidates, request.pool) == (("add_person",), OTHER.pool)
    assert "add_person" in engine.prepared[0]
    assert "save_contact" not in engine.prepared[0]


async def test_where_no_function_of_another_pool_can_be_carried_out_no_model_is_asked() -> None:
    engine = Said(SAVE)
    assert (await reasoner(engine, other=OTHER).recommend(CONTEXT, POOL, ["send_sms"], timeout=1)).silent
    assert not engine.requests


async def test_what_the_past_quotes_is_in_the_prompt_and_in_the_basis() -> None:
    seen = LogEntry(
        time=NOW - timedelta(days=3), location="", action='opened Contacts: tapped "Bob"', package="com.a", line=7
    )
    engine = Said(SAVE)
    made = await reasoner(engine, history=HistoryReader(tuple, lambda: (seen,), 200)).recommend(
        CONTEXT.model_copy(update={"device": Section()}), POOL, ["save_contact"], timeout=1
    )
    text = "".join(part.text for part in engine.requests[0].prompt.user if isinstance(part, PromptText))
    assert "- 2026-11-17 21:30: \"opened Contacts: tapped 'Bob'\"" in text
    assert made.calls[0].is_chosen_by_third_party
    assert [evidence.ref for evidence in made.why.evidence] == ["log.nearest"]


async def test_preparing_asks_for_what_every_prompt_begins_with() -> None:
    engine = Said(SILENT)
    asked = reasoner(engine)
    await asked.prepare(POOL, timeout=1)
    await asked.recommend(CONTEXT, POOL, ["save_contact"], timeout=1)
    assert engine.prepared == [engine.requests[0].prompt.system]
