"""Runs the reader's part of the network on one text."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from heed.model import Frozen
from models.perceptor.features import Array
from models.perceptor.network import Network, shipped_network, shipped_vocabulary
from models.perceptor.perceptor import shipped_card
from models.perceptor.tokens import Vocabulary
from models.reader.roles import role_of, roles
from models.reader.text_input import ReaderInput, TextPiece, text_pieces

MOST_FUNCTIONS = 5
"""Functions of a reading, likeliest first."""
_LONGEST_SPAN = 40
"""Pieces of the longest value."""


class TextReading(Frozen):
    """The reader's result for one text."""

    need: float
    """Log-odds that the text calls for something."""
    functions: tuple[tuple[str, float], ...]
    """The likeliest functions with their shares."""
    spans: Mapping[str, str]
    """Role -> the part of the text that holds its value; a role without a value is absent."""

    def spans_of(self, function: str, parameters: Sequence[str]) -> dict[str, str]:
        """The spans by the parameters of a function."""
        named = {parameter: role_of(function, parameter) for parameter in parameters}
        return {parameter: self.spans[role] for parameter, role in named.items() if role and role in self.spans}


class TextReader:
    """Reads texts with a network.

    Args:
        network: the encoder with the reader's adapters.
        vocabulary: its pieces.
        functions: the names of its function scores, in their order.
    """

    def __init__(self, network: Network, vocabulary: Vocabulary, functions: Sequence[str]) -> None:
        self._network, self._vocabulary, self._functions = network, vocabulary, tuple(functions)

    @classmethod
    def load(cls) -> "TextReader":
        """The reader that heed ships."""
        return cls(shipped_network(), shipped_vocabulary(), shipped_card().functions)

    def read(self, given: ReaderInput) -> TextReading:
        """Whether the text calls for something, for which functions, and where their values stand."""
        pieces = text_pieces(given, self._vocabulary)
        found = self._network.read(
            np.array([piece.number for piece in pieces], dtype=np.int64),
            np.array([int(piece.kind) for piece in pieces], dtype=np.int64),
        )
        shares = _softmax(found["functions"])
        best = np.argsort(-shares)[:MOST_FUNCTIONS]
        return TextReading(
            need=float(found["need"][0]),
            functions=tuple((self._functions[number], float(shares[number])) for number in best),
            spans=dict(role_spans(given.text, pieces, found["starts"], found["ends"])),
        )


def _softmax(scores: Array) -> Array:
    odds = np.exp(scores - scores.max())
    shares: Array = odds / odds.sum()
    return shares


def role_spans(
    text: str, pieces: Sequence[TextPiece], starts: Array, ends: Array, needed: Collection[str] = ()
) -> Mapping[str, str]:
    """Role -> the part of the text that most probably holds its value.

    A role may be without a value, but for those in ``needed``.
    """
    marks = np.array([number > 0 and piece.start < 0 for number, piece in enumerate(pieces)])
    parts = np.cumsum(marks)
    starts, ends = (np.where(marks[:, None], -math.inf, scores) for scores in (starts, ends))
    found: dict[str, str] = {}
    for number, role in enumerate(roles()):
        none = -math.inf if role in needed else starts[0, number]
        first, last = best_span(np.append(none, starts[1:, number]), ends[:, number], parts)
        if first:
            found[role] = _whole_words(text, pieces[first].start, pieces[last].end)
    return found


def _whole_words(text: str, start: int, end: int) -> str:
    """A part of a text with the rest of the Latin words that it cuts."""
    while 0 < start < len(text) and _joins(text[start - 1], text[start]):
        start -= 1
    while 0 < end < len(text) and _joins(text[end - 1], text[end]):
        end += 1
    return text[start:end]


def _joins(first: str, second: str) -> bool:
    """Whether two neighbours are of one Latin word or number."""
    return all(one.isascii() and (one.isalnum() or one in "'_") for one in (first, second))


def best_span(starts: Array, ends: Array, parts: Array | None = None) -> tuple[int, int]:
    """The likeliest first and last piece, both of one part; (0, 0) where none is likelier."""
    score = starts[:, None] + ends[None, :]
    place = np.arange(len(starts))
    behind = place[None, :] - place[:, None]
    score = np.where((behind >= 0) & (behind < _LONGEST_SPAN), score, -math.inf)
    if parts is not None:
        score = np.where(parts[None, :] == parts[:, None], score, -math.inf)
    score[0, 1:] = -math.inf
    best = int(score.argmax())
    return best // len(starts), best % len(starts)
