"""Answers read and written, strictly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from function_pool.call import FunctionCall
from models.grammar import JsonStyle, OutputFormat
from models.output import InvalidAnswer, ModelAnswer, parse, serialise
from models.reasoner import NO_RECOMMENDATION

CALL = FunctionCall(name="send_sms", parameters={"recipient": "Bob", "content": '你好 </function> "quoted"'})
ANSWER = ModelAnswer(rec="Answer Bob?", calls=(CALL,))


@pytest.mark.parametrize("output", list(OutputFormat))
@pytest.mark.parametrize("answer", [ANSWER, ModelAnswer(rec=NO_RECOMMENDATION)])
def test_what_is_written_reads_back(answer: ModelAnswer, output: OutputFormat) -> None:
    read = parse(serialise(answer, output), output)
    assert read.calls == answer.calls
    assert output is OutputFormat.FUNC or read.rec == answer.rec


def test_thoughts_are_kept() -> None:
    thinking = ANSWER.model_copy(update={"think": "He asked."})
    text = serialise(thinking, OutputFormat.THINK_REC_FUNC)
    assert parse(text, OutputFormat.THINK_REC_FUNC) == thinking


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "form"),
        ("I would text Bob.", "form"),
        ('<rec>x</rec><function>{"model_recommendation":[</function>', "JSON"),
        ('<rec>x</rec><function>{"calls":[]}</function>', "model_recommendation"),
        ('<rec>x</rec><function>{"model_recommendation":[{"parameters":{}}]}</function>', "name"),
        ('<rec>x</rec><function>{"model_recommendation":[]}</function>', "calls no function"),
        ('<rec></rec><function>{"model_recommendation":[{"name":"f"}]}</function>', "empty sentence"),
        ('<rec>No Recommendation</rec><function>{"model_recommendation":[{"name":"f"}]}</function>', "calls functions"),
        ('<function>{"model_recommendation":[]}</function>', "no <rec>"),
    ],
)
def test_what_is_not_an_answer_is_said_to_be_wrong(text: str, fault: str) -> None:
    with pytest.raises(InvalidAnswer, match=fault):
        parse(text, OutputFormat.REC_FUNC)


def test_blank_parameters_are_left_out() -> None:
    text = '<rec>x</rec><function>{"model_recommendation":[{"name":"f","parameters":{"a":"","b":0}}]}</function>'
    assert parse(text, OutputFormat.REC_FUNC).calls[0].parameters == {"b": 0}


def test_a_style_decides_the_spaces() -> None:
    spaced = serialise(ANSWER, style=JsonStyle(item_separator=", ", key_separator=": "))
    assert '{"name": "send_sms", "parameters": {"recipient": "Bob"' in spaced


def test_line_breaks_inside_strings_are_read_as_models_write_them() -> None:
    text = '<rec>x</rec><function>{"model_recommendation":[{"name":"f","parameters":{"a":"two\nlines"}}]}</function>'
    assert parse(text, OutputFormat.REC_FUNC).calls[0].parameters == {"a": "two\nlines"}


@pytest.mark.parametrize("inside", ["[" * 100_000, "NaN", '[{"name":"f","parameters":{"a":Infinity}}]'])
def test_json_that_is_none_is_refused(inside: str) -> None:
    with pytest.raises(InvalidAnswer):
        parse(f'<rec>x</rec><function>{{"model_recommendation":{inside}}}</function>', OutputFormat.REC_FUNC)


@given(st.text())
def test_no_text_makes_reading_fail_otherwise(text: str) -> None:
    for output in OutputFormat:
        try:
            parse(text, output)
        except InvalidAnswer as error:
            assert error.message
