"""One connection to the adb server: a socket with a buffer.

asyncio's streams do the same for twice the time, 0.1 ms per command: they build a transport and a protocol for a
connection that lives for one question. Errors of the socket are translated here, where they arise.
"""

import asyncio
import socket

from heed.errors import DeviceLostError, NoDeviceError

_CHUNK = 1 << 18
_FIRST_CHUNK = 1 << 14
_LONGEST_LINE = 1 << 20


class Wire:
    """Bytes to and from the adb server. Reads raise ``DeviceLostError`` when the connection breaks."""

    def __init__(self, raw: socket.socket) -> None:
        self._socket = raw
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()

    @classmethod
    async def connect(cls, host: str, port: int) -> "Wire":
        """``NoDeviceError`` when nobody listens there; no deadline of its own."""
        raw = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            raw.setblocking(False)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().sock_connect(raw, (host, port))
        except OSError as error:
            raw.close()
            remedy = "Start it with `adb start-server`."
            raise NoDeviceError(f"No adb server answers on {host}:{port}.", remedy) from error
        except BaseException:
            raw.close()
            raise
        return cls(raw)

    def close(self) -> None:
        """End the connection, and with it the command on the phone."""
        self._socket.close()

    async def write(self, data: bytes) -> None:
        """Send all of ``data``."""
        try:
            await self._loop.sock_sendall(self._socket, data)
        except OSError as error:
            raise _lost() from error

    async def read(self) -> bytes:
        """What is there, at least one byte; empty at the end."""
        if not self._buffer:
            return await self._receive(_CHUNK)
        data = bytes(self._buffer)
        self._buffer.clear()
        return data

    async def read_exactly(self, size: int) -> bytes:
        """Exactly ``size`` bytes."""
        while len(self._buffer) < size:
            if not await self._fill(size - len(self._buffer)):
                raise _lost()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    async def read_line(self) -> bytes:
        """One line with its end; what is left at the end of the stream, at last empty.

        A line of more than a megabyte is none of Android's: it comes in pieces.
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
        """Receive more into the buffer; False at the end."""
        data = await self._receive(min(max(wanted, _FIRST_CHUNK), _CHUNK))
        self._buffer += data
        return bool(data)

    async def _receive(self, limit: int) -> bytes:
        try:
            return await self._loop.sock_recv(self._socket, limit)
        except OSError as error:
            raise _lost() from error


def _lost() -> DeviceLostError:
    return DeviceLostError("The connection to the phone broke.", "Reconnect it.")
