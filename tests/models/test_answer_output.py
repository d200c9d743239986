"""Answers read and written."""

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
    assert not output.has_sentence or read.rec == answer.rec


def test_thoughts_are_kept() -> None:
    thinking = ANSWER.model_copy(update={"think": "He asked."})
    text = serialise(thinking, OutputFormat.THINK_REC_FUNC)
    assert parse(text, OutputFormat.THINK_REC_FUNC) == thinking
    read = parse(serialise(thinking, OutputFormat.THINK_FUNC), OutputFormat.THINK_FUNC)
    assert (read.think, read.calls) == ("He asked.", ANSWER.calls)


TAGGED = serialise(ANSWER)
OBJECT = serialise(ANSWER, OutputFormat.JSON)
CALLS = TAGGED.split("<function>")[1].removesuffix("</function>")


@pytest.mark.parametrize(
    "text",
    [
        f"Sure! Here is my answer:\n\n{TAGGED}\n\nTell me if {{you}} need more.",
        f"```\n{TAGGED}\n```",
        f"<rec>Answer Bob?</rec>\n\n<function>\n```json\n{CALLS}\n```\n</function>",
        f"<rec>Answer Bob?</rec>\n```json\n{CALLS}\n```",
        f"<rec>Answer Bob?</rec><function>{CALLS}",
        f"<think>Battery < 20, {{so}} …</think>\n{TAGGED}",
        f"He asked.</think>\n\n{TAGGED}",
    ],
)
def test_an_answer_in_fences_or_with_text_around_it_is_read(text: str) -> None:
    read = parse(text, OutputFormat.REC_FUNC)
    assert (read.rec, read.calls) == (ANSWER.rec, ANSWER.calls)


@pytest.mark.parametrize(
    "text", [f"```json\n{OBJECT}\n```", f"My answer: {OBJECT} (done)", f"<think>…</think>{OBJECT}"]
)
def test_an_object_in_fences_or_with_text_around_it_is_read(text: str) -> None:
    assert parse(text, OutputFormat.JSON).calls == ANSWER.calls


@pytest.mark.parametrize(
    "rec", ['Reply {"model_recommendation":[] to Bob?', 'Send {"rec": "hi", "model_recommendation": []}?']
)
def test_a_sentence_may_quote_what_looks_like_an_answer(rec: str) -> None:
    answer = ANSWER.model_copy(update={"rec": rec})
    assert parse(serialise(answer), OutputFormat.REC_FUNC) == answer


@pytest.mark.parametrize("output", [OutputFormat.FUNC, OutputFormat.REC_FUNC])
def test_of_two_answers_none_is_taken(output: OutputFormat) -> None:
    with pytest.raises(InvalidAnswer, match="more than one answer"):
        parse(f"{TAGGED} or {TAGGED}", output)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "form"),
        ("I would text Bob.", "form"),
        ('<rec>x</rec><function>{"model_recommendation":[</function>', "JSON"),
        ('<rec>x</rec><function>{"calls":[]}</function>', "form"),
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
    assert "</rec>\n<function>" in serialise(ANSWER, style=JsonStyle(between_tags="\n"))


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
