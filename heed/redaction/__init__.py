"""Removal of secrets before anything is stored, logged or shown to a model.

A secret is replaced by ``[code]``, ``[card]``, ``[id]`` or ``[key]``: the reader still knows that something was there.
Applied by the collectors before a fact is built and by the log formatter as a second net. Four kinds of rule:

* ``shapes``: what means only one thing by itself (a private key, a card number with a right check digit);
* ``phrases``: recovery phrases of wallets;
* ``named``: a value named by its word (``password: hunter2``, ``护照号 E12345678``), secrets in links;
* ``codes``: one-time codes, bare numbers near words such as "verification code".

The words of a code often stand in the title and its digits in the text, so a message is redacted as a whole:
``redact_message``, ``redact_together``; ``redact_fields`` takes the texts of one structured value for one message.
Each rule takes time linear in the length of the text.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from heed.messages import Message, Text, Value
from heed.redaction import codes, named, phrases, shapes

__all__ = [
    "STRUCTURAL_KEYS",
    "RedactedMessage",
    "holds_secret",
    "redact",
    "redact_fields",
    "redact_message",
    "redact_text",
    "redact_together",
    "redact_value",
]

STRUCTURAL_KEYS = frozenset({"number", "numbers", "package", "activity", "time", "before", "oldest", "sha256"})
"""Fields of structured values that hold an identifier by definition: a phone number is never a card."""

_BETWEEN = "\n\x1d\n"
"""Stands between the texts of one message; white space to every rule, and inside no value."""


_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d(?::\d\d)?)?)?", re.ASCII)
"""A date or time as heed writes it."""


class RedactedMessage(NamedTuple):
    """The redacted texts of one message."""

    title: str
    text: str
    sender: str


def redact(text: str) -> str:
    """``text`` with one-time codes, card, account and ID numbers and keys replaced by their labels.

    Once more where something was found: a number may have been explained by what was a secret itself ("1500call 1500").
    """
    once = _redact_once(text)
    return once if once == text else _redact_once(once)


def _redact_once(text: str) -> str:
    return codes.redact(named.redact(phrases.redact(shapes.redact(text))))


def redact_together(texts: Sequence[str]) -> list[str]:
    """The texts of one message, each redacted in the light of the others; as many as given, in their order."""
    if len(texts) == 1:
        return [redact(texts[0])]
    parts = redact(_BETWEEN.join(text.replace("\x1d", " ") for text in texts)).split(_BETWEEN)
    return parts if len(parts) == len(texts) else [redact(text) for text in texts]


def redact_message(*, title: str = "", text: str = "", sender: str = "") -> RedactedMessage:
    """A message redacted as a whole: a title "Verification code" explains a bare number in the text."""
    sender, title, text = redact_together([sender, title, text])
    return RedactedMessage(title, text, sender)


def holds_secret(texts: Sequence[str]) -> bool:
    """Whether a secret stands in these texts, which are seen together: the texts of one screen, say."""
    shown = [text for text in texts if text]
    return bool(shown) and redact_together(shown) != shown


def redact_value(value: JsonValue) -> JsonValue:
    """``value`` with every string in it redacted, fields of ``STRUCTURAL_KEYS`` excepted."""
    if isinstance(value, str):
        return redact(str(value))  # an enum becomes its plain text
    if isinstance(value, list):
        return [redact_value(item) for item in value]
    return redact_fields(value) if isinstance(value, dict) else value


def redact_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields of a structured value, redacted; its texts are taken for one message, and its times stay whole."""
    kept = {name for name, value in fields.items() if name in STRUCTURAL_KEYS or _is_time(value)}
    free = [name for name, value in fields.items() if isinstance(value, str) and name not in kept]
    texts = dict(zip(free, redact_together([str(fields[name]) for name in free]), strict=True)) if free else {}
    return {
        name: texts[name] if name in texts else value if name in kept else redact_value(value)
        for name, value in fields.items()
    }


def _is_time(value: JsonValue) -> bool:
    """Whether a value is a date or time, which a text before it ("to this account") must not turn into a number."""
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def redact_text(text: Text) -> Text:
    """``redact`` for a message: its values are redacted, the template is ours."""
    if isinstance(text, str):
        return redact(text)
    return text.model_copy(update={"values": {name: _redact_item(value) for name, value in text.values.items()}})


def _redact_item(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(redact_text(item) if isinstance(item, Message | str) else item for item in value)
    return redact_text(value) if isinstance(value, Message | str) else value
