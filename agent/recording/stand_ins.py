"""Invented values that stand for private ones and have their form: length, punctuation, kinds of characters.

Within one recording a value has one stand-in. The key is random and stored nowhere, so that no value can be computed
back from its stand-in.
"""

import hashlib
import re
import secrets
from collections.abc import Callable

_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_HAN = "某甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申"
_FIRST_MARK, _LAST_MARK = 0xF0000, 0xFFFFD
_MARK = re.compile(f"[{chr(_FIRST_MARK)}-{chr(_LAST_MARK)}]")
_SAME_OWNER = 9
"""Last digits by which two spellings of a phone number are known to be one."""


class StandIns:
    """The stand-ins of one recording.

    A private value becomes a mark, one character that no phone prints, until ``revealed``: so no rule changes the
    stand-in of another one.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._marks: dict[str, str] = {}
        self._shown: list[str] = []
        self.kinds: dict[str, set[str]] = {}
        """The private values that were replaced, by what they are."""

    def text(self, value: str, kind: str) -> str:
        """Returns the mark of a value of any form; numbers and letters are replaced."""
        return self._mark(value, kind, self._invented_text)

    def phone(self, value: str, kind: str = "phone number") -> str:
        """Returns the mark of a phone number: +86 138… and 138… keep their common ending in common."""
        return self._mark(value, kind, self._invented_phone)

    def coordinate(self, value: str, kind: str = "coordinate") -> str:
        """Returns the mark of a latitude or longitude; its degrees become ones."""
        return self._mark(value, kind, self._invented_coordinate)

    def revealed(self, text: str) -> str:
        """Returns the text with the invented values in place of their marks."""
        return _MARK.sub(lambda mark: self._shown[ord(mark[0]) - _FIRST_MARK], text)

    def _mark(self, value: str, kind: str, invent: Callable[[str], str]) -> str:
        if not any(char.isalnum() for char in value):
            return value
        self.kinds.setdefault(kind, set()).add(value)
        if value not in self._marks:
            if len(self._shown) > _LAST_MARK - _FIRST_MARK:
                return invent(self.revealed(value))
            self._marks[value] = chr(_FIRST_MARK + len(self._shown))
            # A value may hold marks of values that an earlier rule found in it.
            self._shown.append(invent(self.revealed(value)))
        return self._marks[value]

    def _random(self, seed: str, count: int) -> bytes:
        return hashlib.shake_256(self._key + seed.encode("utf-8", "surrogatepass")).digest(count)

    def _invented_text(self, value: str) -> str:
        for attempt in range(8):
            numbers = self._random(f"{attempt} {value}", len(value))
            invented = "".join(_like(char, number) for char, number in zip(value, numbers, strict=True))
            if invented != value:
                break
        return invented

    def _invented_phone(self, value: str) -> str:
        digits = [place for place, char in enumerate(value) if char.isdigit()][-_SAME_OWNER:]
        ending = "".join(value[place] for place in digits)
        numbers = self._random(ending, len(ending))
        invented = list(value)
        for place, number in zip(digits, numbers, strict=True):
            invented[place] = _DIGITS[(int(value[place]) + 1 + number % 9) % 10]
        return "".join(invented)

    def _invented_coordinate(self, value: str) -> str:
        point = next((mark for mark in ".," if mark in value), "")
        whole, _, fraction = value.partition(point) if point else (value, "", "")
        invented = self._invented_text(fraction) if fraction else ""
        return f"{re.sub(r'[0-9]', '1', whole)}{point}{invented}"


def _like(char: str, number: int) -> str:
    """Returns a character of the same kind; a mark of punctuation stays."""
    if char.isascii():
        alphabet = _LOWER if char.islower() else _UPPER if char.isupper() else _DIGITS if char.isdigit() else char
        return alphabet[number % len(alphabet)]
    if not char.isalnum():
        return char
    return "X" if char.isupper() else "x" if char.islower() else _HAN[number % len(_HAN)]
