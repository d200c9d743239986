"""One-time codes: a bare number is a secret only near a word such as "verification code".

Prices, times, dates, years, phone numbers and quantities nearby are told apart from it.
"""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from heed.redaction import words
from heed.redaction.shapes import replaced

_STRONG = tuple((stems, re.compile(pattern, re.I)) for stems, pattern in words.STRONG)
_WEAK = re.compile(words.WEAK, re.I)
_PUBLIC = re.compile(words.PUBLIC, re.I)

# "[code]" itself stands for the number it replaced, so that redacting twice changes nothing more.
_NUMBER = (
    r"\[code\]|\d{4,8}(?![ ]\d{3}(?!\d))|(?<!\d[ -])(?:\d{3}[ -]\d{3,4}|\d{2} \d{2} \d{2}|\d(?: \d){3,7})(?![ -]\d)"
)
_MIXED = r"[A-Z]{1,2}-\d{4,8}|(?=[A-Z]{0,8}\d[A-Z]{0,8}\d)[A-Z0-9]{5,8}|(?=[a-z]{0,8}\d)(?=\d{0,8}[a-z])[a-z0-9]{4,8}"
_CANDIDATE = re.compile(
    rf"(?<![A-Za-z\d])(?<!\d[.,:：/-])(?<![¥￥$€£])(?:(?P<number>{_NUMBER})|{_MIXED})(?![A-Za-z\d]|[.,:：/-]\d|"
    rf"-[A-Za-z\d])"
)

_MARKS = r"[\s:：=#*“”\"'「『【\[（(<-]{0,12}"
_TIED_AFTER = re.compile(rf"{_MARKS}(?:(?:{words.IS}){_MARKS}){{0,2}}", re.I)
_TIED_BEFORE = re.compile(
    rf"[\s)）】\]」』”\"',，]{{0,12}}(?:{words.AS})\s{{0,12}}(?:(?!\[code\])[^\d\n.。!！?？]){{0,30}}", re.I
)
_UNIT_AFTER = re.compile(rf"\s{{0,16}}(?:{words.UNIT})", re.I)
_REASON_BEFORE = re.compile(
    rf"(?:{words.CURRENCY})\s{{0,8}}$|"
    rf"(?<![^\W\d_])(?:{words.REASON})[\s:：#.]{{0,8}}(?:(?:number|no\.?|is|at)[\s:：#.]{{0,8}})?$|"
    rf"(?:{words.REASON_UNSPACED})[\s:：#.为是]{{0,8}}$",
    re.I,
)
_ENTER = re.compile(rf"(?<![^\W\d_])(?:{words.ENTER})[\s:：“”\"'「]{{0,8}}$", re.I)
_TO_CONFIRM = re.compile(rf"[\s“”\"'」]{{0,8}}(?:{words.TO_CONFIRM})", re.I)
_YEAR = re.compile(r"(?:19|20)\d{2}")
_WINDOW = 60


class _Span(NamedTuple):
    start: int
    end: int
    is_number: bool = False
    """Letters and digits mixed are a code only where grammar ties them to the word."""


def redact(text: str) -> str:
    """``text`` without one-time codes; a code that stands in the text again is removed there as well."""
    spans = _candidates(text)
    found = _codes(text, spans)
    values = {text[span.start : span.end] for span in found}
    hidden = [span for span in spans if span in found or text[span.start : span.end] in values]
    return replaced(text, [(span.start, span.end) for span in hidden], "[code]")


def _candidates(text: str) -> list[_Span]:
    return [_Span(*match.span(), match["number"] is not None) for match in _CANDIDATE.finditer(text)]


def _codes(text: str, spans: list[_Span]) -> set[_Span]:
    if not spans:
        return set()
    strong = _strong_words(text)
    instructed = {span for span in spans if _instructed(text, span)}
    weak = [_Span(*match.span()) for match in _WEAK.finditer(text)]
    weak = [word for word in weak if not _within(word, strong)]
    found = [_strong_code(text, word, spans) for word in strong] + [_weak_code(text, word, spans) for word in weak]
    return instructed | {span for span in found if span is not None}


def _strong_words(text: str) -> list[_Span]:
    folded = text.casefold()
    patterns = [pattern for stems, pattern in _STRONG if any(stem in folded for stem in stems)]
    return sorted({_Span(*match.span()) for pattern in patterns for match in pattern.finditer(text)})


def _within(word: _Span, strong: list[_Span]) -> bool:
    """Whether the last of these words, in text order, that begins no later reaches over this one."""
    place = bisect_right(strong, word.start, key=lambda span: span.start)
    return place > 0 and word.start < strong[place - 1].end


def _explained(text: str, span: _Span) -> bool:
    """Whether something other than a code explains this number: a unit, a price, a phone call, a year."""
    before, after = text[max(0, span.start - 24) : span.start], text[span.end : span.end + 16]
    is_year = bool(_YEAR.fullmatch(text, span.start, span.end))
    return is_year or bool(_UNIT_AFTER.match(after)) or bool(_REASON_BEFORE.search(before))


def _instructed(text: str, span: _Span) -> bool:
    """Whether the text says to enter this number: "enter 482913 to sign in"."""
    before, after = text[max(0, span.start - 24) : span.start], text[span.end : span.end + 24]
    return span.is_number and bool(_ENTER.search(before)) and bool(_TO_CONFIRM.match(after))


def _tied(text: str, word: _Span, span: _Span) -> bool:
    """Whether grammar ties the number to the word: "code: 482913", "482913 is your code"."""
    if span.start >= word.end:
        between, after = text[word.end : span.start], text[span.end :][:16]
        return bool(_TIED_AFTER.fullmatch(between)) and not _UNIT_AFTER.match(after)
    between, before = text[span.end : word.start], text[max(0, span.start - 24) : span.start]
    return bool(_TIED_BEFORE.fullmatch(between)) and not _REASON_BEFORE.search(before)


def _distance(word: _Span, span: _Span) -> int:
    return span.start - word.end if span.start >= word.end else word.start - span.end


def _near(text: str, word: _Span, spans: list[_Span]) -> list[_Span]:
    """The numbers within reach of the word, best first: tied to it, then nearest. ``spans`` are in text order."""
    first = bisect_left(spans, word.start - _WINDOW - 16, key=lambda span: span.start)
    last = bisect_right(spans, word.end + _WINDOW, key=lambda span: span.start)
    within = (span for span in spans[first:last] if 0 <= _distance(word, span) <= _WINDOW)
    return sorted(within, key=lambda span: (not _tied(text, word, span), _distance(word, span)))


def _strong_code(text: str, word: _Span, spans: list[_Span]) -> _Span | None:
    near = _near(text, word, spans)
    return next((s for s in near if _tied(text, word, s) or (s.is_number and not _explained(text, s))), None)


def _weak_code(text: str, word: _Span, spans: list[_Span]) -> _Span | None:
    if _PUBLIC.search(text[max(0, word.start - 16) : word.start]):
        return None
    return next((s for s in _near(text, word, spans) if _tied(text, word, s) and not _titled(text, word, s)), None)


def _titled(text: str, word: _Span, span: _Span) -> bool:
    """Whether the number is a year right behind the word, as in a title: "Code 2049"."""
    return text[word.end : span.start] == " " and bool(_YEAR.fullmatch(text, span.start, span.end))
