"""The current context together with what its trigger's text mentions: the input of habits and situations."""

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
"""Keys of trigger data that hold text written by people or apps, in reading order."""
NUMBER_KEYS = ("number", "phone_number", "address", "sender")
CONVERSATION_KEYS = ("channel", "conversation", "group", "title", "sender")
MEASURE_KEYS = ("level", "percent")
TRIGGER_FACT = "trigger"
"""A value from the trigger's data has the basis ``trigger.<key>``."""


class CurrentMoment(NamedTuple):
    """A context with its trigger's text parsed."""

    context: Context
    text: str
    """All texts of the trigger's data, joined."""
    objects: frozenset[str]
    """Object classes of the lexicon that the text mentions."""
    about: frozenset[str]
    """Those of them that a reaction may depend on."""
    entities: tuple[TextEntity, ...]
    """Entities in the text."""

    def data(self, *keys: str) -> tuple[str, JsonValue] | None:
        """The first of ``keys`` that has a value in the trigger's data, with the value."""
        found = ((key, self.context.trigger.data.get(key)) for key in keys)
        return next(((key, value) for key, value in found if value not in (None, "")), None)

    def entity(self, kind: str) -> str | None:
        """The first entity of this kind in the trigger's text."""
        return next((entity.value for entity in self.entities if entity.kind == kind), None)

    def from_trigger(self, key: str) -> Basis:
        """The basis of a value that came with the trigger."""
        return Basis(fact=f"{TRIGGER_FACT}.{key}", trust=self.context.trigger.trust)

    def from_fact(self, name: str) -> Basis:
        """The basis of a value that a fact gave."""
        fact = self.context.fact(name)
        return Basis(fact=name, trust=fact.trust if fact else Trust.DEVICE)

    def basis_of(self, name: str) -> Basis:
        """The basis of a fact, or of a value of the trigger (``trigger`` and ``trigger.<key>``)."""
        if name.partition(".")[0] == TRIGGER_FACT:
            return Basis(fact=name, trust=self.context.trigger.trust)
        return self.from_fact(name)


def current_moment(context: Context, lexicon: Lexicon) -> CurrentMoment:
    """Parses the text of the context's trigger."""
    text = " . ".join(_texts(context))
    parsed = parse(lexicon, text, context.now.date())
    objects = objects_in(parsed, range(len(text)))
    return CurrentMoment(context, text, objects, lexicon.distinguishing(objects), parsed.entities)


def _texts(context: Context) -> Iterator[str]:
    data = context.trigger.data
    yield from (str(data[key]) for key in TEXT_KEYS if data.get(key))


def is_unknown_number(context: Context) -> bool:
    """Whether the trigger's number is known to belong to no contact.

    Without a ``contact`` in the trigger's data the contacts were not read, and the answer is False.
    """
    data = context.trigger.data
    return any(data.get(key) for key in NUMBER_KEYS) and "contact" in data and not data["contact"]
