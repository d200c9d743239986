"""Compares the arguments of a call with the accepted values."""

import re
import unicodedata
from collections.abc import Mapping

from pydantic import JsonValue

from agent.demo.moment import SuggestedCall

_DATE_OR_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?")
_TIME_OF_DAY = re.compile(r"\d\d:\d\d")
_NUMBER = re.compile(r"\d{1,6}(\.\d+)?")
_DIGITS = re.compile(r"\d{6,}")
_ANY_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ON, _OFF = ("true", "1", "on"), ("false", "0", "off")

Accepted = Mapping[str, tuple[JsonValue, ...]]
"""Accepted values by parameter, or by several parameters joined by ``|``, of which one is enough."""


def wrong_arguments(call: SuggestedCall, key_arguments: Mapping[str, Accepted]) -> tuple[str, ...] | None:
    """Returns the key arguments that are wrong or absent in a call; None = nothing is demanded of its function."""
    demanded = key_arguments.get(call.name)
    if not demanded:
        return None
    return tuple(wrong for names, accepted in demanded.items() if (wrong := _wrong(call, names, accepted)))


def _wrong(call: SuggestedCall, names: str, accepted: tuple[JsonValue, ...]) -> str:
    values = [call.parameters.get(name) for name in names.split("|")]
    if any(fits(one, value) for one in accepted for value in values):
        return ""
    given = next((value for value in values if value is not None), None)
    return f"{names}={given!r} (not {' / '.join(map(str, accepted))})"


def fits(expected: JsonValue, actual: JsonValue) -> bool:
    """Whether an argument is the accepted one.

    A date matches to the day, a time to the minute, ``from..to`` a range, a number as a number, six and more digits
    anywhere in the digits, everything else as a part of the text, ignoring case.
    """
    if actual is None:
        return False
    if isinstance(actual, list):
        return any(fits(expected, item) for item in actual)
    if isinstance(expected, bool):
        return _plain(actual) in (_ON if expected else _OFF)
    if isinstance(expected, int | float):
        return _number(actual) == float(expected)
    return _text_fits(str(expected), str(actual))


def _text_fits(expected: str, actual: str) -> bool:
    low, _, high = expected.partition("..")
    if high:
        return low <= _clipped(actual, low) <= high
    if _DATE_OR_TIME.fullmatch(expected):
        return actual.replace(" ", "T").startswith(expected)
    if _NUMBER.fullmatch(expected):
        return _number(actual) == float(expected)
    if _DIGITS.fullmatch(expected):
        return expected.lstrip("0") in re.sub(r"\D", "", actual)
    return _plain(expected) in _plain(actual)


def _clipped(actual: str, like: str) -> str:
    """The part of a value that is as precise as ``like``."""
    if _TIME_OF_DAY.fullmatch(like):
        found = _TIME_OF_DAY.search(actual)
        return found[0] if found else ""
    return actual.replace(" ", "T")[: len(like)]


def _number(value: JsonValue) -> float | None:
    found = _ANY_NUMBER.search(str(value).replace(",", ""))
    return float(found[0]) if found else None


def _plain(value: JsonValue) -> str:
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())
