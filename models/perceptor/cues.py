"""Cues: what is said of each function, and of needs that are open or met, read from a table of words."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import yaml

from collectors.context import RenderedContext

AGES = (1, 2, 4)
"""Steps of the trace are told apart by age: the last one, the one before, two more, the older ones."""
SECTIONS = ("last", "before", "recent", "older", "phone", "profile", "world")
SIGNS = ("closed", "open")
_WORD = re.compile(r"[a-z@_'-]+|[\u4e00-\u9fff]+")
_ENDINGS = re.compile(r"(?:ies|ing|ed|es|s|e|y)$")
_LONGEST = 4
"""Words of the longest English cue; characters of the longest Chinese one are found in the table."""
_BATTERY = re.compile(r"(?:battery|电量)\D{0,16}(\d{1,3}) ?%|(\d{1,3}) ?% (?:battery|电量)")
_LOW = 20
Array = np.ndarray


class Evidence(NamedTuple):
    """What the cues say of a context."""

    functions: Array
    """Functions by ``SECTIONS``: how much each section speaks of each function, 0 and up."""
    signs: Array
    """``SIGNS`` by ``SECTIONS``: how many different words tell of a need that is met or open."""


class Table(NamedTuple):
    """The cues, by their stems."""

    functions: tuple[str, ...]
    weights: Mapping[str, tuple[tuple[int, float], ...]]
    """Of each cue: the functions it speaks of; the fewer, the more it weighs."""
    signs: Mapping[str, int]
    longest: int
    """Characters of the longest Chinese cue."""


@cache
def table() -> Table:
    """The cues that heed ships."""
    raw = yaml.safe_load(files("models.perceptor").joinpath("data").joinpath("cues.yaml").read_text("utf-8"))
    names = tuple(sorted(raw["functions"]))
    owners: dict[str, set[int]] = {}
    for at, name in enumerate(names):
        for cue in _cues(raw["functions"][name]):
            owners.setdefault(cue, set()).add(at)
    signs = {cue: at for at, sign in enumerate(SIGNS) for cue in _cues(raw[sign])}
    chinese = max(len(cue) for cue in (*owners, *signs) if is_chinese(cue))
    weights = {cue: tuple((at, 1 / len(those)) for at in sorted(those)) for cue, those in owners.items()}
    return Table(names, weights, signs, chinese)


def _cues(written: Mapping[str, str]) -> Iterator[str]:
    for text in written.values():
        for cue in text.split(", "):
            yield " ".join(map(stem, _WORD.findall(plain(cue))))


def evidence(said: RenderedContext) -> Evidence:
    """What the cues say of a context, by section."""
    found = [_found(text) for text in _texts(said)]
    return Evidence(
        functions=np.log1p(np.array([one.functions for one in found])).T,
        signs=np.log1p(np.array([one.signs for one in found])).T,
    )


def _texts(said: RenderedContext) -> Sequence[str]:
    steps = list(reversed(said.trace))
    cuts = (0, *AGES, len(steps))
    ages = ["\n".join(steps[start:end]) for start, end in zip(cuts, (*cuts[1:],), strict=False)]
    return (*ages, said.phone, said.profile, said.world)


@lru_cache(maxsize=1 << 10)
def _found(text: str) -> Evidence:
    known = table()
    functions, signs = np.zeros(len(known.functions)), np.zeros(len(SIGNS))
    for term in set(_terms(text, known.longest)):
        for at, weight in known.weights.get(term, ()):
            functions[at] += weight
        if term in known.signs:
            signs[known.signs[term]] += 1
    return Evidence(functions, signs)


def _terms(text: str, longest: int) -> Iterator[str]:
    """The stems of one to four neighbouring words; every run of Chinese characters."""
    simple = plain(text)
    if any(int(low[1] or low[2]) <= _LOW for low in _BATTERY.finditer(simple)):
        yield stem("@low_battery")
    words: list[str] = []
    for token in _WORD.findall(simple):
        if is_chinese(token):
            for size in range(1, longest + 1):
                yield from (token[at : at + size] for at in range(len(token) - size + 1))
        else:
            words.append(stem(token))
    for size in range(1, _LONGEST + 1):
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))


def plain(text: str) -> str:
    """Lower case, full-width forms made plain."""
    return unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'")


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """A word without its commonest endings: "ordered" and "ordering" are the same."""
    short = _ENDINGS.sub("", word)
    return short if len(short) >= 3 else word


def is_chinese(text: str) -> bool:
    """Whether a run of letters is written in Chinese."""
    return text[:1] >= "\u4e00"
