"""Whose number is it, and who is meant: comparing numbers and names as people write them."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

_MIN_MATCH = 7
"""Digits that must agree from the end for two numbers to be the same, as in Android's ``PhoneNumberUtils``."""
_PREFIX = re.compile(r"^(?:\+|00)")
_NOT_DIGIT = re.compile(r"\D")


class Contact(NamedTuple):
    """A person of the phone's address book with the numbers they are known by."""

    name: str
    numbers: tuple[str, ...]


def same_number(one: str, other: str) -> bool:
    """Whether two numbers ring the same phone: punctuation, country code and trunk zero are ignored."""
    first, second = (_NOT_DIGIT.sub("", _PREFIX.sub("", number.strip())) for number in (one, other))
    shorter, longer = sorted((first.lstrip("0"), second.lstrip("0")), key=len)
    if len(shorter) < _MIN_MATCH:
        return bool(first) and first == second
    return longer.endswith(shorter)


def named(contacts: Iterable[Contact], number: str) -> Contact | None:
    """The contact with this number."""
    return next((contact for contact in contacts if any(same_number(own, number) for own in contact.numbers)), None)


def mentioned(contact: Contact, text: str) -> bool:
    """Whether ``text`` names the contact: the whole name, or a first name of three letters or more, as a word."""
    plain, name = (unicodedata.normalize("NFKC", words).casefold() for words in (text, contact.name))
    first = name.split()[0] if name.split() else ""
    return _has_word(plain, name) or (len(first) >= 3 and first.isalpha() and _has_word(plain, first))


def _has_word(text: str, word: str) -> bool:
    if not word:
        return False
    if not word.isascii():  # Chinese has no spaces between words
        return len(word) >= 2 and word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None
