"""Matching of allowed values in other spellings: case, spacing, Chinese, common synonyms."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

_IGNORED = re.compile(r"[\s_\-./'’]+")


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Returns the synonyms of each allowed value of the pool (``synonyms.json``)."""
    raw = json.loads(files("function_pool").joinpath("synonyms.json").read_text("utf-8"))
    return {value: tuple(words) for value, words in raw.items()}


def match_choice(text: str, choices: Sequence[JsonValue]) -> str | None:
    """Returns the one allowed value that ``text`` stands for; None when there is none or more than one."""
    if text in choices:
        return text
    wanted = _key(text)
    meant = {str(choice) for choice in choices if wanted in _keys(str(choice))}
    return meant.pop() if len(meant) == 1 else None


@cache
def _keys(choice: str) -> frozenset[str]:
    return frozenset(_key(word) for word in (choice, *synonyms().get(choice, ())))


def _key(text: str) -> str:
    return _IGNORED.sub("", unicodedata.normalize("NFKC", text).casefold())
