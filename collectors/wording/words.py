"""The schema of ``words.yaml``."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from pydantic import Field

from heed.language import Language
from heed.model import Frozen

Phrase = str | tuple[str, ...] | Mapping[bool | str, str]
"""A template; several templates, of which the first with all fields present is used; or words per value."""
ANY = "*"
"""The key for all values without words of their own."""


class FactWording(Frozen):
    """The words for one fact, step or trigger."""

    en: Phrase
    zh: Phrase
    of: str = ""
    """The field whose value chooses the words; empty = the value itself."""

    def phrase(self, language: Language) -> Phrase:
        return self.zh if language is Language.ZH else self.en


class LanguageStyle(Frozen):
    """Templates and words of one language for times, lists and sentences."""

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
    answered: str
    """A sender without a name to whom the owner has written, or whom the owner has called."""
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
    done: str
    undone: str
    """An action of heed, and one that was undone."""
    step: str
    places: Mapping[str, str]
    """Words for the place names in log entries (``home``, ``work``); the empty key is an unknown location."""
    now: str


class VisitWords(Frozen):
    """Templates and words of one language for a visit to an app in the behaviour log."""

    opened: str
    then: str
    comma: str
    more: str
    actions: Mapping[str, str] = Field(alias="deeds")
    """Templates by kind of step; steps of other kinds are left out."""


Sentences = tuple[Mapping[str, FactWording], ...]


class WordingTable(Frozen):
    """The whole of ``words.yaml``; see the comments there."""

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
    """Loads the table that heed ships."""
    return WordingTable.model_validate(
        yaml.safe_load(files("collectors.wording").joinpath("words.yaml").read_text("utf-8"))
    )
