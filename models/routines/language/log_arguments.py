"""The arguments of a function that the learned reader recognised in a log line, from one table.

An argument is one of the pool's values, chosen by the words that the line has, or a value that an extractor finds.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from pydantic import Field, JsonValue, TypeAdapter

from heed.model import Frozen
from models.routines.documents import parse_document
from models.routines.language.parameters import EXTRACTORS, ExtractionInput

_TRUTH: Mapping[str, JsonValue] = {"true": True, "false": False}


class ArgumentTable(Frozen):
    """The sources of one function's arguments; see ``log_arguments.yaml``."""

    choose: Mapping[str, Mapping[str, str]] = Field(default_factory=dict)
    otherwise: Mapping[str, JsonValue] = Field(default_factory=dict)
    extract: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    shared: str = ""


class _Choice(NamedTuple):
    value: JsonValue
    said: re.Pattern[str]


@cache
def tables() -> Mapping[str, ArgumentTable]:
    """The table of each function."""
    text = files("models.routines").joinpath("data").joinpath("log_arguments.yaml").read_text("utf-8")
    return parse_document(text, TypeAdapter(dict[str, ArgumentTable]), "log_arguments.yaml")


@cache
def _choices(function: str) -> Mapping[str, tuple[_Choice, ...]]:
    return {
        name: tuple(
            _Choice(_TRUTH.get(value, value), re.compile(said, re.IGNORECASE | re.DOTALL))
            for value, said in values.items()
        )
        for name, values in tables()[function].choose.items()
    }


def arguments(function: str, text: str, inputs: ExtractionInput) -> dict[str, JsonValue]:
    """The arguments that a line states.

    Args:
        function: one that has a table.
        text: the sentence that reports it.
        inputs: the line, for the extractors.
    """
    table = tables()[function]
    chosen = {
        name: next((choice.value for choice in choices if choice.said.search(text)), None)
        for name, choices in _choices(function).items()
    }
    found = {name: _extracted(names, inputs) for name, names in table.extract.items()}
    stated = {name: value for name, value in (*chosen.items(), *found.items()) if value is not None}
    return {**table.otherwise, **stated}


def _extracted(names: tuple[str, ...], inputs: ExtractionInput) -> JsonValue:
    return next((value for name in names if (value := EXTRACTORS[name](inputs)) is not None), None)
