"""The specs of the pool, in the benchmark's own schema plus ``scenario`` and ``risk``."""

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import JsonValue, ValidationError

from function_pool.risk import Risk
from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import msg
from heed.model import Frozen

NON_ENUMERABLE = "non-enumerable"

ParameterType = Literal["string", "int", "float", "bool", "list", "dict"]


class Meaning(StrEnum):
    """What a parameter's text stands for: it decides the format and what the text may do if it is not to be trusted."""

    TEXT = "text"
    """Words: a title, a query, a message."""
    CLOCK_TIME = "clock_time"
    """``HH:MM``."""
    DATE = "date"
    """``YYYY-MM-DD``."""
    DATE_TIME = "date_time"
    """``YYYY-MM-DDTHH:MM:SS``, the phone's local time."""
    PHONE_NUMBER = "phone_number"
    EMAIL = "email"
    RECIPIENT = "recipient"
    """Who gets a message, a parcel or money: a name, a number, an address or an account."""
    URL = "url"
    """``https`` (or ``http``) address."""
    FILE = "file"
    """Path or content URI of a file on the phone."""
    AMOUNT = "amount"
    """A sum of money."""
    SECRET = "secret"  # noqa: S105 - the word, not a secret
    """A password: never shown."""


class ParameterSpec(Frozen):
    """One parameter: ``value`` is a list of allowed values, the inner fields of a ``dict``, or "non-enumerable".

    ``meaning``, ``minimum`` and ``maximum`` are heed's own; an official-style pool has none.
    """

    description: str
    type: ParameterType
    must_fill: Literal["required", "optional"]
    value: JsonValue = NON_ENUMERABLE
    meaning: Meaning = Meaning.TEXT
    minimum: float | None = None
    maximum: float | None = None

    @property
    def required(self) -> bool:
        return self.must_fill == "required"

    @property
    def choices(self) -> tuple[JsonValue, ...]:
        """The allowed values (of each item, for a list); empty when anything goes."""
        return tuple(self.value) if isinstance(self.value, list) else ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The inner fields of a ``dict``; empty when the pool names none."""
        return tuple(self.value) if isinstance(self.value, dict) else ()


class FunctionSpec(Frozen):
    """One function of the pool."""

    name: str
    description: str
    similar: tuple[str, ...]
    parameters: Mapping[str, ParameterSpec]
    scenario: str = "Other"
    risk: Risk = Risk.R5
    """The class of an official-style pool that states none is the most careful one."""


class Pool(Frozen):
    """The functions that can be called, in file order (which is the fine-tune's order)."""

    functions: Mapping[str, FunctionSpec]

    def __iter__(self) -> Iterator[FunctionSpec]:  # type: ignore[override]
        return iter(self.functions.values())

    def __contains__(self, name: object) -> bool:
        return name in self.functions

    def __len__(self) -> int:
        return len(self.functions)

    def get(self, name: str) -> FunctionSpec:
        """The spec called ``name``; ``UsageError`` naming near misses when there is none."""
        if name not in self.functions:
            near = get_close_matches(name, self.functions, n=3)
            hint = msg("Did you mean {near}?", near=near) if near else msg("See `heed functions`.")
            raise UsageError(msg("There is no function called {name!r} in the pool.", name=name), hint)
        return self.functions[name]


def parse_pool(raw: object, where: str) -> Pool:
    """A pool from decoded JSON in the benchmark's schema; ``where`` names the file in errors."""
    if not isinstance(raw, dict):
        raise UsageError(msg("{where} is not a function pool: it must be an object of functions by name.", where=where))
    return Pool(functions={name: _parse_spec(name, spec, where) for name, spec in raw.items()})


def _parse_spec(name: str, raw: object, where: str) -> FunctionSpec:
    try:
        spec = FunctionSpec.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([name, *(str(part) for part in first["loc"])])
        raise UsageError(
            msg(
                "{where} is not a function pool: {place}: {fault}.",
                where=where,
                place=place,
                fault=from_library(first["msg"]),
            )
        ) from error
    if spec.name != name:
        raise UsageError(
            msg(
                "{where} is not a function pool: {name} calls itself {spec_name!r}.",
                where=where,
                name=name,
                spec_name=spec.name,
            )
        )
    return spec


def load_pool(path: Path) -> Pool:
    """The pool in a file: ours, or an official-style ``function_pool.json``."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(msg("Cannot read the function pool {path}: {error}.", path=path, error=error)) from error
    return parse_pool(raw, str(path))


@cache
def default_pool() -> Pool:
    """The 63 functions that heed ships."""
    return parse_pool(json.loads(files("function_pool").joinpath("pool.json").read_text("utf-8")), "pool.json")
