"""Chats hold what the product sends and what its grammar allows."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.proactivemobile.cases import load_cases
from evaluation.proactivemobile.run import context_of
from function_pool.spec import default_pool
from heed.errors import UsageError
from heed.language import Language
from models.config import PromptConfig
from models.engine import Completion, DecisionRequest
from models.grammar import OutputFormat
from models.output import parse
from models.prompt import Prompt, PromptBuilder
from models.prompt.template import load
from models.vlm import VlmReasoner
from training.chats.chat import Chats, ChatWriter, write_records
from training.chats.exchange import ExchangeFormat, pictures, write_exchange
from training.chats.screens import ShownScreen, draw_screen, shown_in, with_screens

POOL = default_pool()
SAID = {
    "profile": "Ann",
    "phone": "2026-11-20 21:30, battery 15 %",
    "world": "Dublin",
    "trace": ["opened <image> Clock"],
}


def record(function: str = "", values: object = None, say: str = "Wake you at 7?", **said: object) -> dict[str, Any]:
    calls = [{"name": function, "parameters": values or {}}] if function else []
    return {
        "benchmark_metadata": {"id": f"{function}-{values}", "language": "en"},
        "reference_information": {**SAID, **said},
        "recommendation": [{"instruction": say if calls else "No Recommendation", "function": calls}],
    }


def chats(tmp_path: Path, *records: dict[str, Any], output: OutputFormat = OutputFormat.REC_FUNC) -> Chats:
    path = write_records(list(records), tmp_path / "records.json")
    return ChatWriter(POOL, PromptConfig(format=output)).write(path)


class _Listening:
    """An engine that keeps the prompt and stays silent."""

    name = "listening"

    def __init__(self) -> None:
        self.prompt: Prompt | None = None

    async def prepare(self, system: str, *, timeout: float) -> None: ...

    async def complete(self, request: DecisionRequest, *, timeout: float) -> Completion:
        self.prompt = request.prompt
        return Completion(text='<rec>No Recommendation</rec><function>{"model_recommendation":[]}</function>')

    async def close(self) -> None: ...


async def test_the_prompt_is_the_one_that_the_product_sends(tmp_path: Path) -> None:
    picture = tmp_path / "screen.png"
    picture.write_bytes(draw_screen(ShownScreen("Clock", ("no alarm",), Language.EN)))
    step = {"source": "picture", "picture": "screen.png"}
    (chat,) = chats(tmp_path, record("set_alarm", {"time": "07:00"}, trace=["opened Clock", step])).chats
    (case,) = load_cases(tmp_path / "records.json")
    engine, config = _Listening(), PromptConfig()
    builder = PromptBuilder(load(config.template), Language.EN, config.format, config.limits)
    reasoner = VlmReasoner(engine, builder, lambda *_: case.said, output=config.format)
    await reasoner.recommend(context_of(case, tmp_path), POOL, list(POOL.functions), timeout=60)
    assert chat.prompt == engine.prompt
    assert pictures(chat) == [str(picture)]


def test_a_need_is_answered_with_its_sentence_and_calls(tmp_path: Path) -> None:
    (chat,) = chats(tmp_path, record("set_alarm", {"time": "7:00"})).chats
    answer = parse(chat.answer, OutputFormat.REC_FUNC)
    assert answer.rec == "Wake you at 7?"
    assert [(call.name, dict(call.parameters)) for call in answer.calls] == [("set_alarm", {"time": "07:00"})]


def test_silence_is_answered_with_no_call(tmp_path: Path) -> None:
    made = chats(tmp_path, record(), {**record(), "recommendation": []})
    assert {chat.answer for chat in made.chats} == {
        '<rec>No Recommendation</rec><function>{"model_recommendation":[]}</function>'
    }
    assert made.silent == 2


def test_the_other_formats_of_answers_are_written_too(tmp_path: Path) -> None:
    (chat,) = chats(tmp_path, record("set_alarm", {"time": "07:00"}), output=OutputFormat.FUNC).chats
    assert chat.answer.startswith("<function>")


def test_what_the_engine_could_not_answer_is_left_out_with_the_reason(tmp_path: Path) -> None:
    made = chats(
        tmp_path,
        record("set_alarm", {"time": "soon"}),
        record("fly_to_the_moon", {}),
        record("set_alarm", {"time": "07:00"}, say="Wake <you>?"),
        record("transfer_money", {"payee": "Ann", "amount": "93 pounds"}),
    )
    assert made.chats == ()
    assert made.left_out == {
        "the arguments are not valid": 1,
        "the function is not in the pool": 1,
        "the answer is not in the engine's grammar": 2,
    }


def test_a_format_with_reasons_is_refused() -> None:
    with pytest.raises(UsageError, match="no reasons"):
        ChatWriter(POOL, PromptConfig(format=OutputFormat.THINK_REC_FUNC))


def test_a_screenshot_in_a_trace_becomes_a_screen(tmp_path: Path) -> None:
    steps = ["opened Photos", "17:41 Screenshot: Photos | Rye Hardware | TOTAL £64.20", "put the phone away"]
    made = with_screens(record(trace=steps), tmp_path / "screens")
    first, shown, last = made["reference_information"]["trace"]
    assert (first, last) == ("opened Photos", "put the phone away")
    assert Path(shown["picture"]).read_bytes() == draw_screen(
        ShownScreen("Photos", ("Rye Hardware", "TOTAL £64.20"), Language.EN)
    )


def test_a_chinese_screenshot_is_recognised() -> None:
    assert shown_in("截图：下厨房 | 220度 烤38分钟", Language.ZH) == ShownScreen(
        "下厨房", ("220度 烤38分钟",), Language.ZH
    )


def test_a_trace_without_screenshots_stays_as_it_is(tmp_path: Path) -> None:
    given = record()
    assert with_screens(given, tmp_path / "screens") is given


def seen(tmp_path: Path) -> Chats:
    (tmp_path / "1.png").write_bytes(draw_screen(ShownScreen("Clock", (), Language.EN)))
    step = {"source": "picture", "picture": str(tmp_path / "1.png")}
    return chats(tmp_path, record("set_alarm", {"time": "07:00"}, trace=["opened <image> Clock", step]))


def test_records_for_llama_factory_name_their_columns(tmp_path: Path) -> None:
    file, index = write_exchange(seen(tmp_path).chats, ExchangeFormat.LLAMA_FACTORY, tmp_path / "out")
    entry = json.loads(index.read_text("utf-8"))["heed"]
    assert entry["file_name"] == file.name
    assert entry["columns"] == {"messages": "messages", "images": "images"}
    (made,) = json.loads(file.read_text("utf-8"))
    assert [message["role"] for message in made["messages"]] == ["system", "user", "assistant"]


def test_records_have_one_mark_for_each_picture(tmp_path: Path) -> None:
    """The trace holds the same word, which a trainer would take for a picture."""
    (file,) = write_exchange(seen(tmp_path).chats, ExchangeFormat.MS_SWIFT, tmp_path / "out")
    made = json.loads(file.read_text("utf-8"))
    assert made["images"] == [str(tmp_path / "1.png")]
    assert made["messages"][1]["content"].count("<image>") == 1
