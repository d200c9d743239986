"""Tokenises text: Latin words into the pieces of BERT's vocabulary, Chinese by the longest known words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from heed.language import HAN

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
_HAN = re.compile(rf"[{HAN}]")
WORD = re.compile(rf"[{HAN}]+|(?:(?![{HAN}])[^\W_])+|[^\w\s]|_")
"""A run of Chinese characters, another word, or a single sign."""
LONGEST_HAN, _LONGEST_LATIN = 5, 40
"""Characters of the longest word in a vocabulary; a longer Latin one (an address, a key) is unknown."""
_REST = "##"
"""Marks a piece that goes on with a word."""
_DROPPED = frozenset((*",:'\"-“”‘’「」『』()[]《》、/_*…·", "the", "a", "an", "的"))
"""Pieces with little information, a sixth to a fifth of a text, which are dropped to save room."""


class Vocabulary:
    """The pieces that the network knows.

    Args:
        pieces: in the order of their numbers, from 0; among them ``[UNK]``, ``[CLS]`` and ``[SEP]``.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = tuple(pieces)
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self.unknown, self.start, self.end = (self._numbers[name] for name in (UNKNOWN, START, END))
        self._unheard = frozenset(self._numbers[piece] for piece in _DROPPED if piece in self._numbers)
        self._pieces_of = lru_cache(maxsize=1 << 14)(self._cut)

    def encode(self, text: str) -> list[int]:
        """The numbers of the text's pieces, but for commas, quotes and articles; nothing for an empty text."""
        found = (number for word in WORD.findall(plain(text)) for number in self._pieces_of(word))
        return [number for number in found if number not in self._unheard]

    def located(self, word: str) -> Iterator[tuple[int, int, int]]:
        """A plain word's pieces, each with the index of its first character and the one after its last."""
        pieces = self._pieces_of(word)
        at = 0
        for number in pieces:
            size = self._length(number, word, at, alone=len(pieces) == 1)
            if number not in self._unheard:
                yield number, at, at + size
            at += size

    def _length(self, number: int, word: str, at: int, *, alone: bool) -> int:
        if number != self.unknown:
            return len(self._pieces[number].removeprefix(_REST) if at else self._pieces[number])
        return len(word) - at if alone else 1

    def _cut(self, word: str) -> tuple[int, ...]:
        return tuple(self._chinese(word)) if is_chinese(word) else self._latin(word)

    def _chinese(self, run: str) -> Iterator[int]:
        at = 0
        while at < len(run):
            sizes = range(min(LONGEST_HAN, len(run) - at), 0, -1)
            size = next((size for size in sizes if run[at : at + size] in self._numbers), 1)
            yield self._numbers.get(run[at : at + size], self.unknown)
            at += size

    def _latin(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        at = 0 if len(word) <= _LONGEST_LATIN else len(word)
        while at < len(word):
            mark = _REST if at else ""
            end = next((end for end in range(len(word), at, -1) if mark + word[at:end] in self._numbers), None)
            if end is None:
                return (self.unknown,)
            found.append(self._numbers[mark + word[at:end]])
            at = end
        return tuple(found) or (self.unknown,)


def plain(text: str) -> str:
    """Lower case, no accents, full-width forms made ordinary."""
    parts = unicodedata.normalize("NFKD", text).lower()
    return unicodedata.normalize("NFKC", "".join(char for char in parts if not unicodedata.combining(char)))


def is_chinese(text: str) -> bool:
    """Whether a run of letters is written in Chinese."""
    return bool(_HAN.match(text))
