"""Converts a rendered context to the network's input: pieces of text, each with its part of the context."""

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from itertools import chain
from typing import NamedTuple

import numpy as np

from collectors.context import RenderedContext
from models.perceptor.tokens import Vocabulary

Array = np.ndarray


class Kind(IntEnum):
    """Which part of the context a piece belongs to."""

    MARK = 0
    PROFILE = 1
    WORLD = 2
    PHONE = 3
    STEP = 4
    LAST_STEP = 5


MOST = 288
"""Pieces of a context: each costs time (``bench/decide.py``). The oldest steps are left out first."""
_SHARES: Mapping[Kind, float] = {Kind.PROFILE: 0.22, Kind.WORLD: 0.12, Kind.PHONE: 0.28, Kind.STEP: 0.38}
"""Of the room, where every part has more to say than there is room for; what one does not need goes to the others."""
_MOST_OF_PHRASE = 100
"""Less than the steps' share, so that the last one always has room."""
PHRASE_END = re.compile(r"(?<=[;；。!?！？])\s*|(?<=[a-z0-9%'\"”)])\.\s+|(?<=,)\s+|(?<=[，])|\n")


class Piece(NamedTuple):
    """A piece of text."""

    number: int
    """In the vocabulary."""
    kind: Kind
    phrase: str
    """The fact, clause or step that it belongs to; empty for a mark."""


class Features(NamedTuple):
    """The network's input for one context, by their names there; whole numbers, one per piece."""

    pieces: Array
    """``(n,)``: numbers in the vocabulary."""
    kinds: Array
    """``(n,)``: ``Kind`` of each piece."""


def features(said: RenderedContext, vocabulary: Vocabulary) -> Features:
    """The network's input for a context; at most ``MOST`` pieces."""
    found = pieces(said, vocabulary)
    return Features(
        np.array([piece.number for piece in found], dtype=np.int64),
        np.array([piece.kind for piece in found], dtype=np.int64),
    )


def pieces(said: RenderedContext, vocabulary: Vocabulary) -> list[Piece]:
    """Profile, world, phone, and as many of the latest steps as there is room for; each part ends with a mark."""
    texts = ((Kind.PROFILE, said.profile), (Kind.WORLD, said.world), (Kind.PHONE, said.phone))
    parts = {kind: _ended(_part(kind, phrases(text), vocabulary), vocabulary) for kind, text in texts}
    last = len(said.trace) - 1
    steps = [
        _ended(_part(Kind.LAST_STEP if number == last else Kind.STEP, [step], vocabulary), vocabulary)
        for number, step in enumerate(said.trace)
    ]
    sizes = {kind: len(part) for kind, part in parts.items()} | {Kind.STEP: sum(map(len, steps))}
    room = rooms(sizes, MOST - 1)
    cut = [[*part[: room[kind] - 1], part[-1]] for kind, part in parts.items()]
    start = Piece(vocabulary.start, Kind.MARK, "")
    return [start, *chain.from_iterable(cut), *chain.from_iterable(_latest(steps, room[Kind.STEP]))]


def rooms(sizes: Mapping[Kind, int], room: int) -> dict[Kind, int]:
    """How many pieces each part gets: all of its own, or its share of what the smaller ones leave."""
    found: dict[Kind, int] = {}
    smallest_first = sorted(sizes, key=lambda kind: sizes[kind] / _SHARES[kind])
    for number, kind in enumerate(smallest_first):
        share = _SHARES[kind] / sum(_SHARES[other] for other in smallest_first[number:])
        # A share that should come out whole may fall short by a rounding error.
        found[kind] = min(sizes[kind], int(room * share + 1e-9))
        room -= found[kind]
    return found


def _latest(steps: Sequence[Sequence[Piece]], room: int) -> list[Sequence[Piece]]:
    left = room - np.cumsum([len(step) for step in reversed(steps)], dtype=int)
    fitting = int((left >= 0).sum())
    return list(steps[len(steps) - fitting :])


def phrases(text: str) -> list[str]:
    """Splits a text into facts and clauses."""
    return [phrase for phrase in PHRASE_END.split(text) if phrase.strip()]


def _part(kind: Kind, said: Sequence[str], vocabulary: Vocabulary) -> list[Piece]:
    return [Piece(number, kind, phrase) for phrase in said for number in vocabulary.encode(phrase)[:_MOST_OF_PHRASE]]


def _ended(part: Sequence[Piece], vocabulary: Vocabulary) -> list[Piece]:
    return [*part, Piece(vocabulary.end, part[-1].kind if part else Kind.MARK, "")]
