"""The language that a text is written in."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from heed.language import HAN, Language
from models.values.folding import fold

_SCRIPTS = (
    ("Japanese", re.compile(r"[\u3040-\u30ff]")),
    ("Korean", re.compile(r"[\uac00-\ud7af]")),
    ("Russian", re.compile(r"[\u0400-\u04ff]")),
    ("Arabic", re.compile(r"[\u0600-\u06ff]")),
    ("Thai", re.compile(r"[\u0e00-\u0e7f]")),
    ("Hindi", re.compile(r"[\u0900-\u097f]")),
    ("Chinese", re.compile(rf"[{HAN}]")),
)
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 2
"""Common words that show a language."""


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    text = files("models.values").joinpath("data", "languages.yaml").read_text("utf-8")
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(text)
    return found


def spoken(text: str, language: Language) -> str | None:
    """The name, in ``language``, of the language that ``text`` is written in; None when it is not plain."""
    name = next((name for name, script in _SCRIPTS if script.search(text)), None) or _by_words(text)
    return name if name is None or language is Language.EN else _table()[name]["zh"]


def _by_words(text: str) -> str | None:
    words = set(_WORD.findall(fold(text)))
    counts = {name: len(words.intersection(row["words"].split())) for name, row in _table().items() if row.get("words")}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] >= _ENOUGH else None
