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
    """The kind of a parameter's text.

    It determines the canonical form (``meanings.normalise``) and the risk where a third party could have written the
    text (``assessment.assess``).
    """

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
    """The receiver of a message, a parcel or money: a name, a number, an address or an account."""
    URL = "url"
    """``https`` (or ``http``) address."""
    FILE = "file"
    """Path or content URI of a file on the phone."""
    AMOUNT = "amount"
    """A sum of money."""
    SECRET = "secret"  # noqa: S105 - the word, not a secret
    """A password: never shown."""


class ParameterSpec(Frozen):
    """One parameter of a function.

    The first four fields are the benchmark's schema; ``open``, ``meaning``, ``minimum`` and ``maximum`` are heed's own.
    """

    description: str
    """What the argument is; read by models and shown to people."""
    type: ParameterType
    must_fill: Literal["required", "optional"]
    value: JsonValue = NON_ENUMERABLE
    """A list of allowed values, the inner fields of a ``dict``, or "non-enumerable"."""
    open: bool = False
    """Whether any other name of an app, a shop, a service or a carrier is allowed beside the listed values, which then
    are the common ones. For the type ``string`` with a list."""
    meaning: Meaning = Meaning.TEXT
    """For the types ``string`` and ``list``."""
    minimum: float | None = None
    """Smallest allowed number, in the unit that the description names."""
    maximum: float | None = None
    """Largest allowed number."""

    @property
    def required(self) -> bool:
        return self.must_fill == "required"

    @property
    def choices(self) -> tuple[JsonValue, ...]:
        """The listed values (for a list, of each item); empty when every value is allowed.

        Where ``open`` is set, other names are allowed, too.
        """
        return tuple(self.value) if isinstance(self.value, list) else ()

    def allows(self, value: JsonValue) -> bool:
        """Whether a value is listed, or need not be."""
        return self.open or not self.choices or value in self.choices

    @property
    def fields(self) -> tuple[str, ...]:
        """The inner fields of a ``dict``; empty when the pool names none."""
        return tuple(self.value) if isinstance(self.value, dict) else ()


class FunctionSpec(Frozen):
    """One function of the pool."""

    name: str
    """Identifier in ``snake_case``, unique in the pool."""
    description: str
    """One or two sentences that say what it does and what similar functions are for; models choose by it."""
    similar: tuple[str, ...]
    """Names of functions that could be confused with it."""
    parameters: Mapping[str, ParameterSpec]
    """By name, in the order in which models write them."""
    scenario: str = "Other"
    """The group in which lists show it."""
    risk: Risk = Risk.R5
    """The class of its worst call; R5 for a pool that states none."""


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
        """Returns the spec called ``name``; raises ``UsageError`` that suggests similar names when there is none."""
        if name not in self.functions:
            near = get_close_matches(name, self.functions, n=3)
            hint = msg("Did you mean {near}?", near=near) if near else msg("See `heed functions`.")
            raise UsageError(msg("There is no function called {name!r} in the pool.", name=name), hint)
        return self.functions[name]


def parse_pool(raw: object, where: str) -> Pool:
    """Returns the pool in decoded JSON of the benchmark's schema.

    Args:
        raw: an object of specs by function name.
        where: names the file in errors.

    Raises ``UsageError`` that names the first field which does not fit.
    """
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
    """Returns the pool in a file of the benchmark's schema; raises ``UsageError`` when it cannot be read."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(msg("Cannot read the function pool {path}: {error}.", path=path, error=error)) from error
    return parse_pool(raw, str(path))


@cache
def default_pool() -> Pool:
    """Returns the 63 functions that heed ships."""
    return parse_pool(json.loads(files("function_pool").joinpath("pool.json").read_text("utf-8")), "pool.json")
