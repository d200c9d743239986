"""Numbers, written in digits, in English words or in Chinese characters."""

import re
from collections.abc import Iterator

from models.values.folding import fold

CHINESE_NUMBER = r"(?:\d{1,2}|[零〇一二两三四五六七八九十]{1,3})"
"""A number below 100, as times have it."""
_DIGITS = {**{digit: value for value, digit in enumerate("零一二三四五六七八九")}, "〇": 0, "两": 2, "俩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_WORDS = {
    **{word: number for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"))},
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "both": 2, "couple": 2, "pair": 2, "dozen": 12,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\d.,])(?P<digits>\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,2})?(?!\d)|\d{1,12}(?:\.\d{1,4})?)(?P<k>k\b|万|千)?"
    rf"|(?P<han>[零〇一二两俩三四五六七八九十百千万]{{1,9}})"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
)
_SCALE = {"k": 1000, "千": 1000, "万": 10000}


def chinese_number(text: str) -> float | None:
    """``二十五``, ``一百二``, ``30`` as a number."""
    if text.isascii() and text.isdigit():
        return float(text)
    total, section, digit = 0, 0, 0
    last = 1
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character == "万":
            total, section, digit, last = (total + section + digit) * 10000, 0, 0, 10000
        elif character in _TENS:
            last = _TENS[character]
            section, digit = section + (digit or 1) * last, 0
        else:
            return None
    # "一百二" is 120: a digit after hundreds and more counts the next lower unit.
    return float(total + section + digit * (last // 10 if last >= 100 and "零" not in text else 1))


def numbers(text: str) -> Iterator[float]:
    """All numbers in ``text`` from left to right."""
    for match in _NUMBER.finditer(fold(text)):
        if match["digits"]:
            yield float(match["digits"].replace(",", "")) * _SCALE.get(match["k"] or "", 1)
        elif match["word"]:
            yield float(_WORDS[match["word"]])
        else:
            number = chinese_number(match["han"])
            if number is not None:
                yield number


def whole(text: str) -> int | None:
    """The first number, if it is whole."""
    number = next(numbers(text), None)
    return int(number) if number is not None and number == int(number) else None
