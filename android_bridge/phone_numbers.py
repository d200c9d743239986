"""Comparison of phone numbers in different spellings."""

import re
from collections.abc import Iterable

_MIN_MATCH = 7
"""Digits that must agree from the end for two numbers to be the same, as in Android's ``PhoneNumberUtils``."""
_PREFIX = re.compile(r"^(?:\+|00)")
_NOT_DIGIT = re.compile(r"\D")


def same_number(one: str, other: str) -> bool:
    """Whether two numbers are the same line: punctuation, country code and trunk zero are ignored."""
    first, second = _digits(one), _digits(other)
    shorter, longer = sorted((first.lstrip("0"), second.lstrip("0")), key=len)
    if len(shorter) < _MIN_MATCH:
        return bool(first) and first == second
    return longer.endswith(shorter)


class NumberSet:
    """A set of phone numbers; one is in it if it is the same line as a member, by ``same_number``."""

    def __init__(self, numbers: Iterable[str]) -> None:
        self._by_ending: dict[str, set[str]] = {}
        for number in numbers:
            self._by_ending.setdefault(_ending(number), set()).add(number)

    def __contains__(self, number: str) -> bool:
        return any(same_number(number, member) for member in self._by_ending.get(_ending(number), ()))


def _ending(number: str) -> str:
    """The digits that two spellings of a number share."""
    digits = _digits(number)
    return digits.lstrip("0")[-_MIN_MATCH:] or digits


def _digits(number: str) -> str:
    return _NOT_DIGIT.sub("", _PREFIX.sub("", number.strip()))
