"""Converts a request to the inputs of its linear model: the network's states of its pieces, and its hashed words."""

import re
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from heed.language import HAN
from models.perceptor.features import Array
from models.perceptor.network import Network
from models.perceptor.tokens import Vocabulary, plain
from models.reader.text_input import ReaderInput, TextPiece, text_pieces

BUCKETS = 4096
"""Rows of the table of hashed words."""
HASHED_SCALE = 4.0
"""Factor of the hashed words beside the states."""
_WORD = re.compile(rf"[{HAN}]|[a-z]+|\d+|[^\w\s]")
_STEM = 4
"""Letters that the forms of an English word share."""


class RequestFeatures(NamedTuple):
    """The inputs for one request."""

    text: str
    pieces: Sequence[TextPiece]
    outputs: Mapping[str, Array]
    """The network's outputs (``Network.read``)."""
    summary: Array
    """``(1152,)``: the state of the start mark, the mean and the maximum of the states of the text's pieces."""
    buckets: Sequence[int]
    """The hashed words, ascending."""


def request_features(text: str, network: Network, vocabulary: Vocabulary) -> RequestFeatures:
    """The inputs for a request."""
    pieces = text_pieces(ReaderInput(head="", text=text), vocabulary)
    outputs = network.read(
        np.array([piece.number for piece in pieces], dtype=np.int64),
        np.array([int(piece.kind) for piece in pieces], dtype=np.int64),
    )
    states = outputs["states"]
    said = states[[number for number, piece in enumerate(pieces) if piece.start >= 0] or [0]]
    summary = np.concatenate([states[0], said.mean(axis=0), said.max(axis=0)])
    return RequestFeatures(text, pieces, outputs, summary, hashed_words(text))


def hashed_words(text: str) -> list[int]:
    """The buckets of a text's words, Chinese characters, stems and pairs of neighbours; a number is any number."""
    words = ["0" if word.isdigit() else word for word in _WORD.findall(plain(text))]
    ended = ["^", *words, "$"]
    pairs = (f"{first} {second}" for first, second in pairwise(ended))
    stems = (f"stem {word[:_STEM]}" for word in words if word.isascii() and len(word) > _STEM)
    return sorted({zlib.crc32(feature.encode()) % BUCKETS for feature in (*words, *pairs, *stems)})
