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
    bounded = {name: _each(value, MOST_CHARACTERS + _MARGIN, "") for name, value in fields.items()}
    return {name: _each(value, MOST_CHARACTERS, _CUT) for name, value in redact_fields(bounded).items()}


def _each(value: JsonValue, most: int, mark: str) -> JsonValue:
    if isinstance(value, str):
        return _cut(str(value), most, mark)
    if isinstance(value, list):
        return [_each(item, most, mark) for item in value]
    if isinstance(value, dict):
        return {name[:most]: _each(item, most, mark) for name, item in value.items()}
    return value


def _cut(text: str, most: int, mark: str = _CUT) -> str:
    return text if len(text) <= most else text[: most - len(mark)] + mark
