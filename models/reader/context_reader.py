"""Reads the arguments of a call from a rendered context: the network points at words and chooses allowed values."""

import re
from collections.abc import Mapping
from datetime import datetime

import numpy as np
from pydantic import JsonValue

from collectors.context import RenderedContext
from function_pool.spec import FunctionSpec, Meaning
from heed.language import language_of
from heed.model import Frozen
from models.perceptor.features import Array
from models.perceptor.network import Network, shipped_network, shipped_vocabulary
from models.perceptor.tokens import Vocabulary
from models.reader.choices import choice_outputs
from models.reader.context_input import context_pieces, context_text
from models.reader.reading import role_spans
from models.reader.roles import role_of
from models.reader.usual import usual_value
from models.values import amounts, titles
from models.values.choices import mentioned, named
from models.values.incoming import IncomingText
from models.values.person import Person
from models.values.readers import ValueRequest, reader
from models.values.readers.moments import reading
from models.values.times.wording import day_words

_UNKNOWN_DAY = datetime(2000, 1, 1)  # noqa: DTZ001 - the phone's local time
"""Stands for the day of a context without a date; only the clock times that are read with it are used."""
_MASKED = re.compile(r"\+?\d(?=[\d\s()-]{0,24}(?:[*×•xX…]|\.{2}))[\d\s()*×•xX….-]{2,24}")
"""A number of which only some digits are shown."""
_MENTIONED = 2.0
"""What a value's own words in the context add to its score."""
_ENDS = ("check_out_date", "end_time")
"""Parameters for the end of a range of days."""


class ContextReading(Frozen):
    """The network's result for one function in one context."""

    spans: Mapping[str, str]
    """Parameter -> the words that hold its value; a parameter without a value is absent."""
    choices: Mapping[str, JsonValue]
    """Parameter -> its allowed value; one that is not stated, or has another name, is absent."""


class ContextReader:
    """Reads contexts with a network.

    Args:
        network: the encoder with the reader's adapters.
        vocabulary: its pieces.
    """

    def __init__(self, network: Network, vocabulary: Vocabulary) -> None:
        self._network, self._vocabulary = network, vocabulary

    @classmethod
    def load(cls) -> "ContextReader":
        """The reader that heed ships."""
        return cls(shipped_network(), shipped_vocabulary())

    def read(self, spec: FunctionSpec, said: RenderedContext) -> ContextReading:
        """Where the function's values stand, and which allowed values are meant."""
        pieces = context_pieces(spec.name, said, self._vocabulary)
        found = self._network.read(
            np.array([piece.number for piece in pieces], dtype=np.int64),
            np.array([int(piece.kind) for piece in pieces], dtype=np.int64),
        )
        needed = {role_of(spec.name, name) or "" for name, parameter in spec.parameters.items() if parameter.required}
        text = context_text(said)
        spans = role_spans(text, pieces, found["starts"], found["ends"], needed)
        by_role = {name: spans.get(role_of(spec.name, name) or "", "") for name in spec.parameters}
        return ContextReading(
            spans={name: span for name, span in by_role.items() if span}, choices=_choices(spec, found["choices"], text)
        )

    def arguments(self, spec: FunctionSpec, said: RenderedContext, now: datetime | None) -> dict[str, JsonValue]:
        """The arguments that can be read; a required one may be missing.

        Args:
            spec: the function.
            said: the context.
            now: the phone's clock; without one, times are clock times and days are words.
        """
        read = self.read(spec, said)
        text = context_text(said)
        request = ValueRequest(
            spec,
            "",
            read.spans,
            IncomingText(app="", text=text),
            now or _UNKNOWN_DAY,
            Person(language=language_of(text)),
        )
        found: dict[str, JsonValue] = {}
        for name in spec.parameters:
            value = _choice(spec, name, read)
            if value is None:
                value = usual_value(spec.name, name, request.person.language, found)
            if value is None and (spec.parameters[name].open or not _chosen(spec, name)):
                value = _value(request.for_(name), dated=now is not None)
            if value not in (None, "", []):
                found[name] = value
        return found


def _choice(spec: FunctionSpec, name: str, read: ContextReading) -> JsonValue:
    """A listed value. Of an open list the words of the context name it; an optional one is not chosen without them."""
    parameter = spec.parameters[name]
    if not parameter.open:
        return read.choices.get(name)
    stated = named(spec.name, name, read.spans.get(name, ""), parameter.choices)
    return stated or (read.choices.get(name) if parameter.required else None)


def _chosen(spec: FunctionSpec, name: str) -> bool:
    return f"{spec.name}.{name}" in choice_outputs()


def _choices(spec: FunctionSpec, scores: Array, text: str) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for name, parameter in spec.parameters.items():
        outputs = choice_outputs().get(f"{spec.name}.{name}")
        if outputs is None:
            continue
        unstated, values = scores[outputs.first], scores[outputs.first + 1 : outputs.end]
        if values.max() <= unstated and (parameter.open or not parameter.required):
            continue
        said = mentioned(spec.name, name, text)
        points = values + np.array([_MENTIONED * (value in said) for value in outputs.values], dtype=np.float32)
        found[name] = outputs.values[int(points.argmax())]
    return found


def _value(given: ValueRequest, *, dated: bool) -> JsonValue:
    if not given.span:
        return None
    if given.parameter.meaning is Meaning.AMOUNT:  # as it stands, with its currency
        return amounts.as_stated(given.span, given.text.text) or titles.cleaned(given.span)
    if not dated and given.parameter.meaning in (Meaning.DATE, Meaning.DATE_TIME):
        return _undated(given)
    value = reader(given.spec, given.name)(given)
    if value is None and given.parameter.meaning is Meaning.PHONE_NUMBER:  # masked, as it stands
        return next((match[0].strip() for match in _MASKED.finditer(given.span)), None)
    if value in (None, "", []) and given.parameter.type == "string" and given.parameter.meaning is Meaning.TEXT:
        return titles.cleaned(given.span)
    return value


def _undated(given: ValueRequest) -> JsonValue:
    """A day in the words of a moment without a date; a time of such a day as a clock time."""
    timed = given.parameter.meaning is Meaning.DATE_TIME
    found = reading(given) if timed else None
    if found and found.has_time:
        return str(reader(given.spec, given.name)(given) or "")[11:16] or given.span
    return day_words(given.span, last=given.name in _ENDS, part=timed) or titles.cleaned(given.span)
