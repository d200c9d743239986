"""A context in words as a vector: hashed words and characters, told apart by where and how late they were said."""

import re
import unicodedata
import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from collectors.context import RenderedContext

SIZE = 1 << 14
"""Length of the vector."""
LATE = 4
"""So many of the last steps of the trace count as the latest."""
_TOKEN = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")
_STEM = 6
"""Letters of an English word that count: "ordered" and "ordering" are the same."""
_NOISE = re.compile(r"\d+")

Vector = np.ndarray


def features(said: RenderedContext) -> Vector:
    """``SIZE`` floats of length 1 (Euclidean)."""
    vector = np.zeros(SIZE, dtype=np.float32)
    for place, weight in _terms(said):
        vector[place] += weight
    vector = np.log1p(vector)
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


def _terms(said: RenderedContext) -> Iterator[tuple[int, float]]:
    """(index, weight) of every term; a term of the trace counts more the later it is."""
    yield from _of(said.profile, "p", 0.5)
    yield from _of(said.phone, "d", 0.7)
    yield from _of(said.world, "w", 0.3)
    steps = said.trace
    for age, step in enumerate(reversed(steps)):
        late = age < LATE
        yield from _of(step, "t", 1.5 if late else 0.7)
        if late:
            yield from _of(step, f"l{min(age, 1)}", 1.5)


def _of(text: str, section: str, weight: float) -> Iterator[tuple[int, float]]:
    for term in terms(text):
        yield _index(term), weight
        yield _index(f"{section}:{term}"), weight


def terms(text: str) -> Iterator[str]:
    """Words and pairs of words of English; pairs and triples of characters of Chinese."""
    plain = _NOISE.sub(" ", unicodedata.normalize("NFKC", text).lower())
    words: list[str] = []
    for token in _TOKEN.findall(plain):
        if token[0] < "{":
            words.append(token[:_STEM])
        else:
            yield from (f"{one}{two}" for one, two in pairwise(token))
            yield from (token[at : at + 3] for at in range(len(token) - 2))
    yield from words
    yield from (f"{one} {two}" for one, two in pairwise(words))


@lru_cache(maxsize=1 << 16)
def _index(term: str) -> int:
    return zlib.crc32(term.encode()) % SIZE
