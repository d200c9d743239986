r"""Text from outside, made safe for a terminal, a web page's text and a log: ``safe_text``.

Rules, in the order of the table below. ``␀``-``␡`` are Unicode's pictures of control characters.

=============================================  ===================================================================
control characters (C0, DEL), so ESC as well   their picture: ``ESC [ 2 J`` is shown as ``␛[2J`` and moves nothing
C1 controls, bidi overrides and embeddings     written out: ``[U+009B]``, ``[U+202E]``
line breaks (LF, CRLF, VT, FF, NEL, LS, PS)    a newline in multi-line text, else ``⏎``; two in a row at most
tab, blank Braille cell                        a space; eight blanks in a row at most
bidi isolates and marks, zero-width, fillers   removed: Android puts isolates around ordinary names
joiners (ZWJ, ZWNJ)                            kept inside emoji and inside words of scripts that need them
tag characters                                 kept in the three flags that are written with them
variation selectors                            one after a symbol or a Han character, others removed
combining marks                                four on a character at most
unpaired surrogates, noncharacters             ``\ufffd``
length                                         cut at ``limit`` with ``…``
=============================================  ===================================================================

Letters keep their natural direction: a Hebrew title is still read from right to left. A display that supports it puts
text from outside into an element of its own (``<bdi>``).
"""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, JsonValue
from rich.markup import escape

from heed.messages import Message, Text, Value

LIMIT = 2000
"""The most characters that are shown of one text."""
WHOLE = 40_000
"""The same for what is shown whole: more than any text that a call may hold, however much of it is written out."""

_BLANKS, _BREAKS, _MARKS = 8, 2, 4
_CUT = "…"
_BAD = "\ufffd"

_LINE_BREAKS = re.compile("\r\n|[\n\x0b\x0c\x85\u2028\u2029]")
_FLAG = re.compile(
    "\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|"
    "\U000e0077\U000e006c\U000e0073)\U000e007f)"
)

_SHOWN_FORMATS = frozenset(map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)))
"""Format characters that are drawn: Arabic number signs and their like."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Drawn as nothing, although letters or marks by category."""
_REORDERING = range(0x202A, 0x202F)
_TAGS = "".join(map(chr, range(0xE0000, 0xE0080)))
_JOINERS = "\u200c\u200d"
_JOINING = (range(0x600, 0xE00), range(0x1000, 0x10A0), range(0x1780, 0x18B0))
"""Arabic and its neighbours, India, Myanmar, Khmer, Mongolian."""
_PICTOGRAPHS = (range(0x1F000, 0x1FB00), range(0x2190, 0x27C0), range(0x2900, 0x2C00))
_VARIATIONS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), range(0x180B, 0x180E))


def safe_text(text: str, *, multiline: bool = False, limit: int = LIMIT) -> str:
    """``text`` by the rules of this module; applied twice, it changes nothing more. Linear in the length.

    Args:
        text: anything, unpaired surrogates included.
        multiline: whether line breaks stay; else the result is one line.
        limit: the most characters of the result, at least 1.
    """
    if len(text) <= limit and text.isascii() and text.isprintable() and " " * (_BLANKS + 1) not in text:
        return text
    writer = _Writer(multiline)
    writer.write(_LINE_BREAKS.sub("\n", text), limit)
    return _cut("".join(writer.shown), limit)


def safe_markup(text: str, *, multiline: bool = False, limit: int = LIMIT) -> str:
    """``safe_text`` for a string that rich reads as markup: brackets are shown, not obeyed."""
    return escape(safe_text(text, multiline=multiline, limit=limit))


Shown = Annotated[str, AfterValidator(safe_text)]
"""One line of a model that is shown to the owner."""
ShownWhole = Annotated[str, AfterValidator(lambda text: safe_text(text, limit=WHOLE))]
"""What consent is given to (an effect, an argument, a command): one line, of which nothing is left out."""
ShownLines = Annotated[str, AfterValidator(lambda text: safe_text(text, multiline=True, limit=200_000))]
"""Several lines, whose values are safe already."""


def safe_value(value: JsonValue) -> JsonValue:
    """A value of JSON with every text in it safe, on one line each."""
    if isinstance(value, str):
        return safe_text(str(value))
    if isinstance(value, list):
        return [safe_value(item) for item in value]
    return {safe_text(name): safe_value(item) for name, item in value.items()} if isinstance(value, dict) else value


