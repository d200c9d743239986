"""The network's result: likeliest functions, and spans that stand in the text."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from function_pool.spec import default_pool
from models.reader.reading import MOST_FUNCTIONS, TextReader, TextReading, best_span
from models.reader.roles import roles
from models.reader.text_input import ReaderInput

TEXTS = (
    "Hi, this is Jonas, my new number, please save it",
    "Dinner on Friday 8 May at 19:30 at Bella Napoli",
    "您的快递已到菜鸟驿站，取件码 5-2-8041",
    "Ｍｅｅｔ ａｔ ７：３０ 🎂 cafe\u0301",
    "",
    "🎂" * 50,
    "付" * 10_000,
)


@cache
def reader() -> TextReader:
    return TextReader.load()


def read(text: str) -> TextReading:
    return reader().read(ReaderInput(head="sms from phone number not in contacts", text=text, facts=("Monday",)))


@pytest.mark.parametrize("text", TEXTS)
def test_a_reading_is_ordered_and_bounded_and_its_spans_stand_in_the_text(text: str) -> None:
    found = read(text)
    shares = [share for _, share in found.functions]
    assert len(shares) == MOST_FUNCTIONS
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1 + 1e-6
    assert {name for name, _ in found.functions} <= {spec.name for spec in default_pool()}
    assert set(found.spans) <= set(roles())
    assert all(span and span in text for span in found.spans.values())


@given(st.text(max_size=200))
@settings(max_examples=20, deadline=None)
def test_any_text_is_read_the_same_twice(text: str) -> None:
    assert read(text) == read(text)


def test_case_and_full_width_forms_do_not_matter() -> None:
    plain, wide = read("call ann at 7"), read("ＣＡＬＬ Ａｎｎ at ７")
    assert wide.need == pytest.approx(plain.need, abs=1e-4)
    assert [name for name, _ in wide.functions] == [name for name, _ in plain.functions]


def test_a_plain_new_number_is_a_contact_with_its_name() -> None:
    found = read("Hi, this is Jonas, my new number, please save it")
    assert found.functions[0][0] == "save_contact"
    assert found.spans_of("save_contact", ("name", "phone_number", "job_title")) == {"name": found.spans["person"]}
    assert "Jonas" in found.spans["person"]


def test_a_function_gets_the_spans_of_its_own_parameters() -> None:
    found = TextReading(need=1.0, functions=(), spans={"title": "Milk", "when": "at 7", "message": "Buy milk at 7"})
    assert found.spans_of("create_reminder", ("content", "due_time", "priority")) == {
        "content": "Milk",
        "due_time": "at 7",
    }
    assert found.spans_of("send_sms", ("content", "recipient")) == {"content": "Buy milk at 7"}


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        ([0, 1, 5, 1], [0, 1, 1, 5], (2, 3)),
        ([9, 1, 5, 1], [9, 1, 1, 5], (0, 0)),
        ([0, 1, 1, 5], [0, 4, 1, 1], (3, 3)),
        ([9, 0, 0, 0], [0, 0, 0, 8], (0, 0)),
    ],
    ids=["a span", "none", "no end before its start", "none does not end in the text"],
)
def test_the_likeliest_span_runs_forward_or_is_none(
    starts: list[float], ends: list[float], expected: tuple[int, int]
) -> None:
    assert best_span(np.array(starts), np.array(ends)) == expected


def test_a_span_has_a_longest_length() -> None:
    starts, ends = np.zeros(120), np.zeros(120)
    starts[1] = ends[100] = 5
    first, last = best_span(starts, ends)
    assert last - first < 40
