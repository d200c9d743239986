"""Translates calls of a pool with other names, such as a benchmark's, into calls of heed's pool, by a table.

A fine-tune calls the functions of the pool that it was tuned on. The table says for each of them which function of
heed's does the same, how its parameters are called there, and which values have other names. What is not in the table
has no counterpart: it is neither offered to the model nor guessed.
"""

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, JsonValue, ValidationError

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, Pool
from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import msg
from heed.model import Frozen


class FunctionMap(Frozen):
    """The counterpart of one function."""

    function: str
    """Its name in heed's pool."""
    parameters: Mapping[str, str] = Field(default_factory=dict)
    """Name of a parameter → its name in heed's pool; a field of a ``dict`` parameter is written ``parameter.field``. A
    parameter that is not listed keeps its name if heed's function has one of that name, and is left out otherwise."""
    values: Mapping[str, Mapping[str, JsonValue]] = Field(default_factory=dict)
    """Per parameter of heed's: a value as text → the value in heed's pool; values that are not listed stay."""
    always: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Parameters of heed's that the function implies, with their values."""


class PoolMap(Frozen):
    """The table of one pool."""

    source: str
    """Where the names are from, for whoever checks the table."""
    functions: Mapping[str, FunctionMap]
    """By the names of the other pool."""

    def counterpart(self, name: str) -> str | None:
        """The name in heed's pool of a function of the other pool; None when it has none."""
        return self.functions[name].function if name in self.functions else None

    def covers(self, theirs: Pool, ours: Collection[str]) -> tuple[str, ...]:
        """The functions of ``theirs`` whose counterparts are among ``ours``, in the order of their pool."""
        return tuple(spec.name for spec in theirs if self.counterpart(spec.name) in ours)

    def translated(self, call: FunctionCall, ours: Pool) -> FunctionCall:
        """``call`` in the names of heed's pool, not yet validated; ``UsageError`` when it has no counterpart there."""
        if call.name not in self.functions:
            raise UsageError(msg("The pool map has no counterpart of {name!r}.", name=call.name))
        table = self.functions[call.name]
        known = ours.get(table.function).parameters
        named = {table.parameters.get(name, name): value for name, value in _flat(call.parameters).items()}
        kept = {name: _value(table, name, value) for name, value in named.items() if name in known}
        return FunctionCall(name=table.function, parameters={**table.always, **kept})


def _flat(parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments; those of a ``dict`` parameter as ``parameter.field`` each."""
    flat: dict[str, JsonValue] = {}
    for name, value in parameters.items():
        flat |= {f"{name}.{key}": inner for key, inner in value.items()} if isinstance(value, dict) else {name: value}
    return flat


def _value(table: FunctionMap, name: str, value: JsonValue) -> JsonValue:
    names = table.values.get(name, {})
    if isinstance(value, list):
        return [names.get(str(item), item) for item in value]
    return names.get(str(value), value)


def load_pool_map(path: Path, ours: Pool) -> PoolMap:
    """Returns the table in a YAML file.

    Args:
        path: the file; see ``function_pool/proactivemobile.yaml`` for an example.
        ours: the pool that the table leads to.

    Raises:
        UsageError: the file cannot be read, does not fit, or names a function or parameter that ``ours`` lacks.
    """
    try:
        raw = yaml.safe_load(path.expanduser().read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(msg("Cannot read the pool map {path}: {error}.", path=path, error=error)) from error
    return _parsed(raw, str(path), ours)


@cache
def benchmark_map() -> PoolMap:
    """Returns the table of ProactiveMobile's pool that heed ships."""
    text = files("function_pool").joinpath("proactivemobile.yaml").read_text("utf-8")
    return PoolMap.model_validate(yaml.safe_load(text))


def _parsed(raw: Any, where: str, ours: Pool) -> PoolMap:
    try:
        table = PoolMap.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place, fault = ".".join(map(str, first["loc"])), from_library(first["msg"])
        raise UsageError(
            msg("{where} is not a pool map: {place}: {fault}.", where=where, place=place, fault=fault)
        ) from error
    for name, function in table.functions.items():
        unknown = _unknown(function, ours.get(function.function))
        if unknown:
            raise UsageError(
                msg(
                    "{where} is not a pool map: {name} leads to parameters that {function} lacks: {unknown}.",
                    where=where,
                    name=name,
                    function=function.function,
                    unknown=unknown,
                )
            )
    return table


def _unknown(table: FunctionMap, spec: FunctionSpec) -> list[str]:
    named = {*table.parameters.values(), *table.values, *table.always}
    return sorted(named - spec.parameters.keys())
