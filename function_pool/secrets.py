"""Secret arguments (passwords) in clear only in memory: everything that is written or shown has a placeholder."""

import json
import shlex
from collections.abc import Iterable
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import JsonValue

T = TypeVar("T")

CONCEALED = "[secret]"
"""Stands for a secret wherever a call or a step is written or shown."""
_SHORT = 4
"""A shorter secret is replaced only where it is the whole text, not inside other words."""


def texts_of(value: JsonValue) -> frozenset[str]:
    """The texts that a secret argument consists of."""
    if isinstance(value, dict):
        return frozenset(text for item in value.values() for text in texts_of(item))
    if isinstance(value, list):
        return frozenset(text for item in value for text in texts_of(item))
    return frozenset({str(value)}) if value not in (None, "") else frozenset()


def conceal(value: T, secrets: Iterable[str]) -> T:
    """``value`` (text, or lists, tuples and objects of texts) without the secrets, however they are quoted in it."""
    longest_first = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    return _without(value, longest_first) if longest_first else value


def _forms(secret: str) -> set[str]:
    """As it is, quoted for a shell, percent-encoded in two ways, and inside a JSON text."""
    quoted = shlex.quote(secret)
    return {
        secret,
        quoted,
        quoted.removeprefix("'").removesuffix("'"),
        quote(secret, safe=""),
        quote(secret),
        *_json(secret),
    }


def _json(secret: str) -> tuple[str, str]:
    return json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]


def _without(value: Any, forms: list[str]) -> Any:
    if isinstance(value, str):
        return _text_without(value, forms)
    if isinstance(value, dict):
        return {_without(name, forms): _without(item, forms) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_without(item, forms) for item in value)
    return value


def _text_without(text: str, forms: list[str]) -> str:
    for form in forms:
        if text == form:
            return CONCEALED
        if len(form) >= _SHORT:
            text = text.replace(form, CONCEALED)
    return text
