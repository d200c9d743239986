"""Allowed values that the words of a request name."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml
from pydantic import JsonValue

from models.values.choices import pattern
from models.values.folding import fold


@cache
def _table() -> Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]:
    text = files("models.requests").joinpath("data", "words.yaml").read_text("utf-8")
    return {
        name: tuple((str(value), re.compile("|".join(map(pattern, words)))) for value, words in rows.items())
        for name, rows in yaml.safe_load(text).items()
    }


def has_words(function: str, parameter: str) -> bool:
    """Whether requests have words of their own for a parameter."""
    return f"{function}.{parameter}" in _table()


def named_value(function: str, parameter: str, text: str, allowed: Sequence[JsonValue]) -> str | None:
    """The first allowed value that a text names; None where it names none."""
    folded = fold(text)
    rows = _table().get(f"{function}.{parameter}", ())
    return next((value for value, words in rows if value in allowed and words.search(folded)), None)
