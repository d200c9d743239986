"""Sentences that the code says in English, in the owner's language: refusals, failures and their remedies.

The English sentence stands where it is raised, and is what logs and the journal keep. ``translation_zh.json`` maps
it, with ``{}`` for every value, to Chinese, where ``{}`` stands for the values in their order and ``{1}`` for the
second. Words that stand as values ("none") are rows without a slot.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from heed.language import Language

_BETWEEN_SENTENCES = re.compile(r"(?<=[.?!…]) (?=\S)")
_LONGEST, _MOST = 800, 12
"""Characters, and sentences, of what is translated; more than that is no message of ours."""


_ANY = "(.+?)"
_FIRST = "((?:(?!: ).)+?)"
"""A value that begins a sentence holds no colon: what stands before one is another sentence's."""


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    words: str
    literal: int
    """Characters of the English that are not values: of two rows that fit, the one with more counts."""


def translate(text: str, language: Language) -> str:
    """``text`` in ``language``: one sentence or several; what the table does not know stays English."""
    if language is Language.EN or len(text) > _LONGEST:
        return text
    return _sentences(text) or text


def _sentences(text: str) -> str | None:
    """The translation of a sentence and of those that follow it; None unless all are known."""
    pieces = _BETWEEN_SENTENCES.split(text)
    if len(pieces) > _MOST:
        return None
    said, rest = "", pieces
    while rest:
        for count in range(1, len(rest) + 1):
            words = _sentence(" ".join(rest[:count]))
            if words is not None:
                said, rest = said + words, rest[count:]
                break
        else:
            return None
    return said


def _sentence(text: str) -> str | None:
    for row in _rows():
        found = row.pattern.fullmatch(text)
        if found is not None:
            return row.words.format(*map(_value, found.groups()))
    return None


def _value(text: str) -> str:
    """A value, which may be a sentence or several faults of its own."""
    return "；".join(_sentences(part) or part for part in text.split("; "))


@cache
def _rows() -> tuple[_Row, ...]:
    rows = (_row(english, words) for english, words in table().items())
    return tuple(sorted(rows, key=lambda row: -row.literal))


def _row(english: str, words: str) -> _Row:
    parts = english.split("{}")
    expression = _ANY.join(map(re.escape, parts))
    if english.startswith("{}"):
        expression = expression.replace(_ANY, _FIRST, 1)
    pattern = re.compile(expression, re.DOTALL)
    return _Row(pattern, words, sum(map(len, parts)))


def table() -> Mapping[str, str]:
    """English templates with their Chinese."""
    rows: dict[str, str] = json.loads(files("heed").joinpath("translation_zh.json").read_text("utf-8"))
    return rows
