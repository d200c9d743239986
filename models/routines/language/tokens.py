"""Splits text into stemmed English words, numbers and single Chinese characters, with sentences and quotes.

The rules are simple because the log consists of short factual sentences.
"""

import re
from collections.abc import Collection, Mapping
from enum import Enum
from typing import NamedTuple

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u3400-\u9fff]")
_ABBREVIATION = re.compile(r"\b(?:Prof|Dr|Mr|Mrs|Ms|St|Jr|vs|No|e\.g|i\.e|etc)\.$")
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)]*+(?=\s|$)|[。！？；\n]+[”’」』》）]*|;(?=\s)")
_QUOTE = re.compile(
    r"(?<![\w’])'(?=\S)(?P<single>.{0,300}?\S)'(?!\w)|\"(?P<double>[^\"]++)\"|“(?P<curly>[^“”]++)”|(?<!\w)‘(?P<half>[^‘’]++)’"
    r"|「(?P<corner>[^「」]++)」|『(?P<white>[^『』]++)』|《(?P<title>[^《》]++)》"
)
_BREAK = re.compile(r"[,;:](?!\d)|[()\[\]，、；：（）—–!?。！？]|->|→| - ")
# "At 23:05, …", "23:05，…", "晚上11点05分，…": the entry's own time, repeated in its text.
_LEADING_TIME = re.compile(
    r"^\s*+(?:(?:at|around|about|by)\s++)?\d{1,2}[:：.]\d{2}(?::\d{2})?\s*+(?:[ap]\.?m\.?)?\s*+[,，:：-]?\s*+"
    r"|^\s*+(?:(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|深夜)\s*+)?\d{1,2}\s*+(?:点|时)\s*+"
    r"(?:\d{1,2}\s*+分?|半|整)?\s*+[,，]?\s*+",
    re.IGNORECASE,
)


class VerbForm(Enum):
    """The form of an English word, as far as it shows whether the word is a verb."""

    PLAIN = "plain"
    """A base form, an -s form or not a verb: "post", "posts"."""
    PAST = "past"
    """A form in -ed or -ing, or an irregular past: in a narrative, a verb."""
    UNCHANGED = "unchanged"
    """A past form equal to the base form: "set", "read"."""


class WordToken(NamedTuple):
    """One word, number or Chinese character."""

    stem: str
    start: int
    """Offset in the text, in characters."""
    end: int
    sentence: int
    quote: int
    """Index of the quote that contains it, or -1."""
    after_break: bool
    """Whether it begins a sentence, a quote or a clause."""
    form: VerbForm


class QuotedText(NamedTuple):
    """A text between quotation marks."""

    text: str
    start: int
    end: int
    sentence: int


class TokenizedText(NamedTuple):
    """A text with its tokens, quotes and the spans of its sentences."""

    raw: str
    tokens: tuple[WordToken, ...]
    quotes: tuple[QuotedText, ...]
    sentences: tuple[tuple[int, int], ...]


def stem(word: str, irregular: Mapping[str, str]) -> str:
    """A stem that is the same for all inflections of an English word; only compared with other stems.

    ``irregular`` maps forms that rules get wrong to their base form, or to themselves to be left alone.
    """
    base = irregular.get(word, word)
    if word in irregular and base == word:
        return word
    if base.endswith("ies") or base.endswith("ied"):
        base = base[:-3] + "y" if len(base) > 4 else base[:-1]
    elif base.endswith("s") and not base.endswith(("ss", "us", "is")) and len(base) > 3:
        base = base[:-1]
    for suffix in ("ing", "ed"):
        if base.endswith(suffix) and re.search(r"[aeiouy]", base[: -len(suffix)]) and len(base) - len(suffix) >= 2:
            base = base[: -len(suffix)]
            break
    if len(base) > 3 and base[-1] == base[-2]:
        base = base[:-1]
    return base[:-1] if base.endswith("e") and len(base) > 3 else base


def without_leading_time(raw: str) -> str:
    """The text of a log entry without its own clock time at the start."""
    return _LEADING_TIME.sub("", raw, count=1)


def _sentences(raw: str, quotes: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(raw):
        inside = any(first < match.start() and match.end() < last for first, last in quotes)
        if inside or _ABBREVIATION.search(raw[: match.end()]):
            continue
        spans.append((start, match.end()))
        start = match.end()
    return (*spans, (start, len(raw))) if start < len(raw) or not spans else tuple(spans)


def _at(offset: int, spans: tuple[tuple[int, int], ...]) -> int:
    return next((index for index, (start, end) in enumerate(spans) if start <= offset < end), -1)


def _form(word: str, irregular: Mapping[str, str], unchanged_past: Collection[str]) -> VerbForm:
    if word in unchanged_past:
        return VerbForm.UNCHANGED
    if word in irregular:
        return VerbForm.PAST if irregular[word] != word else VerbForm.PLAIN
    return VerbForm.PAST if len(word) > 4 and word.endswith(("ed", "ing")) else VerbForm.PLAIN


def _breaks(raw: str, start: int, end: int) -> bool:
    """Whether a clause ends between two offsets; "7:30" and "1,000" do not."""
    found = _BREAK.search(raw, start)
    return found is not None and found.start() < end


def parse(raw: str, irregular: Mapping[str, str], unchanged_past: Collection[str] = ()) -> TokenizedText:
    """``raw`` as tokens, quotes and sentences; ``unchanged_past`` are verbs whose past is their base form."""
    found = [(match.start(), match.end(), match[match.lastgroup or 0]) for match in _QUOTE.finditer(raw)]
    sentences = _sentences(raw, [(start, end) for start, end, _ in found])
    quotes = tuple(QuotedText(text.strip(), start, end, _at(start, sentences)) for start, end, text in found)
    spans = tuple((quote.start, quote.end) for quote in quotes)
    tokens: list[WordToken] = []
    for match in _TOKEN.finditer(raw):
        word, sentence, quote = match[0].lower(), _at(match.start(), sentences), _at(match.start(), spans)
        last = tokens[-1] if tokens else None
        fresh = last is None or last.sentence != sentence or (last.quote != quote and quote >= 0)
        fresh = fresh or (last is not None and _breaks(raw, last.end, match.start()))
        tokens.append(
            WordToken(
                stem=stem(word, irregular),
                start=match.start(),
                end=match.end(),
                sentence=sentence,
                quote=quote,
                after_break=fresh,
                form=_form(word, irregular, unchanged_past),
            )
        )
    return TokenizedText(raw, tuple(tokens), quotes, sentences)