def safe_message(text: Text) -> Text:
    """A message with safe values: its template is ours and keeps its lines. A plain string becomes one line."""
    if isinstance(text, str):
        return safe_text(text)
    return text.model_copy(update={"values": {name: _safe_item(value) for name, value in text.values.items()}})


def _safe_item(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(safe_message(item) if isinstance(item, Message | str) else item for item in value)
    return safe_message(value) if isinstance(value, Message | str) else value


def inert(text: str) -> str:
    """A text that is laid out already, without what a terminal obeys: the last net, which leaves lines and blanks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char == "\n" or char in _JOINERS else _inert(char) for char in text)


def _inert(char: str) -> str:
    if char in "\x0b\x0c\r\x85\u2028\u2029":
        return "⏎"
    return " " if char in "\t\u2800" else _single(char)


class _Writer:
    """Writes one text character by character, and counts what may not be repeated without end."""

    def __init__(self, multiline: bool) -> None:
        self.shown: list[str] = []
        self._newline = "\n" if multiline else "⏎"
        self._blanks = self._breaks = self._marks = 0

    def write(self, text: str, limit: int) -> None:
        flags = {match.start(): match[0] for match in _FLAG.finditer(text)}
        place, length = 0, 0
        while place < len(text) and length <= limit:
            char, following = text[place], text[place + 1 : place + 2]
            piece = flags.get(place) or self._piece(char, following)
            place += len(flags.get(place, char))
            if piece:
                self.shown.append(piece)
                length += len(piece)

    def _piece(self, char: str, following: str) -> str:
        if char == "\n":
            return self._line_break()
        if char in " \t\u2800" or unicodedata.category(char) == "Zs":
            return self._blank(" " if char in "\t\u2800" else char)
        if _in(char, _VARIATIONS):
            return char if self._takes_variation(char) else ""
        if char in _JOINERS:
            return char if following and self._joins(following) else ""
        if unicodedata.category(char) in {"Mn", "Me"}:
            return self._mark(char)
        piece = _single(char)
        if piece:
            self._blanks = self._breaks = self._marks = 0
        return piece

    def _line_break(self) -> str:
        self._breaks += 1
        self._blanks = self._marks = 0
        return self._newline if self._breaks <= _BREAKS else ""

    def _blank(self, char: str) -> str:
        self._blanks += 1
        self._marks = 0
        return char if self._blanks <= _BLANKS else ""

    def _mark(self, char: str) -> str:
        if char in _UNSEEN:
            return ""
        self._marks += 1
        return char if self._marks <= _MARKS else ""

    @property
    def _last(self) -> str:
        return self.shown[-1][-1] if self.shown else ""

    def _takes_variation(self, char: str) -> bool:
        last = self._last
        if not last:
            return False
        if char in "\ufe0e\ufe0f":
            return last in "0123456789#*" or _in(last, _PICTOGRAPHS) or unicodedata.category(last) in {"So", "Po", "Sm"}
        return _is_han(last) if ord(char) >= 0xE0100 else "\u1800" <= last <= "\u18af" and char < "\u1900"

    def _joins(self, following: str) -> bool:
        last = self._last
        if not last or last in _JOINERS:
            return False
        if _in(following, _PICTOGRAPHS):
            return last == "\ufe0f" or _in(last, _PICTOGRAPHS)
        return _in(last, _JOINING) and _in(following, _JOINING) and _is_letter(following) and not last.isdigit()


def _single(char: str) -> str:
    """What stands for one character that depends on no other."""
    code = ord(char)
    match unicodedata.category(char):
        case "Cc":
            return _control(code)
        case "Cf":
            return char if char in _SHOWN_FORMATS else _written_out(code) if code in _REORDERING else ""
        case "Cs":
            return _BAD
        case "Cn" if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0:
            return _BAD
    return "" if char in _UNSEEN else char


def _control(code: int) -> str:
    if code == 0x7F:
        return "\u2421"
    return chr(0x2400 + code) if code < 0x20 else _written_out(code)


def _written_out(code: int) -> str:
    return f"[U+{code:04X}]"


def _in(char: str, ranges: tuple[range, ...]) -> bool:
    return any(ord(char) in one for one in ranges)


def _is_letter(char: str) -> bool:
    return unicodedata.category(char).startswith("L")


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\U00020000" <= char <= "\U0003ffff"


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return text[: limit - 1].rstrip(_JOINERS + _TAGS) + _CUT
