"""The table of phrases that rules are written with (``data/phrases.yaml``)."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple, Protocol, TypeVar

from pydantic import Field, JsonValue, TypeAdapter

from heed.language import Language
from heed.model import Frozen
from models.routines.documents import parse_document
from models.routines.rules.value_test import Weekday
from models.routines.wording import Sentence

FormText = Mapping[Language, str]
"""How the form offers a phrase, by language, with ``<name>`` for what is typed; it reads as the phrase itself."""


class Phrase(Protocol):
    """What has patterns to be found by."""

    @property
    def matches(self) -> tuple[str, ...]: ...

    @property
    def form(self) -> FormText: ...


class EventPhrase(Frozen):
    """An event that a rule may begin with, in the form of a situation."""

    matches: tuple[str, ...]
    form: FormText = Field(default_factory=dict)
    when: tuple[str, ...]
    all: tuple[JsonValue, ...] = ()
    because: Sentence
    example: Mapping[str, JsonValue]


class ActionPhrase(Frozen):
    """Something that a rule may propose: a function with its arguments."""

    matches: tuple[str, ...]
    form: FormText = Field(default_factory=dict)
    name: str
    parameters: Mapping[str, JsonValue]
    duration: str = ""
    """The parameter that "until ..." and "for ..." fill, in minutes; empty where the function has none."""


class DaysPhrase(Frozen):
    """Weekdays."""

    matches: tuple[str, ...]
    form: FormText = Field(default_factory=dict)
    days: tuple[Weekday, ...]


class PhraseTable(Frozen):
    """All phrases; of those that match, the first counts, of days all."""

    events: tuple[EventPhrase, ...]
    actions: tuple[ActionPhrase, ...]
    days: tuple[DaysPhrase, ...] = Field(min_length=1)


@cache
def phrase_table() -> PhraseTable:
    """The phrases that heed ships."""
    text = files("models.own_rules").joinpath("data").joinpath("phrases.yaml").read_text("utf-8")
    return parse_document(text, TypeAdapter(PhraseTable), "phrases.yaml")


P = TypeVar("P", bound=Phrase)


class FoundPhrase(NamedTuple):
    """A phrase in a text."""

    number: int
    """Index of the phrase in its list."""
    groups: Mapping[str, str]
    """The texts of the pattern's named groups."""


def find(phrases: Sequence[Phrase], text: str) -> FoundPhrase | None:
    """The first phrase that is in ``text``; None when none is."""
    for index, phrase in enumerate(phrases):
        for pattern in phrase.matches:
            if match := re.search(pattern, text, re.IGNORECASE):
                return FoundPhrase(index, {name: value.strip() for name, value in match.groupdict().items() if value})
    return None


def filled(value: JsonValue, groups: Mapping[str, str]) -> JsonValue:
    """``value`` with each ``<name>`` replaced by a group's text; a lone number becomes one."""
    if isinstance(value, dict):
        return {key: filled(inner, groups) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [filled(inner, groups) for inner in value]
    if not isinstance(value, str):
        return value
    for name, text in groups.items():
        if value == f"<{name}>":
            return int(text) if text.isdecimal() else text
        value = value.replace(f"<{name}>", text)
    return value
