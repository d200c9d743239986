"""Declared sets of what is never stored, shown to a model, or logged.

A secret is replaced by ``[code]``, ``[card]``, ``[id]`` or ``[key]``: the reader still knows that something
was there. Applied by the collectors before a fact is built and by the log formatter as a second net.
"""

import re
from typing import NamedTuple


class _Rule(NamedTuple):
    label: str
    pattern: re.Pattern[str]


_CODE_WORD = r"(?:code|otp|passcode|pin|password|verification|验证码|校验码|动态码|密码|提取码)"

RULES: tuple[_Rule, ...] = (
    _Rule("key", re.compile(r"\b(?:sk|pk|ghp|gho|xox[bap]|AKIA)[-_A-Za-z0-9]{16,}\b")),
    _Rule("key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S)),
    _Rule("key", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\b")),
    # Chinese resident identity card: 17 digits and a check digit or X (GB 11643).
    _Rule(
        "id", re.compile(r"(?<!\d)\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])")
    ),
    _Rule("id", re.compile(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")),
    _Rule("card", re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])")),
    _Rule("card", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")),
)

_CODE_AFTER = re.compile(rf"({_CODE_WORD}[^\d\n]{{0,24}})(\d{{4,8}})(?!\d)", re.I)
_CODE_BEFORE = re.compile(rf"(?<!\d)(\d{{4,8}})(?!\d)([^\d\n]{{0,24}}{_CODE_WORD})", re.I)
_DIGITS = re.compile(r"\d")


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _replace_card(match: re.Match[str]) -> str:
    digits = "".join(_DIGITS.findall(match[0]))
    is_iban = match[0][:2].isalpha()
    return "[card]" if is_iban or _luhn(digits) else match[0]


def redact(text: str) -> str:
    """``text`` with one-time codes, card, account and ID numbers and keys replaced by their labels."""
    for rule in RULES:
        text = rule.pattern.sub(_replace_card if rule.label == "card" else f"[{rule.label}]", text)
    text = _CODE_AFTER.sub(r"\1[code]", text)
    return _CODE_BEFORE.sub(r"[code]\2", text)
