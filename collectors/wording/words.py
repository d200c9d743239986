"""The table of words, typed."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from pydantic import Field

from heed.language import Language
from heed.model import Frozen

Phrase = str | tuple[str, ...] | Mapping[bool | str, str]
"""A template; several, of which the first counts whose fields are all there; or words for each value."""
ANY = "*"
"""Stands for every value that has no words of its own."""


class FactWording(Frozen):
    """How one thing is said."""

    en: Phrase
    zh: Phrase
    of: str = ""
    """The field whose value chooses the words; empty = the value itself."""

    def phrase(self, language: Language) -> Phrase:
        return self.zh if language is Language.ZH else self.en


class LanguageStyle(Frozen):
    """How a language writes times, lists and sentences; the fields with braces are templates."""

    moment: str
    date: str
    weekdays: tuple[str, ...] = Field(min_length=7, max_length=7)
    months: tuple[str, ...] = Field(min_length=12, max_length=12)
    comma: str
    semicolon: str
    stop: str
    colon: str
    notifications: str
    notification: str
    messages: str
    message: str
    contacts: str
    contact: str
    events: str
    event: tuple[str, ...]
    missed_calls: str
    missed_call: str
    rates: str
    news: str
    headline: str
    missing: str
    entry: str
    step: str
    places: Mapping[str, str]
    """Words for the locations of log entries that have a name of ours; the empty one is an unknown location."""
    now: str


class VisitWords(Frozen):
    """How a language writes a visit to an app into the long-term log."""

    opened: str
    then: str
    comma: str
    more: str
    deeds: Mapping[str, str]
    """By kind of step; a kind that is not here is not told."""


Sentences = tuple[Mapping[str, FactWording], ...]


class WordingTable(Frozen):
    """The whole table; see the comments in ``words.yaml``."""

    styles: Mapping[Language, LanguageStyle]
    phone: Sentences
    world: Sentences
    steps: Mapping[str, FactWording]
    visits: Mapping[Language, VisitWords]
    triggers: Mapping[str, FactWording]
    sources: Mapping[str, FactWording]
    profile: Mapping[str, str]

    @property
    def facts(self) -> frozenset[str]:
        """The names of the facts that have clauses."""
        return frozenset(name for sentence in (*self.phone, *self.world) for name in sentence)


@cache
def table() -> WordingTable:
    """The words that heed ships."""
    return WordingTable.model_validate(
        yaml.safe_load(files("collectors.wording").joinpath("words.yaml").read_text("utf-8"))
    )
