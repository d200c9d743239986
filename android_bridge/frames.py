"""Parses the pictures that ``screencap`` prints.

On a phone with several displays ``screencap`` prints a warning before the picture (Android 14 and later): everything
before the picture is cut off. Source: docs/android-notes.md, "Screen pictures".
"""

import struct
from typing import NamedTuple

from android_bridge.commands import quote
from heed.errors import DeviceError
from heed.messages import msg

_PNG_START, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
_RGBA_8888 = 1
"""``PIXEL_FORMAT_RGBA_8888``, the only format that ``screencap`` writes since Android 4."""
_MAX_WARNING = 2048
_MAX_SIDE = 16384


class Screenshot(NamedTuple):
    """One screen frame as PNG, with its size in pixels."""

    png: bytes
    width: int
    height: int


class RawFrame(NamedTuple):
    """One screen frame as raw pixels, four bytes each: red, green, blue, alpha; rows from top to bottom."""

    rgba: memoryview
    width: int
    height: int


def capture_command(display: str, *, png: bool) -> str:
    """Returns the ``screencap`` line for one display (empty for the phone's own)."""
    return " ".join(["screencap", *(["-p"] if png else []), *(["-d", quote(display)] if display else [])])


def parse_screenshot(data: bytes) -> Screenshot:
    """Returns the PNG in the output of ``screencap -p``; raises ``DeviceError`` with its words when there is none."""
    start, end = data.find(_PNG_START), data.rfind(_PNG_END)
    if start < 0 or end < start:
        raise _none(data)
    png = data[start : end + len(_PNG_END)]
    width, height = struct.unpack(">II", png[16:24])
    return Screenshot(png, width, height)


def parse_frame(data: bytes | bytearray) -> RawFrame:
    """Returns the pixels in the output of ``screencap``.

    The header is width, height and format, and a colour space since Android 9, each a little-endian 32-bit number;
    start and header length follow from the frame's exact size.
    """
    starts = [0, *(place + 1 for place in _line_ends(data[:_MAX_WARNING]))]
    for start in starts:
        for header in (16, 12):
            frame = _frame_at(data, start, header)
            if frame is not None:
                return frame
    raise _none(data)


def _frame_at(data: bytes | bytearray, start: int, header: int) -> RawFrame | None:
    if len(data) < start + header:
        return None
    width, height, pixel_format = struct.unpack_from("<III", data, start)
    if pixel_format != _RGBA_8888 or not (0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE):
        return None
    if len(data) - start - header != width * height * 4:
        return None
    return RawFrame(memoryview(data)[start + header :].toreadonly(), width, height)


def _line_ends(data: bytes | bytearray) -> list[int]:
    return [place for place, byte in enumerate(data) if byte == 0x0A]


def _none(data: bytes | bytearray) -> DeviceError:
    said = data[:80].decode(errors="replace").strip()
    readable = said if said.isprintable() else ""
    return DeviceError(
        msg("The phone gave no picture of its screen ({readable}).", readable=readable or msg("nothing usable")),
        msg("Is its screen on?"),
    )
