"""The words by which stored data of an app or a person is found, in whatever spelling and encoding it is stored."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

from collectors import apps

_SHORT = 4
"""A shorter word is only found at the start of a word: "Ann" is in "Ann's", and not in "planned"."""
_NUMBER = re.compile(r"[\d\s+().\-/]{5,}")
_COMPARED_DIGITS = 9
"""Digits from the end by which numbers are compared: with and without country code and trunk zero."""
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_NESTED = 3
"""JSON within JSON within JSON is unescaped so often."""


class _Linked(NamedTuple):
    """Keys of one object whose values belong to the same person or app."""

    names: tuple[str, ...]
    addresses: tuple[str, ...]


_PERSON = _Linked(("name", "contact", "contact_name", "person"), ("number", "numbers", "phone", "phone_number"))
_APP = _Linked(("app",), ("package",))


class SearchTerms:
    """Words and numbers to look for.

    Args:
        typed: words as the owner typed them, found in any case and with any punctuation of numbers.
        labels: names of apps, found as whole words in exactly this case: "Phone" is an app, "phone" is not.
    """

    def __init__(self, typed: Iterable[str] = (), labels: Iterable[str] = ()) -> None:
        self.typed, self.labels = tuple(typed), tuple(labels)
        words = [_word(_folded(term)) for term in self.typed if term.strip()]
        self._words = re.compile("|".join(words)) if words else None
        whole = [rf"(?<!\w){re.escape(_plain(label))}(?!\w)" if label.isascii() else re.escape(_plain(label))
                 for label in self.labels]  # fmt: skip
        self._labels = re.compile("|".join(whole)) if whole else None

    def found_in(self, text: str) -> bool:
        """Whether one of the terms stands in ``text``, plain or escaped as JSON or in a URI."""
        return any(
            (self._words is not None and self._words.search(_folded(form)) is not None)
            or (self._labels is not None and self._labels.search(_plain(form)) is not None)
            for form in _forms(text)
        )


def app_terms(app: str, records: Iterable[Any]) -> SearchTerms:
    """The terms of an app: its packages and its visible names, from heed's table and from ``records``.

    Args:
        app: a package or a visible name.
        records: parsed JSON documents in which an app's package and name stand in one object.
    """
    packages = set(apps.packages_named(app)) | {app}
    linked = _linked_words(records, SearchTerms(packages), _APP)
    known = [apps.table()[package] for package in sorted(packages | linked) if package in apps.table()]
    labels = {label for one in known for label in (one.english, one.chinese) if label}
    return SearchTerms(sorted((packages | linked) - labels), sorted(labels))


def person_terms(person: str, records: Iterable[Any]) -> SearchTerms:
    """The terms of a person: the name or number given, and those that stand beside it in ``records``.

    Args:
        person: a name or a phone number.
        records: parsed JSON documents in which a contact's name and number stand in one object.
    """
    linked = _linked_words(records, SearchTerms((person,)), _PERSON)
    return SearchTerms((person, *sorted(linked - {person})))


def _linked_words(records: Iterable[Any], given: SearchTerms, keys: _Linked) -> set[str]:
    return {word for record in records for word in _linked(record, given, keys)}


def _linked(record: Any, given: SearchTerms, keys: _Linked) -> Iterator[str]:
    """The names and addresses in the objects of a document that hold a given term."""
    if isinstance(record, Mapping):
        names, addresses = _texts(record, keys.names), _texts(record, keys.addresses)
        if names and addresses and any(given.found_in(text) for text in (*names, *addresses)):
            yield from (*names, *addresses)
        record = list(record.values())
    if isinstance(record, list):
        for item in record:
            yield from _linked(item, given, keys)


def _texts(record: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    values = [value for key in keys for value in _listed(record.get(key))]
    return [value for value in values if isinstance(value, str) and value.strip()]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _word(term: str) -> str:
    digits = re.sub(r"\D", "", term)
    if _NUMBER.fullmatch(term) and len(digits) >= 5:
        return r"\W{0,3}".join(digits[-_COMPARED_DIGITS:])
    start = r"(?<![^\W_])" if len(term) < _SHORT and term[0].isascii() else ""
    return start + r"\s+".join(map(re.escape, term.split()))


def _plain(text: str) -> str:
    """``text`` in one encoding of its accents and widths, without invisible characters."""
    normal = unicodedata.normalize("NFKC", text)
    return normal if normal.isascii() else "".join(one for one in normal if unicodedata.category(one) != "Cf")


def _folded(text: str) -> str:
    return _plain(text).casefold()


def _forms(text: str) -> Iterator[str]:
    yield text
    for _ in range(_NESTED):
        unescaped = _ESCAPE.sub(_unescaped, text)
        if unescaped == text:
            break
        text = unescaped.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        yield text
    if "%" in text or "+" in text:
        yield unquote_plus(text)


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _CONTROLS.get(found[2], found[2])
