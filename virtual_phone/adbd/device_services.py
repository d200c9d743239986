"""Small services of adbd: restarts as root, the frame buffer, the list of debuggable processes.

Source: AOSP packages/modules/adb, daemon (``restart_service.cpp``, ``services.cpp``, ``framebuffer_service.cpp``,
``jdwp_service.cpp``) and system/core, fs_mgr (``fs_mgr_remount.cpp``).
"""

import asyncio
import contextlib
import struct
from typing import TYPE_CHECKING

from virtual_phone.adbd.transport import AdbStream, Handler

if TYPE_CHECKING:
    from virtual_phone.phone import VirtualPhone
    from virtual_phone.ui.screen import Screen

_REMOUNT = {"shell": 'Not running as root. Try "adb root" first.\n', "root": "remount succeeded\n"}
"""The answer to ``adb remount``, by adbd's user."""
_CLOSING = 1.0
"""Seconds that adbd waits for adb to read its answer before it restarts."""
_FRAME = struct.Struct("<14I")
_VERSION, _DEPTH, _SRGB = 2, 32, 1
_CHANNELS = (0, 8, 16, 8, 8, 8, 24, 8)
"""Offset and length in bits of red, blue, green and alpha."""
_RAW_HEADER = 16


def device_service(name: str, phone: "VirtualPhone") -> Handler | None:
    """Returns the handler of a service such as ``root:``; None for one that is not here."""
    if name in ("root:", "unroot:"):
        return lambda stream: _restart(stream, phone, as_root=name == "root:")
    if name.startswith("remount:"):
        return lambda stream: stream.write(_REMOUNT[phone.state.identity.adbd_user].encode())
    if name == "framebuffer:":
        return lambda stream: _frame(stream, phone.screen)
    return _debuggable if name == "track-jdwp" else None


async def _restart(stream: AdbStream, phone: "VirtualPhone", *, as_root: bool) -> None:
    """``adb root`` and ``adb unroot``: adbd ends and starts again as another user, where the build allows it."""
    identity = phone.state.identity
    if as_root == (identity.adbd_user == "root"):
        await stream.write(b"adbd is already running as root\n" if as_root else b"adbd not running as root\n")
    elif as_root and not identity.rooted:
        await stream.write(b"adbd cannot run as root in production builds\n")
    else:
        identity.adbd_user = "root" if as_root else "shell"
        await stream.write(b"restarting adbd as root\n" if as_root else b"restarting adbd as non root\n")
        phone.background(_end(stream, phone))


async def _end(stream: AdbStream, phone: "VirtualPhone") -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_CLOSING):
            await stream.gone()
    await phone.unplug()


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
