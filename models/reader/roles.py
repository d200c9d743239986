"""Roles that a span of a text can have in a call: one role serves the like parameters of many functions."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def _table() -> Mapping[str, Any]:
    text = files("models.reader").joinpath("data", "roles.yaml").read_text("utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found


@cache
def roles() -> tuple[str, ...]:
    """The roles in the order of the network's outputs."""
    return tuple(_table())


def role_of(function: str, parameter: str) -> str | None:
    """The role of a function's parameter; None for one that is never read from a span."""
    for role, parameters in _table().items():
        if parameter in parameters or f"{function}.{parameter}" in parameters:
            return str(role)
    return None
