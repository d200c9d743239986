"""The present moment as habits and situations see it: the context, and what its trigger's text is about."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from collectors.context import Context
from function_pool.call import Basis
from heed.trust import Trust
from models.routines.language.entities import TextEntity
from models.routines.language.lexicon import Lexicon
from models.routines.language.parsed_text import objects_in, parse

TEXT_KEYS = ("title", "text", "body", "description", "message")
"""Trigger data that people or apps wrote, in reading order."""
NUMBER_KEYS = ("number", "phone_number", "address", "sender")
CONVERSATION_KEYS = ("channel", "conversation", "group", "title", "sender")
MEASURE_KEYS = ("level", "percent")
TRIGGER_FACT = "trigger"
"""Facts of the trigger itself are called ``trigger.<key>`` as a basis."""


class CurrentMoment(NamedTuple):
    """A context with its trigger's text understood."""

    context: Context
    text: str
    """Everything readable in the trigger's data."""
    things: frozenset[str]
    """Things of the lexicon that the text mentions."""
    about: frozenset[str]
    """Those of them that a reaction may depend on."""
    entities: tuple[TextEntity, ...]
    """Values in the text."""

    def data(self, *keys: str) -> tuple[str, JsonValue] | None:
        """The first of these keys in the trigger's data that has a value, with the value."""
        found = ((key, self.context.trigger.data.get(key)) for key in keys)
        return next(((key, value) for key, value in found if value not in (None, "")), None)

    def entity(self, kind: str) -> str | None:
        """The first value of this kind in the trigger's text."""
        return next((entity.value for entity in self.entities if entity.kind == kind), None)

    def from_trigger(self, key: str) -> Basis:
        """The basis of a value that came with the trigger."""
        return Basis(fact=f"{TRIGGER_FACT}.{key}", trust=self.context.trigger.trust)

    def from_fact(self, name: str) -> Basis:
        """The basis of a value that a fact gave."""
        fact = self.context.fact(name)
        return Basis(fact=name, trust=fact.trust if fact else Trust.DEVICE)


def current_moment(context: Context, lexicon: Lexicon) -> CurrentMoment:
    """The context with its trigger's text read."""
    text = " . ".join(_texts(context))
    parsed = parse(lexicon, text, context.now.date())
    things = objects_in(parsed, range(len(text)))
    return CurrentMoment(context, text, things, lexicon.telling(things), parsed.entities)


def _texts(context: Context) -> Iterator[str]:
    data = context.trigger.data
    yield from (str(data[key]) for key in TEXT_KEYS if data.get(key))


def is_unknown_number(context: Context) -> bool:
    """Whether the number that the trigger came from is known to be no contact's.

    A trigger without a ``contact`` says that the contacts were not read: whose number it is stays unknown.
    """
    data = context.trigger.data
    return any(data.get(key) for key in NUMBER_KEYS) and "contact" in data and not data["contact"]
