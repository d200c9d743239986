"""Secrets that are known by their shape, some by a check digit as well.

Borders are spelled out: ``\\b`` sees none between a Chinese character and a letter.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

START = r"(?<![A-Za-z0-9])"
END = r"(?![A-Za-z0-9])"
_DIGIT = re.compile(r"\d")


class Shape(NamedTuple):
    """One shape. Where the pattern has a group ``kept``, that part of the match stays."""

    label: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] | None = None
    """A check of the matched text, such as its check digit."""

    def redact(self, text: str) -> str:
        return self.pattern.sub(self._replacement, text)

    def _replacement(self, match: re.Match[str]) -> str:
        if self.holds and not self.holds(match[0]):
            return match[0]
        return f"{match['kept'] if 'kept' in match.re.groupindex else ''}[{self.label}]"


def _digits(text: str) -> list[int]:
    return [int(digit) for digit in _DIGIT.findall(text)]


def luhn(text: str) -> bool:
    """ISO/IEC 7812-1 annex B."""
    total = 0
    for place, digit in enumerate(reversed(_digits(text))):
        value = digit * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban(text: str) -> bool:
    """ISO 13616: letters as numbers, the first four characters last, modulo 97 is 1."""
    compact = text.replace(" ", "")
    turned = compact[4:] + compact[:4]
    return 15 <= len(compact) <= 34 and int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _dni(text: str) -> bool:
    """Spain: the letter is the number modulo 23; X, Y and Z of foreigners stand for 0, 1 and 2."""
    number = text[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1]


def _cpf(text: str) -> bool:
    """Brazil: two check digits modulo 11."""
    digits = _digits(text)
    sums = (sum((place + 2) * digit for place, digit in enumerate(reversed(digits[:end]))) for end in (9, 10))
    return [(total * 10 % 11) % 10 for total in sums] == digits[9:]


def _taiwan(text: str) -> bool:
    """Taiwan: the letter as two digits, weights 1 9 8 … 1 1, modulo 10."""
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0]) + 10
    digits = [first // 10, first % 10, *_digits(text[1:])]
    return (
        sum(digit * weight for digit, weight in zip(digits, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10 == 0
    )


def _nir(text: str) -> bool:
    """France: the last two digits are 97 minus the rest modulo 97."""
    compact = text.replace(" ", "").replace("2A", "19").replace("2B", "18")
    return int(compact[-2:]) == 97 - int(compact[:-2]) % 97


_KEY_PREFIXES = (
    r"sk-|pk-|sk_(?:live|test)_|pk_(?:live|test)_|rk_live_|sq0[a-z]{3}-|gh[pousr]_|github_pat_|gl(?:pat|dt|ft|rt)-|"
    r"xox[abeoprs]-|xapp-|hf_|npm_|pypi-|dop_v1_|shp(?:at|ss|ca|pa)_|SG\.|ya29\.|AIza|AKIA|ASIA|ABIA|ACCA|"
    r"AGE-SECRET-KEY-"
)
_BASE58 = "[1-9A-HJ-NP-Za-km-z]"

SHAPES: tuple[Shape, ...] = (
    Shape(
        "key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^\x1d]*?"
            r"(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=\x1d)|\Z)"
        ),
    ),
    Shape("key", re.compile(rf"{START}(?:{_KEY_PREFIXES})[-_.A-Za-z0-9]{{12,}}+")),
    Shape("key", re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+", re.A)),
    Shape("key", re.compile(START + r"\d{8,10}:AA[\w-]{33}", re.A)),  # a Telegram bot
    Shape("key", re.compile(r"(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])", re.A)),  # a Discord bot
    Shape("key", re.compile(r"(?P<kept>hooks\.slack\.com/services/)[\w/]{20,}+", re.A)),
    Shape("key", re.compile(rf"{START}[xyz]prv{_BASE58}{{100,112}}{END}")),
    Shape("key", re.compile(rf"{START}(?:5[HJK]{_BASE58}{{49}}|[KL]{_BASE58}{{51}}){END}")),  # a wallet's private key
    Shape("key", re.compile(START + r"[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![A-Za-z0-9-])")),  # a product key
    Shape("key", re.compile(r"(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])")),  # BitLocker
    Shape("code", re.compile(START + r"G-\d{6}(?!\d)")),
    Shape(
        "code", re.compile(r"(?P<kept>(?:^|(?<=\n))@[a-z0-9.-]{4,253} #)[^\s%]{4,32}(?:%[\w.-]{1,64})?", re.I | re.A)
    ),
    # The mark of an app in an SMS that it reads by itself: last, eleven characters.
    Shape(
        "key",
        re.compile(
            r"(?P<kept>(?:<#>|\[#\])[^\x1d]{4,140}?\s)(?=[a-z+/]{0,10}[A-Z0-9+/])[A-Za-z0-9+/]{11}(?=\s*+(?:\x1d|\Z))"
        ),
    ),
    # Identity documents. China: region, date of birth, serial and a check digit or X (GB 11643).
    Shape("id", re.compile(r"(?<!\d)\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]" + END)),
    Shape("id", re.compile(START + r"[A-Z][12]\d{8}" + END), _taiwan),
    Shape("id", re.compile(START + r"[A-Z]{1,2}\d{6}\([\dA]\)")),  # Hong Kong
    Shape("id", re.compile(START + r"[STFGM]\d{7}[A-Z]" + END)),  # Singapore
    Shape("id", re.compile(r"(?<![\d-])\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}(?![\d-])")),  # Korea
    Shape("id", re.compile(START + r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]" + END)),  # India (PAN)
    Shape("id", re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")),  # United States
    Shape("id", re.compile(START + r"[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]" + END)),  # United Kingdom
    Shape("id", re.compile(r"(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)"), _cpf),
    Shape("id", re.compile(START + r"[XYZ\d]\d{7}[A-HJ-NP-TV-Z]" + END), _dni),
    Shape("id", re.compile(START + r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]" + END)),  # Italy
    Shape("id", re.compile(r"(?<!\d)[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}(?!\d)"), _nir),
    Shape("id", re.compile(r"(?<![\d-])\d{3}-\d{3}-\d{3} \d{2}(?!\d)")),  # Russia (SNILS)
    Shape(
        "id", re.compile(START + r"[PIAVC][A-Z<][A-Z]{3}[A-Z]{1,30}<[A-Z<]{5,40}(?:\s[A-Z0-9<]{28,44})?")
    ),  # ICAO 9303
    # ISO/IEC 7812 issuers of payment cards begin with 2 to 6; other long numbers (orders, times in ms) are not cards.
    Shape(
        "card",
        re.compile(
            r"(?<![A-Za-z\d+-])(?<!IMEI )(?<!IMEI: )(?<!IMEI：)(?:3[0-9]|[456]\d|2[2-7])(?:[ -]?\d){12,17}(?![\d-])"
            + END
        ),
        luhn,
    ),
    Shape("card", re.compile(START + r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?" + END, re.I), iban),
)


def replaced(text: str, spans: Sequence[tuple[int, int]], label: str) -> str:
    """``text`` with the label in place of each of the spans, which are in text order and do not overlap."""
    borders = [0, *(border for span in spans for border in span), len(text)]
    return label.join(text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True))


def redact(text: str) -> str:
    """``text`` without the secrets that are known by their shape."""
    for shape in SHAPES:
        text = shape.redact(text)
    return text
