"""Recipes as data: which apps, versions and calls each is for, and its steps with slots from the call's arguments.

One YAML file per function lies beside this module: a list of recipes, of which the first that fits the app, its version
and the call is taken. Slots are ``{argument}`` in any text of a step; a step with a slot that the call does not fill is
left out.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import Field, JsonValue, TypeAdapter, ValidationError, field_validator, model_validator

from android_bridge.facts.packages import Package
from executors.steps.player import Leave
from executors.steps.vocabulary import STEPS, AnyStep, finish_of
from function_pool.call import FunctionCall
from function_pool.plugins import installed_pool
from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import msg
from heed.model import Frozen

_SLOT = re.compile(r"\{(\w+)\}", re.ASCII)
_BOUND = re.compile(r"(>=|<=|==|>|<)(\d{1,9}(?:\.\d{1,9}){0,5})", re.ASCII)
_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9}){0,5}", re.ASCII)
_COMPARE = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


class Recipe(Frozen):
    """The steps for one function in one app."""

    app: str = Field(pattern=r"^[A-Za-z][\w.]*$")
    """Package of the app that the page has opened."""
    versions: str = ""
    """Bounds of the app's version name, e.g. ``>=7.0,<8``; empty for any."""
    when: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Values that arguments must have."""
    needs: tuple[str, ...] = ()
    """Arguments without which it is of no use."""
    replaces: tuple[str, ...] = ()
    """Kinds of effects of opening the page that its steps make untrue ("choose the receiver yourself")."""
    leave: Leave = Leave.STAY
    """What happens where it stops."""
    steps: tuple[AnyStep, ...] = Field(min_length=1)
    source: str
    """Where the ids and texts are from."""

    @field_validator("versions")
    @classmethod
    def _readable(cls, versions: str) -> str:
        if any(_BOUND.fullmatch(bound) is None for bound in filter(None, versions.split(","))):
            raise ValueError("versions are bounds such as `>=7.0,<8`")
        return versions

    @model_validator(mode="after")
    def _ends_with_finish(self) -> Self:
        finish_of(self.steps)
        return self

    @property
    def slots(self) -> frozenset[str]:
        """The arguments that its steps use."""
        return frozenset(name for step in self.steps for name in _slots(step))

    def fits(self, call: FunctionCall, app: str) -> bool:
        """Whether it is for this call in this app; the version is compared by ``serves``."""
        given = call.parameters
        return (
            app == self.app
            and set(self.needs) <= given.keys()
            and all(_text(given.get(name, "")) in wanted for name, wanted in self.when.items())
        )

    def serves(self, package: Package | None) -> bool:
        """Whether it is for this version of the app."""
        if package is None:
            return False
        bounds = [_BOUND.fullmatch(bound) for bound in filter(None, self.versions.split(","))]
        found = _NUMBERS.search(package.version)
        if found is None:
            return not bounds
        version = _version(found[0])
        return all(_COMPARE[bound[1]](version, _version(bound[2])) for bound in bounds if bound)

    def filled(self, call: FunctionCall) -> tuple[AnyStep, ...]:
        """Returns the steps with the call's arguments in their slots."""
        values = {name: _text(value) for name, value in call.parameters.items()}
        kept = [step for step in self.steps if _slots(step) <= values.keys()]
        return STEPS.validate_python([_fill(step.model_dump(mode="json"), values) for step in kept])


def has_slot(text: str) -> bool:
    """Whether a text holds what is read as a slot."""
    return _SLOT.search(text) is not None


def _text(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _version(text: str) -> tuple[int, ...]:
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _slots(step: AnyStep) -> set[str]:
    found: set[str] = set()
    _collect(step.model_dump(mode="json"), found)
    return found


def _collect(value: Any, found: set[str]) -> None:
    if isinstance(value, str):
        found.update(_SLOT.findall(value))
    elif isinstance(value, Mapping):
        for inner in value.values():
            _collect(inner, found)
    elif isinstance(value, Sequence):
        for inner in value:
            _collect(inner, found)


def _fill(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _SLOT.sub(lambda slot: values[slot[1]], value)
    if isinstance(value, Mapping):
        return {name: _fill(inner, values) for name, inner in value.items()}
    if isinstance(value, Sequence):
        return [_fill(inner, values) for inner in value]
    return value


_RECIPES: TypeAdapter[tuple[Recipe, ...]] = TypeAdapter(tuple[Recipe, ...])


def read_recipes(text: str, function: str, name: str) -> tuple[Recipe, ...]:
    """Returns the recipes of one file.

    Args:
        text: its YAML.
        function: the function that they are for; its arguments are the slots.
        name: the file's name, for the error.

    Raises ``UsageError`` with each fault of the file.
    """
    found = _parsed(text, name)
    pool = installed_pool()
    if function not in pool:
        raise UsageError(msg("{name}: there is no function {function}.", name=name, function=function), _HELP)
    known = set(pool.get(function).parameters)
    for recipe in found:
        if unknown := sorted((recipe.slots | set(recipe.needs) | set(recipe.when)) - known):
            raise UsageError(
                msg("{name}: {function} has no argument {unknown}.", name=name, function=function, unknown=unknown),
                _HELP,
            )
    return found


def _parsed(text: str, name: str) -> tuple[Recipe, ...]:
    try:
        return _RECIPES.validate_python(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise UsageError(
            msg("{name} is no YAML: {fault}.", name=name, fault=" ".join(str(error).split())), _HELP
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place, fault = ".".join(map(str, first["loc"])), from_library(first["msg"])
        raise UsageError(
            msg("{name} is no list of recipes: {place}: {fault}.", name=name, place=place, fault=fault), _HELP
        ) from error


_HELP = msg("docs/recipes.md describes the format.")


def read_file(path: Path) -> tuple[Recipe, ...]:
    """Returns the recipes of ``FUNCTION.yaml``; raises ``UsageError`` for a file that is none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(msg("{path} cannot be read: {error}", path=path, error=error)) from error
    return read_recipes(text, path.stem, path.name)


def recipes_in(folder: Path) -> Mapping[str, tuple[Recipe, ...]]:
    """Returns the recipes by function: those of the owner's folder first, then heed's own.

    Args:
        folder: the owner's; need not exist.

    Raises ``UsageError`` for a file in it that is no list of recipes.
    """
    own = {path.stem: read_file(path) for path in sorted(folder.glob("*.yaml"))}
    builtin = builtin_recipes()
    return {name: (*own.get(name, ()), *builtin.get(name, ())) for name in {**builtin, **own}}


@cache
def builtin_recipes() -> Mapping[str, tuple[Recipe, ...]]:
    """Returns heed's own recipes by function."""
    folder = files("executors.recipes")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    return {
        name.removesuffix(".yaml"): read_recipes(
            folder.joinpath(name).read_text("utf-8"), name.removesuffix(".yaml"), name
        )
        for name in names
    }
