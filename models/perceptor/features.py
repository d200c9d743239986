"""A context in words as the network's input: pieces of text, and of which part of the context each is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain, islice
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


MOST = 184
"""Pieces of a context: a decision then takes about 10 ms on one core. The oldest steps are left out first."""
_LEAST_OF_STEPS = 72
"""So much room is kept for steps, however much profile, world and phone have to say."""
_MOST_OF_PART: Mapping[Kind, int] = {Kind.PROFILE: 40, Kind.WORLD: 18, Kind.PHONE: 76}
_MOST_OF_PHRASE = 60
_PHRASE = re.compile(r"(?<=[;；。!?！？])\s*|(?<=[a-z0-9%'\"”)])\.\s+|(?<=,)\s+|(?<=[，])|\n")


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
    """What the network looks at; at most ``MOST`` pieces."""
    found = pieces(said, vocabulary)
    return Features(
        np.array([piece.number for piece in found], dtype=np.int64),
        np.array([piece.kind for piece in found], dtype=np.int64),
    )


def pieces(said: RenderedContext, vocabulary: Vocabulary) -> list[Piece]:
    """Profile, world, phone, and as many of the latest steps as there is room for; each part ends with a mark."""
    room = MOST - 1
    parts: list[Sequence[Piece]] = []
    for kind, text in ((Kind.PROFILE, said.profile), (Kind.WORLD, said.world), (Kind.PHONE, said.phone)):
        most = min(_MOST_OF_PART[kind], room - _LEAST_OF_STEPS - 1)
        parts.append(_part(kind, phrases(text), most, vocabulary))
        room -= len(parts[-1]) + 1
    steps: list[Sequence[Piece]] = []
    for step in reversed(said.trace):
        part = _part(Kind.STEP if steps else Kind.LAST_STEP, [step], _MOST_OF_PHRASE, vocabulary)
        room -= len(part) + 1
        if room < 0:
            break
        steps.append(part)
    start = Piece(vocabulary.start, Kind.MARK, "")
    return [start, *chain.from_iterable(_ended(part, vocabulary) for part in (*parts, *reversed(steps)))]


def phrases(text: str) -> list[str]:
    """What a text says, fact by fact."""
    return [phrase for phrase in _PHRASE.split(text) if phrase.strip()]


def _part(kind: Kind, said: Sequence[str], most: int, vocabulary: Vocabulary) -> list[Piece]:
    found = (Piece(number, kind, phrase) for phrase in said for number in vocabulary.encode(phrase)[:_MOST_OF_PHRASE])
    return list(islice(found, most))


def _ended(part: Sequence[Piece], vocabulary: Vocabulary) -> Iterator[Piece]:
    yield from part
    yield Piece(vocabulary.end, part[-1].kind if part else Kind.MARK, "")
