"""Small services of adbd: texts of a user build, the frame buffer, the list of debuggable processes.

Source: AOSP packages/modules/adb, daemon (``restart_service.cpp``, ``services.cpp``, ``framebuffer_service.cpp``,
``jdwp_service.cpp``) and system/core, fs_mgr (``fs_mgr_remount.cpp``).
"""

import asyncio
import struct
from typing import TYPE_CHECKING

from virtual_phone.adbd.transport import AdbStream, Handler

if TYPE_CHECKING:
    from virtual_phone.ui.screen import Screen

_TEXTS = {
    "root": "adbd cannot run as root in production builds\n",
    "unroot": "adbd not running as root\n",
    "remount": 'Not running as root. Try "adb root" first.\n',
}
"""The answer to each service that a user build refuses."""
_FRAME = struct.Struct("<14I")
_VERSION, _DEPTH, _SRGB = 2, 32, 1
_CHANNELS = (0, 8, 16, 8, 8, 8, 24, 8)
"""Offset and length in bits of red, blue, green and alpha."""
_RAW_HEADER = 16


def device_service(name: str, screen: "Screen") -> Handler | None:
    """Returns the handler of a service such as ``root:``; None for one that is not here."""
    kind, colon, _ = name.partition(":")
    if colon and kind in _TEXTS:
        return lambda stream: stream.write(_TEXTS[kind].encode())
    if name == "framebuffer:":
        return lambda stream: _frame(stream, screen)
    return _debuggable if name == "track-jdwp" else None


async def _frame(stream: AdbStream, screen: "Screen") -> None:
    """One frame: the header of version 2, then the pixels."""
    raw = await asyncio.to_thread(screen.drawing("raw"))
    width, height = struct.unpack_from("<2I", raw)
    pixels = raw[_RAW_HEADER:]
    await stream.write(_FRAME.pack(_VERSION, _DEPTH, _SRGB, len(pixels), width, height, *_CHANNELS))
    await stream.write(pixels)


async def _debuggable(stream: AdbStream) -> None:
    """The process ids that a debugger can attach to, after each change: none on a user build."""
    await stream.write(b"0000")
    await stream.gone()
