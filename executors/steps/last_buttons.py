"""Tells by their words which buttons pay, order, send, post, delete or grant (``last_buttons.yaml``).

A label that poses as another one, with look-alike letters, blanks between letters or invisible characters, is read as
it looks to a person.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import yaml

from function_pool.risk import Risk
from heed.language import HAN
from heed.model import Frozen


class LastButton(StrEnum):
    """What a button does that heed leaves to the owner."""

    PAY = "pay"
    ORDER = "order"
    SEND = "send"
    POST = "post"
    DELETE = "delete"
    GRANT = "grant"
    CONFIRM = "confirm"
    """It confirms something that its words do not name."""


class _Kind(Frozen):
    anywhere: tuple[str, ...]
    whole: tuple[str, ...]


class _Table(Frozen):
    kinds: Mapping[LastButton, _Kind]
    harmless: tuple[str, ...]
    vague: tuple[str, ...]
    secret_fields: tuple[str, ...]
    payment_sheets: tuple[str, ...]


class _Label(NamedTuple):
    """A text as it is compared: its words, and its Chinese characters without anything between them."""

    words: tuple[str, ...]
    han: str


_HAN = re.compile(f"[{HAN}]+")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһкмтвнгαοερτνικυ’‘",  # Cyrillic and Greek letters, apostrophes
    "aeopcyxijsdhkmtbhraoeptviku''",
)
"""Letters that look like others (Unicode's confusables), after folding of case."""
_DIGITS = str.maketrans("01345", "oleas")
"""Digits that stand for letters within a word; a number stays out of a label."""
_CROSSED = str.maketrans({"ı": "i", "ɑ": "a", "ո": "n", "$": "s", "@": "a"})
_PROSE = 5
"""Words beyond which a text among several is a description and no label."""
_PROSE_HAN = 10
"""The same in Chinese characters."""


@cache
def _table() -> _Table:
    raw = files("executors.steps").joinpath("last_buttons.yaml").read_text("utf-8")
    return _Table.model_validate(yaml.safe_load(raw))


def _plain(text: str) -> str:
    """Returns the text as it looks: folded, without marks on letters, invisible characters and look-alike letters."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    seen = "".join(char for char in decomposed if unicodedata.category(char) not in ("Mn", "Cf", "Cc", "Me"))
    return unicodedata.normalize("NFKC", seen.translate(_CROSSED))


def _read(text: str) -> _Label:
    plain = _plain(text)
    found = _WORD.findall(plain.translate(_LOOK_ALIKES))
    letters = tuple(word.translate(_DIGITS) for word in found if not word.isdigit())
    if len(letters) > 1 and all(len(letter) == 1 for letter in letters):
        letters = ("".join(letters),)
    return _Label(letters, "".join(_HAN.findall(plain)))


@cache
def _phrase(text: str) -> _Label:
    return _read(text)


def _holds(label: _Label, phrase: _Label) -> bool:
    if phrase.han and not phrase.words:
        return phrase.han in label.han
    size = len(phrase.words)
    return any(label.words[at : at + size] == phrase.words for at in range(len(label.words) - size + 1))


def _without(label: _Label, phrases: Iterable[_Label]) -> _Label:
    words, han = list(label.words), label.han
    for phrase in phrases:
        if phrase.han and not phrase.words:
            han = han.replace(phrase.han, "")
            continue
        size = len(phrase.words)
        for at in range(len(words) - size, -1, -1):
            if tuple(words[at : at + size]) == phrase.words:
                del words[at : at + size]
    return _Label(tuple(words), han)


def last_button(texts: Sequence[str], resource_id: str, risk: Risk) -> LastButton | None:
    """Returns what the button does that heed leaves to the owner; None for one that heed may press.

    Args:
        texts: the texts that label it (``find.label_texts``).
        resource_id: its resource id, whose words count like a label.
        risk: the class of the call: from R2 on, buttons that confirm something unnamed are left to the owner too, and
            so are those without any words.
    """
    several = len(texts) > 1
    labels = [label for label in map(_read, texts) if not (several and _is_prose(label))]
    name = _read(_CAMEL.sub(" ", resource_id.rpartition("/")[2]).replace("_", " "))
    for label in (*labels, name):
        if (found := _kind(label)) is not None:
            return found
    if risk not in (Risk.R0, Risk.R1):
        vague = {_phrase(text) for text in _table().vague}
        if any(label in vague for label in labels) or not (texts or any(name)):
            return LastButton.CONFIRM
    return None


def _is_prose(label: _Label) -> bool:
    return len(label.words) > _PROSE or len(label.han) > _PROSE_HAN


def _kind(label: _Label) -> LastButton | None:
    rest = _without(label, map(_phrase, _table().harmless))
    for kind, words in _table().kinds.items():
        if any(_phrase(text) == rest for text in words.whole):
            return kind
        if any(_holds(rest, _phrase(text)) for text in words.anywhere):
            return kind
    return None


def is_secret(texts: Sequence[str], resource_id: str) -> bool:
    """Whether a field with these labels takes a password, a code or a card's number."""
    name = _CAMEL.sub(" ", resource_id.rpartition("/")[2]).replace("_", " ")
    return any(_holds(_read(text), _phrase(word)) for text in (*texts, name) for word in _table().secret_fields)


def payment_sheet(texts: Iterable[str]) -> str:
    """Returns the text that shows that the screen asks for a payment; empty where none does."""
    phrases = [_phrase(text) for text in _table().payment_sheets]
    for text in texts:
        label = _read(text)
        if any(_holds(label, phrase) for phrase in phrases):
            return text
    return ""
