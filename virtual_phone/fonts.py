"""Fonts: Roboto, regular and bold, for Latin, Greek and Cyrillic; the best installed Chinese font for the rest."""

import functools
from bisect import bisect_right
from collections.abc import Iterator
from importlib import resources
from importlib.util import find_spec
from itertools import chain, islice

from PIL import ImageFont

_FONT_PACKAGE = "pylopdf_fonts_zh_cn"
"""A data-only package with Noto Sans SC (OFL); used when installed."""
_SYSTEM_FONTS = (
    "NotoSansCJK-Regular.ttc", "NotoSansSC-Regular.otf", "NotoSansCJKsc-Regular.otf", "SourceHanSansSC-Regular.otf",
    "wqy-microhei.ttc", "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "PingFang.ttc",
    "Hiragino Sans GB.ttc", "msyh.ttc", "DejaVuSans.ttf",
)  # fmt: skip
_ROBOTO = resources.files("virtual_phone") / "roboto"
_ROBOTO_RANGES = ((0x20, 0x7E), (0xA0, 0x17F), (0x384, 0x3CE), (0x400, 0x45F))
"""ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic."""
_GUESSED = 32
"""Characters of a line that are measured first."""
_ROBOTO_MARKS = "–—‘’‚“”„†•…‹›€™"


@functools.cache
def _wide_font_path() -> str:
    """A font with Chinese characters, or any with more than Latin; empty when there is none."""
    if find_spec(_FONT_PACKAGE) is not None:
        return str(resources.files(_FONT_PACKAGE).joinpath("NotoSansSC-Regular.otf"))
    for name in _SYSTEM_FONTS:
        try:
            return str(ImageFont.truetype(name, 16).path)
        except OSError:
            continue
    return ""


@functools.lru_cache(maxsize=128)
def font(size: int, wide: bool = False, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """A font of ``size`` pixels; ``wide`` for characters that Roboto lacks, of which there is no bold font."""
    path = (_wide_font_path() if wide else "") or str(_ROBOTO / f"Roboto-{'Bold' if bold else 'Regular'}.ttf")
    # The basic layout is the same on every build of Pillow and accepts any text; raqm refuses some.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def stroke(size: int, wide: bool, *, bold: bool) -> float:
    """Pixels by which letters are thickened, where a bold font is missing."""
    return size / 40 if bold and wide else 0.0


def _is_wide(character: str) -> bool:
    code = ord(character)
    return character not in _ROBOTO_MARKS and not any(first <= code <= last for first, last in _ROBOTO_RANGES)


def runs(text: str) -> Iterator[tuple[str, bool]]:
    """``text`` split where the font changes."""
    current, wide = "", False
    for character in text.replace("\n", " "):
        if _is_wide(character) != wide and current:
            yield current, wide
            current = ""
        wide = _is_wide(character)
        current += character
    if current:
        yield current, wide


def width(text: str, size: int, *, bold: bool = False) -> int:
    """Pixels that ``text`` takes on one line."""
    return round(sum(font(size, wide, bold=bold).getlength(run) for run, wide in runs(text)))


@functools.lru_cache(maxsize=4096)
def wrap(text: str, size: int, limit: int, lines: int = 0, *, bold: bool = False) -> tuple[str, ...]:
    """``text`` in lines of at most ``limit`` pixels; with ``lines`` the last one ends in an ellipsis."""
    wrapped = chain.from_iterable(_wrap_paragraph(paragraph, size, limit, bold) for paragraph in text.split("\n"))
    result = list(islice(wrapped, lines + 1 if lines else None))
    if lines and len(result) > lines:
        result = [*result[: lines - 1], _ellipsis(result[lines - 1], size, limit, bold)]
    return tuple(result)


def _wrap_paragraph(text: str, size: int, limit: int, bold: bool) -> Iterator[str]:
    line = ""
    for word in _words(text):
        joined = line + word.rstrip()
        if line and _fitting(joined, size, limit, bold) < len(joined):
            yield line.rstrip()
            line = word.lstrip()
        else:
            line += word
        while (cut := _fitting(line, size, limit, bold)) < len(line.rstrip()):
            yield line[:cut]
            line = line[cut:]
    yield line.rstrip()


def _fitting(text: str, size: int, limit: int, bold: bool) -> int:
    """How many characters from the start take at most ``limit`` pixels; one at least.

    Measures little more than that, so that a text of any length can be wrapped.
    """
    end = _GUESSED
    while end < len(text) and width(text[:end], size, bold=bold) <= limit:
        end *= 2
    if end >= len(text) and width(text, size, bold=bold) <= limit:
        return len(text)
    ends = range(1, min(end, len(text)) + 1)
    return max(1, bisect_right(ends, limit, key=lambda one: width(text[:one], size, bold=bold)))


def _words(text: str) -> list[str]:
    """Pieces between which a line may break: after spaces, and around each Chinese character."""
    pieces, current = [], ""
    for character in text:
        if character >= "\u2e80":
            pieces.extend([current, character] if current else [character])
            current = ""
        else:
            current += character
            if character == " ":
                pieces.append(current)
                current = ""
    return [*pieces, current] if current else pieces


def _ellipsis(line: str, size: int, limit: int, bold: bool) -> str:
    while line and width(line + "…", size, bold=bold) > limit:
        line = line[:-1]
    return line.rstrip() + "…"
