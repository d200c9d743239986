"""The ``sync:`` service: push, pull, stat and list, versions 1 and 2 (AOSP adb/file_sync_protocol.h)."""

import struct
from collections.abc import Awaitable, Callable

from virtual_phone.adbd.transport import AdbStream
from virtual_phone.state.files import CHUNK, FileError, FileSystem, FileWriter, Stat

_MAX_PATH = 4096
_MAX_DATA = 64 * 1024
_ENOENT = 2
_STAT_V2 = struct.Struct("<IQQIIIIQqqq")
_SHELL_USER = 2000
_UNCOMPRESSED = (0, 0x80000000)
"""Flags of SND2 and RCV2 without compression: none, or a dry run."""


class _RefusedError(Exception):
    """A request that ends the session."""


class SyncService:
    """One sync session on one stream.

    Args:
        files: with the rights of adbd's user.
        stream: to the adb server.
    """

    def __init__(self, files: FileSystem, stream: AdbStream) -> None:
        self._files, self._stream = files, stream

    async def run(self) -> None:
        """Answer requests until QUIT or the end."""
        requests: dict[bytes, Callable[[str], Awaitable[None]]] = {
            b"STAT": self._stat, b"STA2": self._stat2, b"LST2": self._lstat2, b"LIST": self._list, b"LIS2": self._list2,
            b"SEND": self._send, b"SND2": self._send2, b"RECV": self._receive, b"RCV2": self._receive2,
        }  # fmt: skip
        while True:
            name, size = struct.unpack("<4sI", await self._stream.read_exactly(8))
            if name == b"QUIT":
                return
            try:
                if name not in requests:
                    raise _RefusedError(f"unknown command {name!r}")
                if size > _MAX_PATH:
                    raise _RefusedError("path too long")
                path = (await self._stream.read_exactly(size)).decode(errors="replace")
                await requests[name](path)
            except _RefusedError as error:
                await self._fail(str(error))
                return

    async def _fail(self, reason: str) -> None:
        text = reason.encode()
        await self._stream.write(b"FAIL" + struct.pack("<I", len(text)) + text)

    # --- stat and list: each answer in one write, because adbutils reads exact sizes ---------------------------
    async def _stat(self, path: str) -> None:
        found = self._files.stat(path)
        values = (found.mode, min(found.size, 0xFFFFFFFF), found.modified) if found else (0, 0, 0)
        await self._stream.write(b"STAT" + struct.pack("<3I", *values))

    def _stat2_fields(self, found: Stat | None) -> bytes:
        if found is None:
            return _STAT_V2.pack(_ENOENT, *[0] * 10)
        moment = found.modified
        return _STAT_V2.pack(
            0, 64768, found.inode, found.mode, 1, _SHELL_USER, _SHELL_USER, found.size, moment, moment, moment
        )

    async def _stat2(self, path: str) -> None:
        await self._stream.write(b"STA2" + self._stat2_fields(self._files.stat(path)))

    async def _lstat2(self, path: str) -> None:
        await self._stream.write(b"LST2" + self._stat2_fields(self._files.stat(path)))

    def _entries(self, path: str) -> list[tuple[str, Stat]]:
        try:
            names = self._files.names(path)
        except FileError:
            return []
        places = [(".", path), ("..", f"{path}/..")] + [(name, f"{path}/{name}") for name in names]
        found = [(name, self._files.stat(place)) for name, place in places]
        return [(name, status) for name, status in found if status is not None]

    async def _list(self, path: str) -> None:
        for name, found in self._entries(path):
            text = name.encode()
            size = min(found.size, 0xFFFFFFFF)
            await self._stream.write(b"DENT" + struct.pack("<4I", found.mode, size, found.modified, len(text)) + text)
        await self._stream.write(b"DONE" + bytes(16))

    async def _list2(self, path: str) -> None:
        for name, found in self._entries(path):
            text = name.encode()
            await self._stream.write(b"DNT2" + self._stat2_fields(found) + struct.pack("<I", len(text)) + text)
        await self._stream.write(b"DONE" + bytes(_STAT_V2.size + 4))

    # --- push -------------------------------------------------------------------------------------------------
    async def _send(self, path_and_mode: str) -> None:
        path, _, mode = path_and_mode.rpartition(",")
        await self._take(path, int(mode) if mode.isdigit() else 0o644)

    async def _send2(self, path: str) -> None:
        _, mode, flags = struct.unpack("<4sII", await self._stream.read_exactly(12))
        if flags not in _UNCOMPRESSED:
            raise _RefusedError("compression is not supported")
        await self._take(path, mode)

    async def _take(self, path: str, mode: int) -> None:
        """Receive a file; a refused one is read to its end, so that the host reads the reason."""
        writer: FileWriter | None = None
        reason = ""
        try:
            writer = self._files.open_writer(path, mode & 0o777, make_parents=True)
        except FileError as error:
            reason = f"couldn't create file: {error.reason}"
        while True:
            name, size = struct.unpack("<4sI", await self._stream.read_exactly(8))
            if name == b"DONE":
                break
            if name != b"DATA" or size > _MAX_DATA:
                raise _RefusedError(f"invalid data message {name!r}")
            while size:
                chunk = await self._stream.read(size)
                if not chunk:
                    raise EOFError
                size -= len(chunk)
                reason = reason or _write(writer, chunk)
        if reason or writer is None:
            await self._fail(reason)
            return
        writer.close(modified=size)
        await self._stream.write(b"OKAY" + bytes(4))

    # --- pull -------------------------------------------------------------------------------------------------
    async def _receive(self, path: str) -> None:
        try:
            blob = self._files.read(path)
        except FileError as error:
            await self._fail(f"open failed: {error.reason}")
            return
        for chunk in blob.chunks(CHUNK):
            await self._stream.write(b"DATA" + struct.pack("<I", len(chunk)) + chunk)
        await self._stream.write(b"DONE" + bytes(4))

    async def _receive2(self, path: str) -> None:
        _, flags = struct.unpack("<4sI", await self._stream.read_exactly(8))
        if flags:
            raise _RefusedError("compression is not supported")
        await self._receive(path)


def _write(writer: FileWriter | None, chunk: bytes) -> str:
    if writer is None:
        return ""
    try:
        writer.write(chunk)
    except FileError as error:
        return f"write failed: {error.reason}"
    return ""
