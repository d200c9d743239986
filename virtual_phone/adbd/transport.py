"""adbd's side of one connection: packets in, streams with flow control and bounded buffers out.

We have at most one unacknowledged WRTE in flight per stream; the peer's is acknowledged only when the handler
has consumed it, so a push of any size holds a few payloads per stream in memory (AOSP adb/protocol.txt).
"""

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import Protocol

from virtual_phone.adbd import packets
from virtual_phone.adbd.faults import Faults
from virtual_phone.adbd.keys import is_signed
from virtual_phone.adbd.packets import PacketHeader, ProtocolError

_log = logging.getLogger(__name__)
MAX_STREAMS = 512
MAX_UNACKNOWLEDGED = 4
"""Payloads of one stream that may wait here unread."""
Handler = Callable[["AdbStream"], Awaitable[None]]
Services = Callable[[str, "AdbConnection"], Handler | None]


class KeyRing(Protocol):
    """The phone's keys, and the dialogue for a new one."""

    trusted: list[str]
    waiting: str

    @property
    def required(self) -> bool: ...
    def offer(self, key: str) -> None: ...
    async def until_changed(self) -> None: ...


class StreamClosedError(Exception):
    """The peer closed the stream, so a write would reach nobody."""


class AdbStream:
    """One adb stream. Reads take the peer's payloads; writes wait for the peer's acknowledgements."""

    def __init__(self, connection: "AdbConnection", local: int, remote: int) -> None:
        self._connection, self.local, self.remote = connection, local, remote
        self._buffer = bytearray()
        self._outgoing = bytearray()
        self._unacknowledged = 0
        self._arrived = asyncio.Event()
        self._may_write = asyncio.Event()
        self._gone = asyncio.Event()
        self.ended = False
        """The peer will send nothing more."""
        self.closed = False

    def feed(self, data: bytes) -> None:
        """Take a payload from the wire; ``ProtocolError`` from a peer that does not wait for acknowledgements.

        One un-acknowledged payload is the rule, but adb 36 does not wait for the last one before it closes.
        """
        if self._unacknowledged == MAX_UNACKNOWLEDGED:
            raise ProtocolError("the peer does not wait for acknowledgements")
        self._unacknowledged += 1
        self._buffer += data
        self._arrived.set()

    def acknowledged(self) -> None:
        """The peer consumed our last payload (or opened the stream)."""
        self._may_write.set()
        if self._outgoing:
            self._connection.spawn(self._flush_again())

    def peer_closed(self) -> None:
        """Note that the peer closed the stream: readers see its end, writers stop."""
        self.ended = self.closed = True
        self._outgoing.clear()
        self._arrived.set()
        self._may_write.set()
        self._gone.set()

    async def gone(self) -> None:
        """Wait until the stream is closed."""
        await self._gone.wait()

    async def _consumed(self) -> None:
        while self._unacknowledged and not self._buffer and not self.closed:
            self._unacknowledged -= 1
            await self._connection.send(packets.OKAY, self.local, self.remote)

    async def read(self, size: int = packets.MAX_PAYLOAD) -> bytes:
        """At most ``size`` bytes, at least one; empty at the end."""
        while not self._buffer:
            if self.ended:
                return b""
            self._arrived.clear()
            await self._consumed()
            await self._arrived.wait()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        await self._consumed()
        return data

    async def read_exactly(self, size: int) -> bytes:
        """Exactly ``size`` bytes; ``EOFError`` when the stream ends before."""
        parts: list[bytes] = []
        while size:
            part = await self.read(size)
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    async def write(self, data: bytes | memoryview) -> None:
        """Send ``data``, one payload in flight; ``StreamClosedError`` when nobody reads any more.

        What is written while a payload is in flight goes out together in the next one, as adbd empties the pipe of a
        command: at most one payload waits here, more makes the writer wait.
        """
        view = memoryview(data)
        for start in range(0, len(view), self._connection.max_payload):
            if self.closed:
                raise StreamClosedError
            self._outgoing += view[start : start + self._connection.max_payload]
            await self._flush()
            while len(self._outgoing) >= self._connection.max_payload:
                await self._may_write.wait()
                if self.closed:
                    raise StreamClosedError
                await self._flush()

    async def _flush_again(self) -> None:
        with contextlib.suppress(ConnectionError):  # the reader of the connection notices
            await self._flush()

    async def _flush(self) -> None:
        """Send the waiting bytes, unless a payload is in flight."""
        if self._outgoing and self._may_write.is_set() and not self.closed:
            self._may_write.clear()
            payload = bytes(self._outgoing[: self._connection.max_payload])
            del self._outgoing[: len(payload)]
            await self._connection.send(packets.WRTE, self.local, self.remote, payload)

    async def close(self) -> None:
        """Close our side once the last payload was taken."""
        while not self.closed:
            await self._may_write.wait()
            if not self._outgoing:
                break
            await self._flush()
        if not self.closed:
            self.peer_closed()
            await self._connection.send(packets.CLSE, self.local, self.remote)


