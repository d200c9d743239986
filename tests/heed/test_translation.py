"""The sentences of refusals and failures in Chinese: all of them, and none that nobody says."""

import ast
import json
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.language import Language
from heed.translation import table, translate
from tests.heed.sentences import ROOMS, ROOT, templates

CHINESE = re.compile("[一-鿿]")

HALVES = {
    "The vision projector {} is of another model: it gives {} numbers per image token",
    "{}, {} takes {}.",
}
"""One sentence that the code builds from two strings; the table has it whole."""


WITHOUT_WORDS = {"adb", "adb: {}.", "{}{}: {}.", "python", "{}: {}", "{}:{}", "{} on {}", "{}, Android {}"}
"""Names and numbers, the same in Chinese."""

WRITTEN_ELSEWHERE = {
    "True",
    "False",
    "None",
    "offline",
    "{} is required when {} is {}",
    "{} is not a parameter of it (did you mean {}?)",
    "{} is not a parameter of it (known are {})",
}
"""Words of Python's and adb's, and faults that the code builds from two strings."""


def zh(text: str) -> str:
    return translate(text, Language.ZH)


def test_every_sentence_that_can_be_raised_has_chinese_words() -> None:
    unknown = {
        text: place
        for text, place in templates().items()
        if text not in HALVES | WITHOUT_WORDS and not CHINESE.search(zh(text.replace("{}", "x")))
    }
    assert not unknown


def test_no_row_is_left_of_a_sentence_that_nobody_says_any_more() -> None:
    said = [
        node.value
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    longest = {row: max((part.strip() for part in row.split("{}")), key=len) for row in table()}
    left_over = [row for row, part in longest.items() if not any(part in text for text in said)]
    assert [row for row in left_over if row not in WRITTEN_ELSEWHERE] == []


def test_a_row_is_written_once_and_uses_the_values_of_its_english() -> None:
    pairs = json.loads(files("heed").joinpath("translation_zh.json").read_text("utf-8"), object_pairs_hook=list)
    assert len(pairs) == len(dict(pairs))
    for english, chinese in pairs:
        values = [f"<{index}>" for index in range(english.count("{}"))]
        words = chinese.format(*values)
        assert all(value in words for value in values), english


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("The screen is off, so nothing is opened on it.", "屏幕已关闭，因此不打开任何内容。"),
        (
            "heed knows no app called 'x'. Leave it out, or name another one.",
            "heed 不认识名为 'x' 的应用。请省略它，或换一个。",
        ),
        (
            "set_alarm: time is required; hour must be true or false, not 3. See `heed functions set_alarm`.",
            "set_alarm：必须给出 time；hour 必须为是或否，而不是 3。请查看 `heed functions set_alarm`。",
        ),
        (
            "Whether set_display took effect is not known: The connection to the phone broke. Reconnect it.",
            "不知道 set_display 是否生效：与手机的连接中断了。请重新连接。",
        ),
        ("There is no phone 'x'. adb lists: none.", "没有手机 'x'。adb 列出：无。"),
    ],
)
def test_values_and_following_sentences_are_translated_too(english: str, chinese: str) -> None:
    assert zh(english) == chinese
    assert translate(english, Language.EN) == english


@given(st.text(alphabet="ab:; .,{}\n无", max_size=60))
def test_what_the_table_does_not_know_loses_nothing(text: str) -> None:
    kept = set("ab{}\n无")
    assert [mark for mark in zh(text) if mark in kept] == [mark for mark in text if mark in kept]
