"""Text becomes numbers as BERT cuts it, and Chinese by the longest words known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.perceptor.tokens import Vocabulary

PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "alarm",
    "##s",
    "a",
    "re",
    "##set",
    ":",
    "?",
    "07",
    "40",
    "闹",
    "钟",
    "闹钟",
    "响",
)
VOCABULARY = Vocabulary(PIECES)


def cut(text: str) -> list[str]:
    return [PIECES[number] for number in VOCABULARY.encode(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("alarms reset", ["alarm", "##s", "re", "##set"]),
        ("ALARM 07 40", ["alarm", "07", "40"]),
        ("闹钟响", ["闹钟", "响"]),
        ("闹铃", ["闹", "[UNK]"]),
        ("alarm闹钟", ["alarm", "闹钟"]),
        ("０７？àlarm", ["07", "?", "alarm"]),
        ("zebra", ["[UNK]"]),
        ("a" * 100, ["[UNK]"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_a_text_is_cut_into_the_longest_pieces_known(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


def test_what_says_next_to_nothing_is_left_out() -> None:
    assert cut("A alarm: 07:40?") == ["alarm", "07", "40", "?"]


@given(st.text())
def test_any_text_becomes_numbers_of_the_vocabulary(text: str) -> None:
    assert all(0 <= number < len(PIECES) for number in VOCABULARY.encode(text))
