"""A taught task as data: its app, its slots and its steps, which are those of recipes."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from pydantic import Field, model_validator

from executors.recipes.recipe import Recipe
from executors.steps.vocabulary import STEPS, AnyStep, finish_of
from function_pool.risk import Risk
from function_pool.spec import FunctionSpec, ParameterSpec
from function_pool.taught import PREFIX, SCENARIO
from heed.model import Frozen

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


class TaughtTask(Frozen):
    """What the owner did once in an app, to be done again."""

    name: str = Field(pattern=rf"^{NAME.pattern}$")
    app: str = Field(pattern=r"^[A-Za-z][\w.]*$")
    """Package of the app; every step is done in it."""
    languages: tuple[str, ...] = Field(min_length=1)
    """The languages that the app had while it was taught, such as ``en``."""
    taught: datetime
    slots: Mapping[str, str] = Field(default_factory=dict)
    """What differs each time: a name, and what it is in the owner's words."""
    steps: tuple[AnyStep, ...] = Field(min_length=1)
    """With ``{slot}`` in their texts. Views have both the words that they show and their place, where it is known."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        finish_of(self.steps)
        if wrong := [slot for slot in self.slots if NAME.fullmatch(slot) is None]:
            raise ValueError(f"no name of a slot: {wrong[0]}")
        if unknown := self.used_slots - set(self.slots):
            raise ValueError(f"the steps use a slot that is not listed: {min(unknown)}")
        return self

    @property
    def used_slots(self) -> frozenset[str]:
        """The slots that its steps use."""
        return self._recipe(self.steps).slots

    @property
    def spec(self) -> FunctionSpec:
        """The task as a function of the pool."""
        told = "".join(f" {slot}: {about}." for slot, about in self.slots.items())
        parameters = {
            slot: ParameterSpec(description=about or slot, type="string", must_fill="required")
            for slot, about in self.slots.items()
        }
        return FunctionSpec(
            name=f"{PREFIX}{self.name}",
            description=f"Does what the owner taught as “{self.name}” in {self.app}.{told}",
            similar=(),
            parameters=parameters,
            scenario=SCENARIO,
            risk=Risk.R2,
        )

    def recipe(self, language: str) -> Recipe:
        """Returns the task as a recipe for an app in ``language``.

        In a language in which it was taught, views are known by their words; in another one by their place, and what
        has only words is then not found.
        """
        known = language in self.languages
        plain = [_in_language(step.model_dump(mode="json"), known=known) for step in self.steps]
        return self._recipe(STEPS.validate_python(plain))

    def _recipe(self, steps: tuple[AnyStep, ...]) -> Recipe:
        return Recipe(app=self.app, steps=steps, source="taught by the owner")


_OWN_WORDS = ("text", "description")


def _in_language(value: Any, *, known: bool) -> Any:
    """Returns a step's data with its locators as one language needs them."""
    if isinstance(value, list):
        return [_in_language(inner, known=known) for inner in value]
    if not isinstance(value, Mapping):
        return value
    inner = {name: _in_language(one, known=known) for name, one in value.items()}
    if inner.get("place") is None:
        return inner
    if known and any(inner.get(name) for name in _OWN_WORDS):
        return {**inner, "place": None}
    return inner if known else {name: one for name, one in inner.items() if name not in _OWN_WORDS}
