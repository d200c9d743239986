"""Words of appointments and messages by what they say of them, from ``event_words.yaml``."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import JsonValue, TypeAdapter

from heed.model import Frozen
from models.routines.documents import parse_document

LONGEST = 400
"""Characters of a text that are read."""


class _Words(Frozen):
    """One table: English words and phrases, matched as whole words with a plural; Chinese ones anywhere."""

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()
    zh_ends: tuple[str, ...] = ()
    """Chinese ones that count where a text, or a part of it before punctuation, ends."""

    def pattern(self) -> re.Pattern[str]:
        english = "|".join(re.escape(word) for word in self.en)
        ends = "|".join(re.escape(word) for word in self.zh_ends)
        parts = (
            rf"(?<![a-z])(?:{english})(?:e?s)?(?![a-z])" if english else "",
            "|".join(re.escape(word) for word in self.zh),
            rf"(?:{ends})(?=$|[\s\W\d])" if ends else "",
        )
        return re.compile("|".join(part for part in parts if part))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    text = files("models.routines").joinpath("data").joinpath("event_words.yaml").read_text("utf-8")
    tables = parse_document(text, TypeAdapter(dict[str, _Words]), "event_words.yaml")
    return {name: words.pattern() for name, words in tables.items()}


def known_tables(names: tuple[str, ...]) -> tuple[str, ...]:
    """``names``; ``ValueError`` when one of them is no table."""
    unknown = sorted(set(names) - _patterns().keys())
    if unknown:
        raise ValueError(f"there are no words called {', '.join(unknown)}; known are {', '.join(_patterns())}")
    return names


def has_word(value: JsonValue, tables: tuple[str, ...]) -> bool:
    """Whether ``value`` is a text with a word of one of the tables."""
    if not isinstance(value, str):
        return False
    text = value[:LONGEST].casefold().replace("’", "'")
    return any(_patterns()[name].search(text) for name in tables)
