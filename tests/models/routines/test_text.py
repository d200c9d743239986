"""Texts fall into tokens, sentences, quotes and values."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.routines.language.entities import find
from models.routines.language.lexicon import default_lexicon
from models.routines.language.tokens import without_leading_time

LEXICON = default_lexicon()
TODAY = date(2026, 1, 2)


def values(text: str, kind: str) -> list[str]:
    return [entity.value for entity in find(text, TODAY) if entity.kind == kind]


@given(st.text(max_size=200))
def test_any_text_can_be_parsed_and_read(text: str) -> None:
    parsed = LEXICON.parse(text)
    assert all(text[token.start : token.end] for token in parsed.tokens)
    for entity in find(text, TODAY):
        assert 0 <= entity.start < entity.end <= len(text)


@pytest.mark.parametrize(
    "forms",
    [("enable", "enables", "enabled", "enabling"), ("send", "sent", "sends"), ("tap", "tapped", "tapping"),
     ("reply", "replied", "replies", "replying"), ("message", "messages", "messaging"), ("call", "called", "calling")],
)  # fmt: skip
def test_inflections_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({LEXICON.parse(form).tokens[0].stem for form in forms}) == 1


def test_nouns_that_look_inflected_keep_theirs() -> None:
    stems = {LEXICON.parse(word).tokens[0].stem for word in ("settings", "set", "morning", "meeting", "news", "new")}
    assert len(stems) == 6


def test_an_apostrophe_is_no_quote() -> None:
    parsed = LEXICON.parse("She read 'let's discuss the team's plan' aloud in Tom's office.")
    assert [quote.text for quote in parsed.quotes] == ["let's discuss the team's plan"]


def test_a_sentence_ends_with_its_quote_and_not_within_it() -> None:
    parsed = LEXICON.parse("It asked 'Save power? You have 9 %.' He agreed. 他点了“好。再见” 然后锁屏。")
    assert len(parsed.sentences) == 3


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("At 08:20, he read.", "he read."),
        ("23:05，他打开", "他打开"),
        ("晚上11点05分，他打开", "他打开"),
        ("8点半关灯", "关灯"),
        ("7:30 pm: called Mom", "called Mom"),
        ("He read at 08:20.", "He read at 08:20."),
    ],
)
def test_an_entrys_own_time_is_left_out(text: str, rest: str) -> None:
    assert without_leading_time(text) == rest


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("the 07:30 alarm, at 7 am, 早上7点半 and 晚上11点05分", "clock_time", ["07:30", "07:00", "07:30", "23:05"]),
        ("at 12:15 am and 1:05pm", "clock_time", ["00:15", "13:05"]),
        ("before Dec 05, 2025 or 5 December", "date", ["2025-12-05", "2025-12-05"]),
        ("12月28日之前", "date", ["2025-12-28"]),
        ("older than 2 weeks, 3个月前的", "date", ["2025-12-19", "2025-10-04"]),
        ("on 31 February", "date", []),
        ("battery 15 percent, 20%", "percent", ["15", "20"]),
        ("mail a.b@c-d.org, 发到x@y.cn", "email", ["a.b@c-d.org", "x@y.cn"]),
        ("see https://e.org/x?y=1.", "url", ["https://e.org/x?y=1."]),
        ("把周报.pdf发给她, /sdcard/Notes_v2.docx", "file", ["周报.pdf", "Notes_v2.docx"]),
        ("call 555-0142 or +44 20 7946 0958, room 12", "phone", ["555-0142", "+44 20 7946 0958"]),
        ("in the #night-shift channel", "channel", ["night-shift"]),
        ("¥29.9 or 12 EUR", "money", ["29.9", "12"]),
    ],
)
def test_values_are_found(text: str, kind: str, found: list[str]) -> None:
    assert list(dict.fromkeys(values(text, kind))) == list(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hi, this is Nora, my new number is 555-0142.", "Nora"),
        ("Hello! It's Farah here — I've changed my phone", "Farah"),
        ("hi, this is nora, my new number", "Nora"),
        ("This is Wei Zhang from the workshop.", "Wei Zhang"),
        ("Otto here, new number", "Otto"),
        ("I'm Anna from the gym", "Anna"),
        ("我是王小明，换号了", "王小明"),
        ("我是王小明的新号码", "王小明"),
        ("我是王小明的爸爸，这是我的新号码", None),
        ("I am Tom's father, this is my new number", None),
        ("这是李雷的新号码", "李雷"),
        ("this is Nora's parcel service, your code is 482913", None),
        ("This is urgent, call me", None),
        ("It is raining, bring an umbrella", None),
        ("this is your bank, verify your account", None),
        ("this is amazing, look", None),
        ("我是说明天去", None),
    ],
)
def test_who_introduces_himself_is_told_from_who_does_not(text: str, name: str | None) -> None:
    assert next(iter(values(text, "introduction")), None) == name
