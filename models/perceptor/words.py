"""The words of the steps and of the phone as one vector: what the cue table does not know."""

import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from collectors.context import RenderedContext
from models.perceptor.cues import Array, is_chinese, plain, stem

WORDS = 1 << 13
"""Length of the vector; a term has the place that its checksum gives it."""
_TOKEN = re.compile(r"[a-z@_'-]+|[\u4e00-\u9fff]+|\d+[:%]?|[?!]")
_LONGEST = 3
"""Characters of the longest Chinese term."""


def words(said: RenderedContext) -> Array:
    """``(WORDS,)`` floats of length 1 (0 where nothing is said): which terms stand in the steps and on the phone."""
    found: Array = np.zeros(WORDS, dtype=np.float32)
    for text in ("\n".join(said.trace), said.phone):
        found[[_place(term) for term in _terms(text)]] = 1
    return found / max(1.0, float(np.linalg.norm(found)))


def _terms(text: str) -> Iterator[str]:
    """Stems and pairs of stems; every run of up to three Chinese characters; a number as its kind."""
    neighbours: list[str] = []
    for token in _TOKEN.findall(plain(text)):
        if is_chinese(token):
            for size in range(1, _LONGEST + 1):
                yield from (token[at : at + size] for at in range(len(token) - size + 1))
            neighbours.append("@zh")
        else:
            neighbours.append("#" + token.lstrip("0123456789") if token[0].isdigit() else stem(token))
    yield from neighbours
    yield from (" ".join(pair) for pair in pairwise(neighbours))


@lru_cache(maxsize=1 << 15)
def _place(term: str) -> int:
    return zlib.crc32(term.encode()) % WORDS
