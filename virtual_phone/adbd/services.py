"""The services that adb opens by name: shell, exec, sync, tcp, reverse; smaller ones in ``device_services``."""

import asyncio
import codecs
import contextlib
import struct
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from virtual_phone.adbd.device_services import device_service
from virtual_phone.adbd.sync import SyncService
from virtual_phone.adbd.transport import AdbConnection, AdbStream, Handler, StreamClosedError
from virtual_phone.shell.io import BrokenPipe, Nothing, Streams

if TYPE_CHECKING:
    from virtual_phone.phone import VirtualPhone

# shell_v2 packet ids (AOSP adb/shell_protocol.h).
_STDIN, _STDOUT, _STDERR, _EXIT, _CLOSE_STDIN = 0, 1, 2, 3, 4
_HEADER = struct.Struct("<BI")
_SHELL_PAYLOAD = 512 * 1024
_GRACE = 5.0
"""Seconds that a command may run on after its reader closed the stream; ``exec-in`` needs them to finish writing."""
_LISTENERS = ("tcp:", "localabstract:", "localreserved:", "localfilesystem:")
"""What adbd can listen on (AOSP adb, ``socket_spec.cpp``)."""
_PROMPTS = {"shell": "vphone:/ $ ", "root": "vphone:/ # "}
"""By the user of the shell."""


class _RawEnds:
    """Shell version 1 and exec: one stream of bytes each way."""

    def __init__(self, stream: AdbStream) -> None:
        self._stream = stream

    async def read(self, size: int = 65536) -> bytes:
        return await self._stream.read(size)

    async def write(self, data: bytes) -> None:
        try:
            await self._stream.write(data)
        except (StreamClosedError, ConnectionError) as error:
            raise BrokenPipe from error


class _PacketOutput:
    """Shell version 2: output in packets of its channel."""

    def __init__(self, stream: AdbStream, channel: int) -> None:
        self._raw, self._channel = _RawEnds(stream), channel

    async def write(self, data: bytes) -> None:
        for start in range(0, len(data), _SHELL_PAYLOAD):
            part = data[start : start + _SHELL_PAYLOAD]
            await self._raw.write(_HEADER.pack(self._channel, len(part)) + part)


class _PacketInput:
    """Shell version 2: input from packets."""

    def __init__(self, stream: AdbStream) -> None:
        self._stream, self._ended, self._rest = stream, False, b""

    async def read(self, size: int = 65536) -> bytes:
        while not self._rest and not self._ended:
            await self._packet()
        part, self._rest = self._rest[:size], self._rest[size:]
        return part

    async def _packet(self) -> None:
        try:
            kind, length = _HEADER.unpack(await self._stream.read_exactly(_HEADER.size))
            data = await self._stream.read_exactly(length)
        except EOFError:
            self._ended = True
            return
        if kind == _STDIN:
            self._rest = data
        elif kind == _CLOSE_STDIN:
            self._ended = True


