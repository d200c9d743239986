"""Converts an incoming text, and what matters about its moment, to the network's input.

The pieces keep their place in the text, so that a span of pieces is a span of characters.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heed.model import Frozen
from models.perceptor.features import Kind
from models.perceptor.tokens import WORD, Vocabulary, plain

LONGEST_TEXT, LONGEST_HEAD, LONGEST_FACTS = 120, 24, 56
"""Pieces of the text, of its head (app, sender) and of the facts; what is longer is cut at the end."""
MOST_CHARACTERS = 4_000
"""Characters of the text, of its head and of a fact that are looked at, which bounds the time for a hostile text."""


class ReaderInput(Frozen):
    """The network's view of an incoming text."""

    head: str
    """Where it came from: app, sender, whether the sender is known."""
    text: str
    """What it says; spans are of this text."""
    facts: tuple[str, ...] = ()
    """Facts of the moment that decide whether it is a need: time, appointments, alarms, place."""


class TextPiece(NamedTuple):
    """A piece of text with its characters."""

    number: int
    """In the vocabulary."""
    kind: Kind
    start: int = -1
    """Index of its first character in the text; -1 = not of the text."""
    end: int = -1
    """Index after its last character."""


def text_pieces(given: ReaderInput, vocabulary: Vocabulary) -> list[TextPiece]:
    """The start mark, the text, the head and the facts, each ended by a mark."""
    end = vocabulary.end
    text = [
        TextPiece(number, Kind.LAST_STEP, first, last)
        for number, first, last in placed(given.text[:MOST_CHARACTERS], vocabulary)
    ][:LONGEST_TEXT]
    head = [TextPiece(number, Kind.STEP) for number in vocabulary.encode(given.head[:MOST_CHARACTERS])][:LONGEST_HEAD]
    said = [fact[:MOST_CHARACTERS] for fact in given.facts]
    facts = [TextPiece(number, Kind.PHONE) for fact in said for number in vocabulary.encode(fact)]
    return [
        TextPiece(vocabulary.start, Kind.MARK),
        *text,
        TextPiece(end, Kind.LAST_STEP),
        *head,
        TextPiece(end, Kind.STEP),
        *facts[:LONGEST_FACTS],
        TextPiece(end, Kind.PHONE),
    ]


def placed(text: str, vocabulary: Vocabulary) -> Iterator[tuple[int, int, int]]:
    """The text's pieces, each with the index of its first character and the one after its last."""
    simple, places = _simple(text)
    for word in WORD.finditer(simple):
        for number, start, end in vocabulary.located(word[0]):
            first, last = places[word.start() + start], places[word.start() + end - 1]
            yield number, first, _after_accents(text, last + 1)


def _after_accents(text: str, end: int) -> int:
    """The index after the accents that are characters of their own and belong to the character before ``end``."""
    return next((at for at in range(end, len(text)) if not unicodedata.combining(text[at])), len(text))


def _simple(text: str) -> tuple[str, Sequence[int]]:
    """The text as the vocabulary has it, and for each of its characters the index in the original."""
    pairs = list(_characters(text))
    return "".join(character for character, _ in pairs), [index for _, index in pairs]


def _characters(text: str) -> Iterator[tuple[str, int]]:
    for index, character in enumerate(text):
        for one in plain(character):
            yield one, index
