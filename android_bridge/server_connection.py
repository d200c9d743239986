"""One connection to the adb server: a socket with a buffer.

asyncio's streams take twice the time, 0.1 ms more per command, because they build a transport and a protocol for each
connection. Errors of the socket are translated here.
"""

import asyncio
import socket

from heed.errors import DeviceError, DeviceLostError, NoDeviceError
from heed.messages import msg

MAX_OUTPUT = 64 * 1024 * 1024
"""Bytes of one answer; the largest dump of a real phone is about 10 MB."""
_CHUNK = 1 << 18
_LARGE_CHUNK = 1 << 22
_FIRST_CHUNK = 1 << 14
_LONGEST_LINE = 1 << 20
_QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
"""Linux only. The adb server leaves Nagle's algorithm on towards its clients: the second part of an answer waits until
the first is acknowledged, which the kernel does 40 ms later unless told otherwise. Measured for a command in a
persistent shell: 44 ms without, 0.7 ms with."""


class ServerConnection:
    """Bytes to and from the adb server. Reads raise ``DeviceLostError`` when the connection breaks."""

    def __init__(self, raw: socket.socket) -> None:
        self._socket = raw
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()

    @classmethod
    async def connect(cls, host: str, port: int) -> "ServerConnection":
        """Connects; raises ``NoDeviceError`` when nothing listens there. The caller sets the deadline."""
        raw = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            raw.setblocking(False)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().sock_connect(raw, (host, port))
        except OSError as error:
            raw.close()
            remedy = msg("Start it with `adb start-server`.")
            raise NoDeviceError(msg("No adb server answers on {host}:{port}.", host=host, port=port), remedy) from error
        except BaseException:
            raw.close()
            raise
        return cls(raw)

    def close(self) -> None:
        """Closes the connection, which also ends the command on the phone."""
        self._socket.close()

    @property
    def quiet(self) -> bool:
        """Whether the connection is open and has no unread data."""
        if self._buffer:
            return False
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    async def write(self, data: bytes) -> None:
        """Sends all of ``data``."""
        try:
            await self._loop.sock_sendall(self._socket, data)
        except OSError as error:
            raise _lost() from error

    async def read(self) -> bytes:
        """Returns what has arrived, at least one byte; empty at the end."""
        if not self._buffer:
            return await self._receive(_CHUNK)
        data = bytes(self._buffer)
        self._buffer.clear()
        return data

    async def read_exactly(self, size: int) -> bytes:
        """Returns exactly ``size`` bytes."""
        while len(self._buffer) < size:
            if not await self._fill(size - len(self._buffer)):
                raise _lost()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    async def read_rest(self) -> bytearray:
        """Returns everything until the end, copying each byte once: a frame has 10 MB."""
        data, self._buffer = self._buffer, bytearray()
        size = len(data)
        while True:
            if size == len(data):
                data.extend(bytes(min(max(size, _CHUNK), _LARGE_CHUNK)))
            with memoryview(data) as view:
                received = await self._receive_into(view[size:])
            if not received:
                del data[size:]
                return data
            size = bounded(size + received)

    async def read_line(self) -> bytes:
        """Returns one line with its line end; at the end of the stream the rest, then empty.

        A line of more than a megabyte is returned in pieces.
        """
        searched = 0
        while (place := self._buffer.find(b"\n", searched)) < 0 and len(self._buffer) < _LONGEST_LINE:
            searched = len(self._buffer)
            if not await self._fill(_FIRST_CHUNK):
                break
        size = place + 1 if place >= 0 else len(self._buffer)
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    async def _fill(self, wanted: int) -> bool:
        """Receives more into the buffer; returns False at the end."""
        data = await self._receive(min(max(wanted, _FIRST_CHUNK), _CHUNK))
        self._buffer += data
        return bool(data)

    async def _receive(self, limit: int) -> bytes:
        try:
            self._acknowledge()
            return await self._loop.sock_recv(self._socket, limit)
        except OSError as error:
            raise _lost() from error

    async def _receive_into(self, room: memoryview) -> int:
        try:
            self._acknowledge()
            return await self._loop.sock_recv_into(self._socket, room)
        except OSError as error:
            raise _lost() from error

    def _acknowledge(self) -> None:
        """Has the kernel acknowledge at once; the option is reset after use, so it is set before each read."""
        if _QUICK_ACK is not None:
            self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)


def bounded(size: int) -> int:
    """Returns ``size``; raises ``DeviceError`` when it exceeds ``MAX_OUTPUT``."""
    if size > MAX_OUTPUT:
        raise DeviceError(msg("The phone printed more than {max_output} MB.", max_output=MAX_OUTPUT >> 20))
    return size


def _lost() -> DeviceLostError:
    return DeviceLostError(msg("The connection to the phone broke."), msg("Reconnect it."))
