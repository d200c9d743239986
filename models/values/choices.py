"""Allowed values, read from words of a message, its links, its sender and its app."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml
from pydantic import JsonValue

from function_pool.choices import match_choice
from models.values.folding import fold
from models.values.incoming import IncomingText

_BY_APP = frozenset(
    {
        "carrier",
        "platform",
        "platform_info",
        "app_name",
        "order_platform",
        "map_app",
        "target_app",
    }
)
"""Parameters that the app of the message is evidence for."""
_NOT_BY_APP = frozenset(
    {"pay_bill", "transfer_money", "book_medical_appointment", "publish_social_post", "make_phone_call"}
)
"""Functions whose app is another one than the one that the message came by."""


@cache
def _table(name: str) -> Mapping[str, Mapping[str, list[str]]]:
    text = files("models.values").joinpath("data", name).read_text("utf-8")
    found: Mapping[str, Mapping[str, list[str]]] = yaml.load(text, Loader=yaml.BaseLoader)  # "on" and "off" are words
    return found


@cache
def _words(function: str, parameter: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each value of a parameter with the pattern of its words."""
    table = _table("choices.yaml")
    rows = table.get(f"{function}.{parameter}") or table.get(parameter) or {}
    return tuple((str(value), re.compile("|".join(_pattern(word) for word in words))) for value, words in rows.items())


def _pattern(word: str) -> str:
    word = word.lower()
    body = re.escape(word.removesuffix("*")) + (r"\w{0,12}" if word.endswith("*") else "")
    if not word[0].isascii():
        return body
    # \b lies between Latin and Chinese letters nowhere: "用qq音乐"
    return rf"(?<![a-z0-9]){body}(?![a-z0-9])"


def choice(
    function: str, parameter: str, span: str, text: IncomingText, allowed: Sequence[JsonValue] = ()
) -> str | None:
    """The allowed value that the span, or else the message, speaks of; None when it speaks of none."""
    if span and allowed and (exact := match_choice(span, allowed)):
        return exact
    rows = [(value, words) for value, words in _words(function, parameter) if not allowed or value in allowed]
    for evidence in _evidence(function, parameter, span, text):
        folded = fold(evidence)
        value = next((value for value, words in rows if words.search(folded)), None)
        if value:
            return value
    return None


def _evidence(function: str, parameter: str, span: str, text: IncomingText) -> Iterator[str]:
    yield span
    yield text.text
    yield text.title
    if parameter in _BY_APP and function not in _NOT_BY_APP:
        yield text.sender
        yield app_words(text.app)


def app_words(package: str) -> str:
    """Words of the product that a package belongs to."""
    known = _table("apps.yaml").get(package)
    return str(known) if known else package.replace(".", " ")
