"""Valid Unicode: text from models and from outside may hold half a character (a lone surrogate).

Such text cannot be written to SQLite, JSON or a terminal, so it is repaired where it enters.
"""

from typing import Annotated

from pydantic import AfterValidator, JsonValue


def valid_text(text: str) -> str:
    """Return ``text`` with each half character replaced by U+FFFD; two halves that belong together become one."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def valid_json(value: JsonValue) -> JsonValue:
    """Return ``value`` with every text in it valid, keys included."""
    if isinstance(value, str):
        return valid_text(value)
    if isinstance(value, list):
        return [valid_json(item) for item in value]
    if isinstance(value, dict):
        return {valid_text(key): valid_json(item) for key, item in value.items()}
    return value


ValidText = Annotated[str, AfterValidator(valid_text)]
ValidJson = Annotated[JsonValue, AfterValidator(valid_json)]
