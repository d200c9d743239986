"""The pieces of a text keep their characters in every script, and their number is bounded."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.perceptor.features import Kind
from models.perceptor.network import shipped_vocabulary
from models.perceptor.tokens import plain
from models.reader.text_input import (
    LONGEST_FACTS,
    LONGEST_HEAD,
    LONGEST_TEXT,
    MOST_CHARACTERS,
    ReaderInput,
    TextPiece,
    text_pieces,
)

MARKS = 4
SPELLINGS = files("models.perceptor").joinpath("data", "vocabulary.txt").read_text("utf-8").rstrip("\n").split("\n")
HOSTILE = {
    "letters": "a" * 100_000,
    "words": "pay now " * 12_500,
    "han": "付" * 100_000,
    "marks": "!" * 100_000,
    "accents": "e" + "\u0301" * 99_999,
    "long forms": "\ufdfa" * 100_000,
    "joined emoji": "👩\u200d" * 50_000,
}


def pieces(text: str, head: str = "", *facts: str) -> list[TextPiece]:
    return text_pieces(ReaderInput(head=head, text=text, facts=facts), shipped_vocabulary())


def parts(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in pieces(text) if piece.start >= 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Meet Jonas at 7", ["Meet", "Jonas", "at", "7"]),
        ("明天七点", ["明天", "七", "点"]),
        ("call Ann明天", ["call", "Ann", "明天"]),
        ("ｃａｌｌ ７", ["ｃａｌｌ", "７"]),
        ("café now", ["café", "now"]),
        ("cafe\u0301 now", ["cafe\u0301", "now"]),
        ("go 🎂 now", ["go", "🎂", "now"]),
        ("\ufb01re", ["\ufb01re"]),
        ("한국어 now", ["한국어", "now"]),
        ("½ cup", ["½", "½", "½", "cup"]),
        ("", []),
        (" \n\t", []),
        ("\u0301", []),
    ],
)
def test_a_piece_keeps_its_characters(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@given(st.text(max_size=200))
def test_pieces_of_any_text_stand_in_it_in_order(text: str) -> None:
    found = [piece for piece in pieces(text) if piece.start >= 0]
    assert all(0 <= piece.start < piece.end <= len(text) for piece in found)
    assert [piece.start for piece in found] == sorted(piece.start for piece in found)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60))
def test_a_known_piece_is_spelt_as_the_text_at_its_place(text: str) -> None:
    for piece in pieces(text):
        if piece.start >= 0 and piece.number != shipped_vocabulary().unknown:
            assert SPELLINGS[piece.number].removeprefix("##") == plain(text[piece.start : piece.end])


def test_text_head_and_facts_are_cut_at_their_limits() -> None:
    found = pieces("word " * 500, "sender " * 100, *["Monday " * 20] * 20)
    counts = {kind: sum(piece.kind is kind for piece in found) for kind in Kind}
    assert counts[Kind.LAST_STEP] == LONGEST_TEXT + 1
    assert counts[Kind.STEP] == LONGEST_HEAD + 1
    assert counts[Kind.PHONE] == LONGEST_FACTS + 1


def test_only_pieces_of_the_text_have_places() -> None:
    mark, now, *rest = pieces("now", "sms from Ann", "at home")
    assert (now.start, now.end) == (0, 3)
    assert {piece.start for piece in (mark, *rest)} == {-1}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_is_read_like_its_bounded_beginning(text: str) -> None:
    found = pieces(text, text, text)
    assert len(found) <= MARKS + LONGEST_TEXT + LONGEST_HEAD + LONGEST_FACTS
    assert found == pieces(text[:MOST_CHARACTERS], text[:MOST_CHARACTERS], text[:MOST_CHARACTERS])
