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

_BY_SENDER = frozenset({"carrier", "platform", "platform_info", "app_name", "order_platform", "map_app", "bill_type"})
"""Parameters that the sender and the app of the message are evidence for."""
_OTHER_APP = frozenset(
    {"pay_bill", "transfer_money", "book_medical_appointment", "publish_social_post", "make_phone_call"}
)
"""Functions whose app is another one than the one that the message came by."""


@cache
def _table(name: str) -> Mapping[str, Mapping[str, list[str]]]:
    text = files("models.values").joinpath("data", name).read_text("utf-8")
    found: Mapping[str, Mapping[str, list[str]]] = yaml.safe_load(text)
    return found


@cache
def _words(function: str, parameter: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each value of a parameter with the pattern of its words."""
    table = _table("choices.yaml")
    rows = table.get(f"{function}.{parameter}") or table.get(parameter) or {}
    return tuple((str(value), re.compile("|".join(pattern(word) for word in words))) for value, words in rows.items())


def pattern(word: str) -> str:
    """The regular expression of a word; one that ends in ``*`` stands for its longer forms too."""
    word = word.lower()
    body = re.escape(word.removesuffix("*")) + (r"\w{0,12}" if word.endswith("*") else "")
    if not word[0].isascii():
        return body
    # \b lies between Latin and Chinese letters nowhere: "用qq音乐"
    return rf"(?<![a-z0-9]){body}(?![a-z0-9])"


def choice(
    function: str, parameter: str, span: str, text: IncomingText, allowed: Sequence[JsonValue] = ()
) -> str | None:
    """The listed value that the span, or else the message, names; None when they name none."""
    return named(function, parameter, span, allowed) or next(
        (
            value
            for part in _evidence(function, parameter, text)
            if (value := _found(function, parameter, part, allowed))
        ),
        None,
    )


def named(function: str, parameter: str, span: str, allowed: Sequence[JsonValue] = ()) -> str | None:
    """The listed value that the span names; None when it names none."""
    exact = match_choice(span, allowed) if span and allowed else None
    return exact or _found(function, parameter, span, allowed)


def mentioned(function: str, parameter: str, text: str) -> frozenset[str]:
    """The listed values of a parameter whose words a text has."""
    folded = fold(text)
    return frozenset(value for value, words in _words(function, parameter) if words.search(folded))


def _found(function: str, parameter: str, said: str, allowed: Sequence[JsonValue]) -> str | None:
    folded = fold(said)
    rows = ((value, words) for value, words in _words(function, parameter) if not allowed or value in allowed)
    return next((value for value, words in rows if words.search(folded)), None)


def _evidence(function: str, parameter: str, text: IncomingText) -> Iterator[str]:
    yield text.text
    yield text.title
    if parameter in _BY_SENDER and (function not in _OTHER_APP or parameter == "bill_type"):
        yield text.sender
        yield app_words(text.app)


def app_words(package: str) -> str:
    """Words of the product that a package belongs to."""
    known = _table("apps.yaml").get(package)
    return str(known) if known else package.replace(".", " ")
