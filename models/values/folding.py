"""Plain form of a text for searching, with every character in its place."""

import unicodedata

LONGEST = 4000
"""Characters of a text that are read."""


def fold(text: str) -> str:
    """Lower case and compatibility forms, character by character, so that offsets stay those of ``text``."""
    return "".join(_fold(character) for character in text[:LONGEST])


def _fold(character: str) -> str:
    if character in "’‘`´":
        return "'"
    if character in "–—−‐‑〜~～":
        return "-"
    plain = unicodedata.normalize("NFKC", character).lower()
    return plain if len(plain) == 1 else character


def locate(span: str, text: str) -> tuple[int, int] | None:
    """Offsets of ``span`` in ``text``, ignoring case and forms of characters."""
    wanted = fold(span).strip()
    start = fold(text).find(wanted) if wanted else -1
    return (start, start + len(wanted)) if start >= 0 else None
