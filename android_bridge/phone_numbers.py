"""Comparison of phone numbers in different spellings."""

import re

_MIN_MATCH = 7
"""Digits that must agree from the end for two numbers to be the same, as in Android's ``PhoneNumberUtils``."""
_PREFIX = re.compile(r"^(?:\+|00)")
_NOT_DIGIT = re.compile(r"\D")


def same_number(one: str, other: str) -> bool:
    """Whether two numbers are the same line: punctuation, country code and trunk zero are ignored."""
    first, second = (_NOT_DIGIT.sub("", _PREFIX.sub("", number.strip())) for number in (one, other))
    shorter, longer = sorted((first.lstrip("0"), second.lstrip("0")), key=len)
    if len(shorter) < _MIN_MATCH:
        return bool(first) and first == second
    return longer.endswith(shorter)
