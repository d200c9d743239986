"""The grammar of an answer: what it lets through, and what no weights can say."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_cpp import Llama
from llguidance import LLMatcher, LLTokenizer
from llguidance.llamacpp import lltokenizer_from_vocab

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, Pool, default_pool, parse_pool
from heed.errors import UsageError
from models.grammar import JsonStyle, Limits, OutputFormat, answer_schema, lark
from models.llama.tiny import TinyModel
from models.output import ModelAnswer, parse, serialise
from tests.function_pool.official_style import official_style_pool
from tests.models.cases import POOL
from tests.proof import examples

ALL = list(POOL.functions)
Accepts = Callable[[str, str], bool]

pytestmark = pytest.mark.filterwarnings("ignore:llama_token_get_attr:DeprecationWarning")  # llguidance's


@pytest.fixture(scope="module")
def accepts(tiny_model: TinyModel) -> Iterator[Accepts]:
    """Whether a whole text is an answer by a grammar."""
    model = Llama(str(tiny_model.model), vocab_only=True, verbose=False)
    tokenizer: LLTokenizer = lltokenizer_from_vocab(model._model.vocab)

    def check(grammar: str, text: str) -> bool:
        matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_lark(grammar))
        ids = tokenizer.tokenize_str(text)
        return bool(matcher.try_consume_tokens(ids) == len(ids) and matcher.is_accepting())

    yield check
    model.close()


def wire(name: str, parameters: dict[str, Any] | str, rec: str = "Shall I?") -> str:
    inner = (
        parameters if isinstance(parameters, str) else json.dumps(parameters, ensure_ascii=False, separators=(",", ":"))
    )
    return f'<rec>{rec}</rec><function>{{"model_recommendation":[{{"name":"{name}","parameters":{inner}}}]}}</function>'


SILENT = '<rec>No Recommendation</rec><function>{"model_recommendation":[]}</function>'


@pytest.mark.parametrize(
    "text",
    [
        SILENT,
        wire("set_power_saving_mode", {"enabled": True}),
        wire("set_power_saving_mode", {"enabled": True, "trigger_level": 20, "mode": "extreme"}),
        wire("send_sms", {"recipient": "小明", "content": '我到了 🙂 "好" </function> \\ \n再见'}),
        wire("send_sms", {"recipient": "+8613800138000", "content": "x"}),
        wire("set_alarm", {"time": "06:30", "repeat_days": ["mon", "tue"]}),
        wire("query_weather", {}),
        wire("query_weather", {}, rec="No Recommendations of mine"),
        wire("cancel_alarm", {"search_mode": "time", "time": "07:00"}),
        wire("cancel_alarm", {"search_mode": "next"}),
        wire("transfer_money", {"payee": "Ann", "amount": "31.60 EUR"}),
        wire("create_calendar_event", {"title": "x", "start_time": "2026-02-06T19:30:00"}),
        wire("search_product", {"keyword": "socks", "platform_info": "Taobao"}),
        wire("search_product", {"keyword": "socks", "platform_info": "Bob's Shop (Zürich)"}),
        wire("search_product", {"keyword": "socks", "platform_info": "得"}),
    ],
)
def test_valid_answers_can_be_said(accepts: Accepts, text: str) -> None:
    assert accepts(lark(POOL, ALL), text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sure! " + SILENT,
        SILENT.replace("[]", '[{"name":"query_weather","parameters":{}}]'),
        SILENT.replace("No Recommendation", "Shall I?"),
        wire("query_weather", {}, rec=" no recommendation. "),
        wire("query_weather", {}, rec=""),
        wire("query_weather", {}, rec="x" * 201),
        wire("format_disk", {}),
        wire("query_weather", {"place": "x"}),
        wire("send_sms", {"recipient": "Bob"}),
        wire("send_sms", {"content": "x", "recipient": "Bob"}),
        wire("send_sms", {"recipient": " ", "content": "x"}),
        wire("send_sms", {"recipient": "Bob", "content": "x" * 301}),
        wire("set_power_saving_mode", {"enabled": "true"}),
        wire("set_power_saving_mode", {"enabled": True, "mode": "none"}),
        wire("set_power_saving_mode", '{"enabled": true}'),
        wire("set_power_saving_mode", '{"enabled":true,"enabled":false}'),
        wire("set_timer", {"duration_seconds": 0}),
        wire("set_timer", {"duration_seconds": 1.5}),
        wire("set_alarm", {"time": "24:00"}),
        wire("set_alarm", {"time": "06:30", "repeat_days": ["monday"]}),
        wire("cancel_alarm", {"search_mode": "time"}),
        wire("make_phone_call", {"call_type": "voice"}),
        wire("create_calendar_event", {"title": "x", "start_time": "2026-02-30T19:30:00"}),
        wire("web_search", {"query": "x", "url": "intent:#Intent;end"}),
        wire("share_file", {"content_uri_or_path": "/sdcard/../data"}),
        wire("search_product", {"keyword": "socks", "platform_info": ""}),
        wire("search_product", {"keyword": "socks", "platform_info": "…"}),
        wire("search_product", {"keyword": "socks", "platform_info": "Shop "}),
        wire("search_product", {"keyword": "socks", "platform_info": "Sh\u202eop"}),
        wire("search_product", {"keyword": "socks", "platform_info": "x" * 61}),
        wire("search_product", {"keyword": "socks", "sort_by": "another"}),
    ],
)
def test_invalid_answers_cannot_be_said(accepts: Accepts, text: str) -> None:
    assert not accepts(lark(POOL, ALL), text)


def test_only_candidates_can_be_called(accepts: Accepts) -> None:
    grammar = lark(POOL, ["query_weather", "send_sms"])
    assert accepts(grammar, wire("query_weather", {}))
    assert not accepts(grammar, wire("set_power_saving_mode", {"enabled": True}))
    assert accepts(grammar, SILENT)


def test_an_unknown_candidate_is_named() -> None:
    with pytest.raises(UsageError, match="query_wether"):
        lark(POOL, ["query_wether"])


def test_no_more_calls_than_the_limit(accepts: Accepts) -> None:
    def calls(count: int) -> str:
        call = '{"name":"query_weather","parameters":{}}'
        return f'<rec>x</rec><function>{{"model_recommendation":[{",".join([call] * count)}]}}</function>'

    grammar = lark(POOL, ALL, limits=Limits(calls=2))
    assert accepts(grammar, calls(1))
    assert accepts(grammar, calls(2))
    assert not accepts(grammar, calls(3))


@pytest.mark.parametrize("output", [OutputFormat.FUNC, OutputFormat.THINK_FUNC, OutputFormat.THINK_REC_FUNC])
def test_the_other_formats_hold_to_their_form(accepts: Accepts, output: OutputFormat) -> None:
    grammar = lark(POOL, ALL, output)
    answer = parse(wire("query_weather", {}), OutputFormat.REC_FUNC)
    assert accepts(grammar, serialise(answer.model_copy(update={"think": "It rains,\nso…"}), output))
    assert accepts(grammar, serialise(ModelAnswer(rec="No Recommendation"), output))
    assert not accepts(grammar, serialise(answer, OutputFormat.REC_FUNC))


def test_the_benchmarks_style_has_spaces_and_blank_optionals(accepts: Accepts) -> None:
    style = JsonStyle(item_separator=", ", key_separator=": ", blank_optionals=True)
    grammar = lark(POOL, ALL, style=style)
    text = (
        '<rec>x</rec><function>{"model_recommendation": [{"name": "set_power_saving_mode", '
        '"parameters": {"enabled": true, "trigger_level": "", "mode": ""}}]}</function>'
    )
    assert accepts(grammar, text)
    (call,) = parse(text, OutputFormat.REC_FUNC).calls
    assert call.parameters == {"enabled": True}


@pytest.mark.parametrize("output", [OutputFormat.REC_FUNC, OutputFormat.THINK_FUNC, OutputFormat.THINK_REC_FUNC])
def test_a_style_may_have_line_breaks_between_the_parts(accepts: Accepts, output: OutputFormat) -> None:
    style = JsonStyle(between_tags="\n")
    answer = ModelAnswer(rec="Shall I?", calls=(FunctionCall(name="query_weather"),), think="Rain.")
    assert accepts(lark(POOL, ALL, output, style=style), serialise(answer, output, style))
    assert not accepts(lark(POOL, ALL, output, style=style), serialise(answer, output))


def test_an_official_style_pool_has_a_grammar(accepts: Accepts) -> None:
    pool = parse_pool(official_style_pool(), "official")
    name = next(iter(pool.functions))
    grammar = lark(pool, list(pool.functions))
    full = {"对象": "x", "方式": "静默", "选项": {"城市": "杭州", "数量": 2}, "标签": ["a"], "比例": 0.5}
    assert accepts(grammar, wire(name, full))
    assert not accepts(grammar, wire(name, {**full, "选项": {"国家": "x"}}))


def test_functions_come_in_the_pools_order() -> None:
    schema = json.dumps(answer_schema(POOL, list(reversed(ALL)), Limits(), JsonStyle()))
    places = [schema.index(f'{{"const": "{name}"}}') for name in ALL]
    assert places == sorted(places)


_SPEC = FunctionSpec.model_validate(
    {
        "name": "f",
        "description": "",
        "similar": [],
        "parameters": {"a": {"description": "", "type": "string", "must_fill": "required"}},
    }
)


@given(text=st.text(min_size=1, max_size=60))
@settings(max_examples=examples(60))
def test_any_text_without_control_characters_can_be_an_argument(accepts: Accepts, text: str) -> None:
    plain = "".join(character for character in text if character.isprintable()).strip()
    if plain:
        assert accepts(lark(Pool(functions={"f": _SPEC}), ["f"]), wire("f", {"a": plain}))


def test_the_default_pool_is_the_one_under_test() -> None:
    assert default_pool() == POOL