class Services:
    """Finds the handler of a service name; None refuses it."""

    def __init__(self, phone: "VirtualPhone") -> None:
        self._phone = phone

    def find(self, name: str, connection: AdbConnection) -> Handler | None:
        """The handler of ``name`` as adb spells it, such as ``shell,v2,raw:ls``."""
        kind, _, rest = name.partition(":")
        if kind.split(",")[0] == "shell":
            return self._shell(rest, kind.split(",")[1:])
        if kind == "exec":
            return lambda stream: self._exec(stream, rest)
        if name == "sync:":
            return lambda stream: SyncService(self._phone.shell().files, stream).run()
        if kind == "tcp":
            return self._phone.local_service(rest)
        if kind == "reverse":
            return lambda stream: self._reverse(stream, rest, connection)
        return device_service(name, self._phone)

    def _shell(self, line: str, options: list[str]) -> Handler:
        if "v2" in options:
            return lambda stream: self._shell_v2(stream, line, "pty" in options)
        return lambda stream: self._shell_v1(stream, line)

    async def _shell_v1(self, stream: AdbStream, line: str) -> None:
        ends = _RawEnds(stream)
        streams = Streams(ends, ends, ends)
        await self._until_reader_left(stream, self._run(line, streams, terminal=True))

    async def _exec(self, stream: AdbStream, line: str) -> None:
        ends = _RawEnds(stream)
        await self._until_reader_left(stream, self._run(line, Streams(ends, ends, Nothing()), terminal=False))

    async def _shell_v2(self, stream: AdbStream, line: str, terminal: bool) -> None:
        output = _PacketOutput(stream, _STDOUT)
        errors = output if terminal else _PacketOutput(stream, _STDERR)
        streams = Streams(_PacketInput(stream), output, errors)
        status = await self._until_reader_left(stream, self._run(line, streams, terminal=terminal))
        await stream.write(_HEADER.pack(_EXIT, 1) + bytes([status & 255]))

    async def _run(self, line: str, streams: Streams, *, terminal: bool) -> int:
        self._phone.state.catch_up()
        if line:
            return await self._phone.shell().run(line, streams)
        return await self._interactive(streams, terminal)

    async def _interactive(self, streams: Streams, terminal: bool) -> int:
        shell = self._phone.shell()
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        pending = ""
        status = 0
        while True:
            if terminal:
                await streams.stdout.write(_PROMPTS[shell.user].encode())
            while "\n" not in pending:
                chunk = decoder.decode(await streams.stdin.read())
                if not chunk:
                    return await shell.run(pending, streams) if pending else status
                if terminal:
                    chunk = chunk.replace("\r", "\n")
                    await streams.stdout.write(chunk.replace("\n", "\r\n").encode())
                pending += chunk
            line, _, pending = pending.partition("\n")
            self._phone.state.catch_up()
            shell.programs = self._phone.programs()
            if line.split()[:1] == ["exit"]:
                return await shell.run(line, streams)
            status = await shell.run(line, streams)

    async def _until_reader_left(self, stream: AdbStream, work: Coroutine[Any, Any, int]) -> int:
        """Run a command; end it ``_GRACE`` seconds after its reader closed the stream."""
        task = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(stream.gone())
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                await asyncio.wait({task}, timeout=_GRACE)
            return int(task.result()) if task.done() else 137
        except BrokenPipe:
            return 141
        finally:
            gone.cancel()
            task.cancel()

    async def _reverse(self, stream: AdbStream, request: str, connection: AdbConnection) -> None:
        verb, _, rest = request.partition(":")
        if verb == "list-forward":
            await stream.write(_block(self._phone.reverses.listed()))
        elif verb == "forward":
            await stream.write(self._phone.reverses.add(rest, connection))
        elif verb == "killforward":
            await stream.write(self._phone.reverses.remove(rest))
        elif verb == "killforward-all":
            self._phone.reverses.clear()
            await stream.write(b"OKAY")
        else:
            await stream.write(_failure(f"unknown reverse request {verb}"))


def _block(text: str) -> bytes:
    data = text.encode()
    return f"{len(data):04x}".encode() + data


def _failure(text: str) -> bytes:
    return b"FAIL" + _block(text)


class Reverses:
    """``adb reverse``: ports of the phone that lead to ports of the host."""

    def __init__(self) -> None:
        self._targets: dict[str, tuple[str, AdbConnection]] = {}

    def add(self, request: str, connection: AdbConnection) -> bytes:
        """``[norebind:]LOCAL;REMOTE``; the answer as adb reads it."""
        no_rebind = request.startswith("norebind:")
        local, _, remote = request.removeprefix("norebind:").partition(";")
        if not local.startswith(_LISTENERS) or not remote:
            return _failure(f"cannot bind listener: {local}")
        if no_rebind and local in self._targets:
            return _failure("cannot rebind existing socket")
        self._targets[local] = (remote, connection)
        return b"OKAY"

    def remove(self, local: str) -> bytes:
        """Remove the rule of one port."""
        if self._targets.pop(local, None) is None:
            return _failure(f"listener '{local}' not found")
        return b"OKAY"

    def clear(self) -> None:
        """Remove all rules."""
        self._targets.clear()

    def listed(self) -> str:
        """One line per rule: transport, local, remote."""
        return "".join(f"UsbFfs {local} {remote}\n" for local, (remote, _) in self._targets.items())

    async def connect(self, port: int) -> AdbStream | None:
        """A connection from an app on the phone to ``localhost:port``; None without a rule for that port."""
        target = self._targets.get(f"tcp:{port}")
        if target is None:
            return None
        remote, connection = target
        with contextlib.suppress(ConnectionError):
            return await connection.open(remote)
        return None