class AdbConnection:
    """One adb server's connection to the phone."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        banner: str,
        services: Services,
        faults: Faults,
        keys: KeyRing,
    ) -> None:
        self._reader, self._writer = reader, writer
        self._banner, self._services, self._faults, self._keys = banner, services, faults, keys
        self._version = packets.VERSION_SKIP_CHECKSUM
        self._token = b""
        self.max_payload = 4096
        self._checksum = True
        self._online = False
        self._streams: dict[int, AdbStream] = {}
        self._waiting: dict[int, asyncio.Future[AdbStream | None]] = {}
        self._next = 1
        self._tasks: set[asyncio.Future[None]] = set()
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Serve packets until the peer disconnects, breaks the protocol or a fault cuts the connection."""
        raw: socket.socket | None = self._writer.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while True:
                await self._faults.thawed()
                await self._packet(*await self._receive())
        except ProtocolError as error:
            _log.info("the peer broke the protocol: %s", error)
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            await self._end()

    async def _receive(self) -> tuple[PacketHeader, bytes]:
        header = packets.unpack(await self._reader.readexactly(packets.HEADER.size))
        payload = await self._reader.readexactly(header.length) if header.length else b""
        if self._checksum and not packets.checksum_matches(header, payload):
            raise ProtocolError("wrong checksum")
        return header, payload

    async def send(self, command: int, arg0: int, arg1: int, payload: bytes | memoryview = b"") -> None:
        """Write one packet; a frozen phone delays it, a cut connection raises ``ConnectionError``."""
        async with self._sending:
            await self._faults.thawed()
            if self._writer.is_closing():
                raise ConnectionResetError("the line is cut")
            header = packets.pack(command, arg0, arg1, payload, checksum=self._checksum)
            allowed = self._faults.allowance(len(header) + len(payload))
            if allowed is not None:
                self._writer.write((header + bytes(payload))[:allowed])
                self.cut()
                raise ConnectionResetError("the line was cut by a fault")
            await self._faults.slowed(len(header) + len(payload))
            self._writer.write(header)
            if payload:
                self._writer.write(payload)
            await self._writer.drain()

    def cut(self) -> None:
        """Break the connection at once, as an unplugged cable does."""
        if self._writer.can_write_eof():
            with contextlib.suppress(OSError):
                self._writer.write_eof()
        self._writer.close()
        self._reader.feed_eof()

    async def _packet(self, header: PacketHeader, payload: bytes) -> None:
        if header.command == packets.CNXN:
            await self._connect(header)
        elif header.command == packets.AUTH:
            await self._authenticate(header, payload)
        elif not self._online:
            raise ProtocolError("a packet before the connection was made")
        elif header.command == packets.OPEN:
            await self._open(header.arg0, payload)
        elif header.command == packets.OKAY:
            self._okay(header)
        elif header.command == packets.WRTE:
            await self._take(header, payload)
        elif header.command == packets.CLSE:
            await self._closed(header)

    async def _connect(self, header: PacketHeader) -> None:
        if self._faults.offline:
            return
        self.max_payload = min(max(header.arg1, 256), packets.MAX_PAYLOAD)
        self._version = header.arg0
        if self._keys.required or not self._faults.authorized:
            await self._challenge()
        else:
            await self._accept()

    async def _challenge(self) -> None:
        self._token = secrets.token_bytes(20)
        await self.send(packets.AUTH, packets.AUTH_TOKEN, 0, self._token)

    async def _authenticate(self, header: PacketHeader, payload: bytes) -> None:
        """A signature of the token by a trusted key is accepted; a public key waits for the owner."""
        if self._online or not self._token:
            return
        if header.arg0 == packets.AUTH_PUBLIC_KEY and self._faults.authorized:
            self.spawn(self._ask(payload.rstrip(b"\0").decode(errors="replace").split(" ", 1)[0]))
        elif header.arg0 == packets.AUTH_SIGNATURE:
            known = self._faults.authorized and is_signed(self._token, payload, self._keys.trusted)
            await (self._accept() if known else self._challenge())

    async def _ask(self, key: str) -> None:
        """Shows the dialogue for a key; the connection is made once the owner has accepted it."""
        self._keys.offer(key)
        while key not in self._keys.trusted:
            if key != self._keys.waiting:
                return
            await self._keys.until_changed()
        with contextlib.suppress(ConnectionError):
            await self._accept()

    async def _accept(self) -> None:
        version = min(self._version, packets.VERSION_SKIP_CHECKSUM)
        # The first CNXN always carries a checksum: the peer does not know our version yet.
        await self.send(packets.CNXN, packets.VERSION_SKIP_CHECKSUM, packets.MAX_PAYLOAD, self._banner.encode())
        self._checksum = version < packets.VERSION_SKIP_CHECKSUM
        self._online = True

    def _new_stream(self, remote: int) -> AdbStream:
        stream = AdbStream(self, self._next, remote)
        self._streams[stream.local] = stream
        self._next += 1
        return stream

    async def _open(self, remote: int, payload: bytes) -> None:
        name = payload.rstrip(b"\0").decode(errors="replace")
        handler = self._services(name, self) if len(self._streams) < MAX_STREAMS and remote else None
        if handler is None:
            await self.send(packets.CLSE, 0, remote)
            return
        stream = self._new_stream(remote)
        stream.acknowledged()
        await self.send(packets.OKAY, stream.local, remote)
        self.spawn(self._serve(handler, stream))

    async def open(self, name: str) -> AdbStream | None:
        """Open a service on the host (``reverse``); None when the host refuses."""
        stream = self._new_stream(0)
        answer: asyncio.Future[AdbStream | None] = asyncio.get_running_loop().create_future()
        self._waiting[stream.local] = answer
        await self.send(packets.OPEN, stream.local, 0, name.encode() + b"\0")
        return await answer

    def spawn(self, work: Awaitable[None]) -> None:
        """Run ``work`` until it ends or the connection does."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a service failed", exc_info=task.exception())

    async def _serve(self, handler: Handler, stream: AdbStream) -> None:
        try:
            with contextlib.suppress(StreamClosedError, EOFError, ConnectionError):
                await handler(stream)
        finally:
            with contextlib.suppress(ConnectionError):
                await stream.close()
            self._streams.pop(stream.local, None)

    def _okay(self, header: PacketHeader) -> None:
        stream = self._streams.get(header.arg1)
        if stream is None:
            return
        waiting = self._waiting.pop(stream.local, None)
        if waiting is not None:
            stream.remote = header.arg0
            waiting.set_result(stream)
        stream.acknowledged()

    async def _take(self, header: PacketHeader, payload: bytes) -> None:
        stream = self._streams.get(header.arg1)
        if stream is None or stream.closed:
            await self.send(packets.CLSE, header.arg1, header.arg0)
        else:
            stream.feed(payload)

    async def _closed(self, header: PacketHeader) -> None:
        stream = self._streams.pop(header.arg1, None)
        if stream is None:
            return
        waiting = self._waiting.pop(stream.local, None)
        if waiting is not None:
            waiting.set_result(None)
        if not stream.closed:
            stream.peer_closed()
            await self.send(packets.CLSE, stream.local, stream.remote)

    async def _end(self) -> None:
        for stream in list(self._streams.values()):
            stream.peer_closed()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(None)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._writer.close()
