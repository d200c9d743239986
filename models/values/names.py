"""Names of apps, shops, services and carriers that the pool does not list."""

import re
from functools import cache
from importlib.resources import files

import yaml

from models.values import titles

_LONGEST, _MOST_WORDS = 40, 5
_SUFFIX = re.compile(r"(?i)(?<=\S)\s(?:app|application)$|(?<=[\u3400-\u9fff\d])(?:app|应用|客户端)$")
_NO_NAME = re.compile(r"[/@\n]|(?:\d[ -]?){7}")
"""Addresses, links, several lines, numbers of phones and accounts."""
_PLAIN_WORDS = re.compile(r"[a-z\s'’-]+")
"""Words that are no name: "her work app", "by phone"."""


@cache
def _kinds() -> frozenset[str]:
    text = files("models.values").joinpath("data", "kinds_of_apps.yaml").read_text("utf-8")
    return frozenset(word for words in yaml.safe_load(text).values() for word in words)


def other_name(span: str) -> str | None:
    """The app, shop, service or carrier that a span names; None for a span that names none."""
    name = _SUFFIX.sub("", titles.cleaned(span) or "")
    words = re.findall(r"[^\W_]+", name.casefold())
    if not words or len(name) > _LONGEST or len(words) > _MOST_WORDS:
        return None
    if _NO_NAME.search(name) or _PLAIN_WORDS.fullmatch(name):
        return None
    return None if all(word in _kinds() for word in words) else name
