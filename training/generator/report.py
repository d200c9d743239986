"""Figures of a set of records: counts, shares and near-duplicates."""

import random
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from heed.model import Frozen
from training.generator.records import Record

NEAR = 0.9
"""Records are near-duplicates when their sets of shingles have this Jaccard similarity."""
_WORD = re.compile(r"[^\W_]+")
_BANDS, _ROWS = 4, 4
_PRIME = (1 << 31) - 1


class GeneratorReport(Frozen):
    """Figures of a set of records."""

    records: int
    no_action: float
    near_duplicates: float
    functions: int
    languages: dict[str, int]
    scenarios: dict[str, int]
    templates: int


def describe(records: Sequence[Record]) -> GeneratorReport:
    """The figures of ``records``."""
    names = {call["name"] for record in records for answer in record["recommendation"] for call in answer["function"]}
    silent = sum(not any(answer["function"] for answer in record["recommendation"]) for record in records)
    told = [record["benchmark_metadata"] for record in records]
    return GeneratorReport(
        records=len(records),
        no_action=silent / len(records),
        near_duplicates=near_duplicates(map(text_of, records)) / len(records),
        functions=len(names),
        languages=dict(Counter(one["language"] for one in told)),
        scenarios=dict(Counter(one["scenario"] for one in told)),
        templates=len({one["template"] for one in told}),
    )


def text_of(record: Record) -> str:
    """All words of a record's context."""
    said = record["reference_information"]
    return "\n".join((said["profile"], said["phone"], said["world"], *map(str, said["trace"])))


def near_duplicates(texts: Iterable[str]) -> int:
    """The number of texts that nearly equal an earlier one."""
    seen = DuplicateFilter()
    return sum(map(seen.is_duplicate, texts))


class DuplicateFilter:
    """Detects near-duplicates among texts (MinHash candidates, then the exact Jaccard similarity)."""

    def __init__(self) -> None:
        chance = random.Random(0)  # noqa: S311 - reproducible, not secret
        self._factors = np.array([[chance.randrange(1, _PRIME)] for _ in range(_BANDS * _ROWS)], dtype=np.uint64)
        self._shingles: list[np.ndarray] = []
        self._buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)

    def is_duplicate(self, text: str) -> bool:
        """Whether ``text`` nearly equals an earlier one; adds it to the earlier ones."""
        shingles = _shingles(text)
        least = (shingles[None, :] * self._factors % _PRIME).min(axis=1).reshape(_BANDS, _ROWS)
        keys = [(band, least[band].tobytes()) for band in range(_BANDS)]
        near = {other for key in keys for other in self._buckets[key]}
        found = any(_similarity(shingles, self._shingles[other]) >= NEAR for other in near)
        for key in keys:
            self._buckets[key].append(len(self._shingles))
        self._shingles.append(shingles.astype(np.uint32))
        return found


def _shingles(text: str) -> np.ndarray:
    """Hashes of the text's pairs of neighbouring words; a run of Chinese without spaces is cut at its marks."""
    words = _WORD.findall(text)
    return np.unique([zlib.crc32(f"{one} {two}".encode()) for one, two in pairwise(words)]).astype(np.uint64)


def _similarity(one: np.ndarray, other: np.ndarray) -> float:
    common = len(np.intersect1d(one, other))
    return common / (len(one) + len(other) - common)
