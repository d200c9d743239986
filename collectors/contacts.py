"""Finds contacts by number and by name in a text."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from android_bridge.phone_numbers import same_number


class Contact(NamedTuple):
    """A contact of the phone with its numbers."""

    name: str
    numbers: tuple[str, ...]


def contact_by_number(contacts: Iterable[Contact], number: str) -> Contact | None:
    """The contact with this number, in whatever notation; None without one."""
    return next((contact for contact in contacts if any(same_number(own, number) for own in contact.numbers)), None)


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same, however their letters are encoded and spaced."""
    return _plain(one) == _plain(other) != ""


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def mentioned(contact: Contact, text: str) -> bool:
    """Whether ``text`` contains the contact's full name, or a first name of at least three letters, as a word."""
    plain, name = (unicodedata.normalize("NFKC", words).casefold() for words in (text, contact.name))
    first = name.split()[0] if name.split() else ""
    return _has_word(plain, name) or (len(first) >= 3 and first.isalpha() and _has_word(plain, first))


def _has_word(text: str, word: str) -> bool:
    if not word:
        return False
    if not word.isascii():  # Chinese has no spaces between words
        return len(word) >= 2 and word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None
