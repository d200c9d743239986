"""Text from outside can move nothing, hide nothing and fill nothing; ordinary text stays as it is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from heed.safe_text import LIMIT, safe_markup, safe_text

ORDINARY = [
    "Dinner at 19:00, table for 4?",
    "明天下午三点开会，别忘了带合同。",
    "全角　空格，和“引号”",
    "家庭👨‍👩‍👧‍👦、旗🇨🇳🏴󠁧󠁢󠁥󠁮󠁧󠁿🏳️‍🌈、手👍🏽、键1️⃣、心❤️‍🔥、医生👩🏽‍⚕️",
    "Crème brûlée, Đặng Thị Hồng, Ångström, e\u0301te\u0301",
    "مرحبا، كيف حالك؟",
    "می‌خواهم بروم",
    "שָׁלוֹם עוֹלָם",
    "नमस्ते, क्‍ष और क्षेत्र",
    "สวัสดีครับ วันนี้อากาศดี",
    "Привет, до встречи в 5",
    "葛\U000e0100城市、辻\U000e0101さん",
    "こんにちは。が\u3099っこう",
    "안녕하세요 한국어",
    "[bold]not markup[/bold] C:\\path\\file {x} %s ${y}",
    "H₂O, 5 µm, ½, ©, ™, →, ✓",
]

HOSTILE = [
    ("\x1b[2J\x1b[1;1HTurn on battery saver?", "␛[2J␛[1;1HTurn on battery saver?"),
    ("\x1b]52;c;Y3VybA==\x07", "␛]52;c;Y3VybA==␇"),
    ("\x1b]8;;http://evil.example\x1b\\bank\x1b]8;;\x1b\\", "␛]8;;http://evil.example␛\\bank␛]8;;␛\\"),
    ("\x9b31mred", "[U+009B]31mred"),
    ("Yes\rNo ", "Yes␍No "),
    ("No\b\bYes", "No␈␈Yes"),
    ("photo_\u202egpj.apk", "photo_[U+202E]gpj.apk"),
    ("\u2068Alice\u2069 \u200ewrote", "Alice wrote"),
    ("pay\u200bpal\ufeff.c\u00adom", "paypal.com"),
    ("a\u2028b\x85c\r\nd", "a⏎b⏎c⏎d"),
    ("hi\U000e0061\U000e0062\U000e007f", "hi"),
    ("😀" + "\ufe0f" * 50 + "x\ufe0f\ufe01", "😀\ufe0fx"),
    ("x" + "".join(chr(0xE0100 + byte) for byte in b"secret"), "x"),
    ("Z" + "\u0335" * 200 + "a", "Z" + "\u0335" * 4 + "a"),
    ("half \ud83d emoji \ude00", "half \ufffd emoji \ufffd"),
    ("Buy milk" + " " * 5000 + "heed: allowed", "Buy milk" + " " * 8 + "heed: allowed"),
    ("a" + "\n" * 400 + "b", "a⏎⏎b"),
    ("a\u3164\u115f\u2800b", "a b"),
    ("a\u200db \u200d", "ab "),
    ("\ufffe\U0001ffff", "\ufffd\ufffd"),
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert safe_text(text) == text
    assert safe_text(f"{text}\n{text}", multiline=True) == f"{text}\n{text}"


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_hostile_text_is_shown_by_the_stated_rules(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_line_breaks_stay_in_multi_line_text_only() -> None:
    assert safe_text("one\r\ntwo\u2029\n\n\nthree", multiline=True) == "one\ntwo\n\nthree"
    assert safe_text("one\r\ntwo") == "one⏎two"


def test_absurd_lengths_are_cut() -> None:
    assert safe_text("x" * 1_000_000) == "x" * (LIMIT - 1) + "…"
    assert len(safe_text("😀\x1b\u202e" * 100_000, limit=50)) == 50
    assert safe_text("👨‍👩‍👧", limit=3) == "👨…"


def test_brackets_in_rich_markup_are_shown_and_not_obeyed() -> None:
    text = "[link=http://evil.example]bank[/link] \x1b[31m [/] \\"
    assert Text.from_markup(f"[bold]{safe_markup(text)}[/bold]").plain == safe_text(text)


PIECES = st.sampled_from(
    [
        *"\x1b\r\n\t\b\x07\x7f\x85\x9b \u3000\u2028\u200b\u200c\u200d\u200e\u202e\u2066\u2069\ufeff\u2800\u3164\u034f",
        *"\ufe0f\ufe01\U000e0101\U000e0067\U000e007f\u0335\u094d\u0301\ud83d\ude00aZ1ب中क👩🏽🏴…[]",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\r\n",
        "👩‍👧",
    ]
)
ANY = st.one_of(st.text(st.characters(), max_size=60), st.lists(PIECES, max_size=40).map("".join))


@given(ANY, st.booleans(), st.integers(1, 60))
def test_no_control_character_is_left(text: str, multiline: bool, limit: int) -> None:
    shown = safe_text(text, multiline=multiline, limit=limit)
    assert len(shown) <= limit
    for char in shown:
        category = unicodedata.category(char)
        assert category not in {"Cc", "Cs", "Zl", "Zp"} or (multiline and char == "\n")
        assert not 0x202A <= ord(char) <= 0x202E
        assert not 0x2060 <= ord(char) <= 0x206F
        assert char not in "\u200b\u200e\u200f\u061c\ufeff\u00ad\u034f"


@given(ANY, st.booleans(), st.integers(1, 60))
def test_applied_twice_it_changes_nothing_more(text: str, multiline: bool, limit: int) -> None:
    once = safe_text(text, multiline=multiline, limit=limit)
    assert safe_text(once, multiline=multiline, limit=limit) == once
    once.encode("utf-8")


@given(
    st.text(
        st.characters(
            categories=["Lu", "Ll", "Lo", "Nd", "Pd", "Ps", "Pe", "Sc"], exclude_characters="\u115f\u1160\u3164\uffa0"
        ),
        max_size=40,
    )
)
def test_letters_digits_and_signs_of_every_script_are_unchanged(text: str) -> None:
    assert safe_text(text) == text
