"""Pictures of text, such as a photographed notice or a screenshot of a message."""

import functools
from io import BytesIO

from PIL import Image, ImageDraw

from virtual_phone import fonts

SIZE = (1080, 2400)
"""Pixels of a picture file."""
_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
_SMALLEST = 8
_LINES_PER_WIDTH = 20
"""The font is this part of the width, or smaller where the text is long."""


def encoded(text: str, suffix: str) -> bytes:
    """Returns a picture of ``text`` as a file with this suffix (``.png``, ``.jpg``, ``.webp``; others are PNG)."""
    file = BytesIO()
    draw(text, SIZE).save(file, _FORMATS.get(suffix.lower(), "PNG"))
    return file.getvalue()


@functools.lru_cache(maxsize=32)
def draw(text: str, size: tuple[int, int]) -> Image.Image:
    """Returns a picture of ``text``, dark on white, in lines; text that is too long for the picture is cut."""
    width, height = size
    margin = width // 12
    image = Image.new("RGB", size, "#ffffff")
    pen = ImageDraw.Draw(image)
    pixels, lines = _layout(text, width - 2 * margin, height - 2 * margin)
    for number, line in enumerate(lines):
        left = float(margin)
        for run, wide in fonts.runs(line):
            font = fonts.font(pixels, wide)
            pen.text((left, margin + number * _line_height(pixels)), run, fill="#202124", font=font)
            left += font.getlength(run)
    return image


def _layout(text: str, width: int, height: int) -> tuple[int, tuple[str, ...]]:
    """The largest font in which the text fits, and its lines."""
    pixels = max(_SMALLEST, width // _LINES_PER_WIDTH)
    while pixels > _SMALLEST and len(fonts.wrap(text, pixels, width)) * _line_height(pixels) > height:
        pixels -= 1
    return pixels, fonts.wrap(text, pixels, width)[: max(1, height // _line_height(pixels))]


def _line_height(pixels: int) -> int:
    return round(1.5 * pixels)
