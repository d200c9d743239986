"""Recovery phrases of wallets: twelve or more words of the list of BIP-39, or words announced as such a phrase.

``bip39_english.txt`` is the English list of BIP-39 (https://github.com/bitcoin/bips, MIT licence).
"""

import re
from functools import cache
from importlib import resources

from heed.redaction.shapes import replaced

_SHORTEST = 12
_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{3,8}(?![^\W_])")
_GAP = re.compile(r"[\s\d.,;:)(|/-]{1,8}")
"""What stands between two words of a phrase: blanks, commas, their places in it."""

_STEMS = (
    "phrase", "mnemonic", "frase", "фраз", "助记词", "助記詞", "恢复短语", "フレーズ", "니모닉", "복구 구문", "ifade",
    "cụm từ",
    "zin", "fras",
)  # fmt: skip
_ANNOUNCED = re.compile(
    r"((?:(?:seed|recovery|secret|backup|wallet)[ -](?:recovery )?phrase|mnemonic|frase (?:de |di )?"
    r"(?:recupera\w{1,12}|semilla|recupero)|"
    r"phrase (?:de récupération|secrète)|wiederherstellungsphrase|сид-фраза|seed-фраза|секретная фраза|助记词|"
    r"助記詞|恢复短语|"
    r"(?:シード|復元|リカバリー)フレーズ|니모닉|복구 구문|kurtarma ifade\w{0,12}|cụm từ khôi phục|"
    r"herstelzin)[\s:：=是は]{0,6})"
    r"\w++(?:[\s\d.,，、;:)]{1,6}[^\W\d]++){11,24}",
    re.I,
)


@cache
def _words() -> frozenset[str]:
    return frozenset(resources.files(__package__).joinpath("bip39_english.txt").read_text("ascii").split())


def redact(text: str) -> str:
    """``text`` without recovery phrases."""
    text = replaced(text, _runs(text), "[key]")
    folded = text.casefold()
    return _ANNOUNCED.sub(r"\1[key]", text) if any(stem in folded for stem in _STEMS) else text


def _runs(text: str) -> list[tuple[int, int]]:
    """Where words of the list follow each other, often enough to be a phrase."""
    found: list[tuple[int, int]] = []
    start, end, count = 0, 0, 0
    for match in _WORD.finditer(text):
        if match[0].lower() not in _words():
            count = 0
            continue
        if count and not _GAP.fullmatch(text, end, match.start()):
            count = 0
        start = match.start() if count == 0 else start
        end, count = match.end(), count + 1
        if count == _SHORTEST:
            found.append((start, end))
        elif count > _SHORTEST:
            found[-1] = (start, end)
    return found
