"""The network's outputs for parameters with a list of allowed values, and for switches."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import yaml
from pydantic import JsonValue


class ChoiceOutputs(NamedTuple):
    """The outputs of one parameter."""

    first: int
    """The output of "not stated"; those of the values follow."""
    values: Sequence[JsonValue]

    @property
    def end(self) -> int:
        return self.first + 1 + len(self.values)


@cache
def choice_outputs() -> Mapping[str, ChoiceOutputs]:
    """``FUNCTION.PARAMETER`` -> its outputs."""
    text = files("models.reader").joinpath("data", "choices.yaml").read_text("utf-8")
    found: dict[str, ChoiceOutputs] = {}
    first = 0
    for name, values in yaml.safe_load(text).items():
        found[name] = ChoiceOutputs(first, tuple(values))
        first = found[name].end
    return found


def choice_count() -> int:
    """Number of outputs."""
    return max(outputs.end for outputs in choice_outputs().values())
