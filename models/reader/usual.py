"""Values that a moment calls for but seldom states, such as how a display setting is to change."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import JsonValue

from heed.language import Language


@cache
def usual_values() -> Mapping[str, Any]:
    """``FUNCTION.PARAMETER`` -> language -> the value, or another parameter and the value for each of its values."""
    text = files("models.reader").joinpath("data", "usual.yaml").read_text("utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found


def usual_value(function: str, parameter: str, language: Language, others: Mapping[str, JsonValue]) -> str | None:
    """The usual value of a parameter, given the values of the ``others``; None where there is none."""
    stated = usual_values().get(f"{function}.{parameter}", {}).get(language)
    if isinstance(stated, Mapping):
        ((other, values),) = stated.items()
        stated = values.get(others.get(other))
    return None if stated is None else str(stated)
