"""The limits of what is taken from outside: one long text or list costs no more than many short ones.

Applied to every fact and trigger before redaction, so that no rule ever meets more than this.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from heed.redaction import redact_fields, redact_value

MAX_CHARACTERS = 4000
"""Characters of one text."""
MAX_TEXTS = 64
"""Texts of one list, or fields of one object."""
MAX_ROWS = 256
"""Objects of one list: the steps of ten minutes are the longest."""
_MAX_DEPTH = 8
_CUT = "…"


def admitted(value: JsonValue) -> JsonValue:
    """``value`` within the limits, redacted."""
    return redact_value(cut(value))


def admitted_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields of a trigger within the limits, redacted as one message."""
    return redact_fields({name: cut(value) for name, value in list(fields.items())[:MAX_TEXTS]})


def cut(value: JsonValue, depth: int = _MAX_DEPTH) -> JsonValue:
    """``value`` within the limits; what is nested deeper than any fact of ours is left out."""
    if isinstance(value, str):
        return cut_text(value)
    if not isinstance(value, list | dict):
        return value
    if not depth:
        return None
    if isinstance(value, list):
        most = MAX_ROWS if all(isinstance(item, dict) for item in value) else MAX_TEXTS
        return [cut(item, depth - 1) for item in value[:most]]
    return {cut_text(name): cut(item, depth - 1) for name, item in list(value.items())[:MAX_TEXTS]}


def cut_text(text: str) -> str:
    """The beginning of ``text``, which is marked as cut where it was longer."""
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + _CUT
