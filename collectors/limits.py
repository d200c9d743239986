"""Limits of what is taken over from outside; applied once, where a fact, a trigger or a line of the log is made.

Text is redacted with some characters beyond the limit and then cut, so that no half of a secret is left at its end.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from heed.redaction import redact, redact_fields, redact_value

MOST_CHARACTERS = 4000
"""Characters of one text; Android cuts the texts of notifications at 5,120."""
MOST_LINES = 20_000
"""Newest lines of the behaviour log from which habits are mined; a year or more of a busy life."""
RECENT_LINES = 5_000
"""Newest lines of the behaviour log that a context is made of; a month or more of a busy life."""
MOST_TEXTS = 64
"""Texts of one list, or fields of one object."""
MOST_ROWS = 256
"""Objects of one list: the steps of ten minutes are the longest."""
_MOST_LEVELS = 8
_MARGIN = 400
"""Characters beyond the limit within which a secret is still recognized as a whole."""
_CUT = "…"


def clean_text(text: str) -> str:
    """``text`` without secrets, cut to the limit."""
    return _cut(redact(str(text)[: MOST_CHARACTERS + _MARGIN]), MOST_CHARACTERS)


def clean_value(value: JsonValue) -> JsonValue:
    """``value`` with every text in it, at any depth, without secrets and cut to the limit."""
    return _each(redact_value(_each(value, MOST_CHARACTERS + _MARGIN, "")), MOST_CHARACTERS, _CUT)


def clean_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields of a structured value, in the same way; their texts are redacted as one message."""
    taken = list(fields.items())[:MOST_TEXTS]
    bounded = {name: _each(value, MOST_CHARACTERS + _MARGIN, "") for name, value in taken}
    return {name: _each(value, MOST_CHARACTERS, _CUT) for name, value in redact_fields(bounded).items()}


def _each(value: JsonValue, most: int, mark: str, levels: int = _MOST_LEVELS) -> JsonValue:
    """What is nested deeper than any fact of ours is left out."""
    if isinstance(value, str):
        return _cut(str(value), most, mark)
    if not isinstance(value, list | dict):
        return value
    if not levels:
        return None
    if isinstance(value, list):
        items = MOST_ROWS if all(isinstance(item, dict) for item in value) else MOST_TEXTS
        return [_each(item, most, mark, levels - 1) for item in value[:items]]
    fields = list(value.items())[:MOST_TEXTS]
    return {name[:most]: _each(item, most, mark, levels - 1) for name, item in fields}


def _cut(text: str, most: int, mark: str = _CUT) -> str:
    return text if len(text) <= most else text[: most - len(mark)] + mark
