"""An adb server in miniature, for what a real one does not do on demand: cut answers, garbage, silence.

It speaks the server's protocol to the client under test; phones and their commands are Python functions.
"""

import asyncio
import re
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from android_bridge.persistent_shell import PACKET

Service = Callable[[str, StreamReader, StreamWriter], Awaitable[None]]
SERIAL = "wire-1"


def okay(writer: StreamWriter) -> None:
    writer.write(b"OKAY")


def fail(writer: StreamWriter, reason: str) -> None:
    writer.write(b"FAIL" + block(reason))


def block(text: str) -> bytes:
    return f"{len(text.encode()):04x}".encode() + text.encode()


def shell_packet(kind: int, data: bytes) -> bytes:
    return struct.pack("<BI", kind, len(data)) + data


def shell_answer(stdout: str = "", stderr: str = "", exit_code: int = 0) -> bytes:
    parts = [shell_packet(1, stdout.encode()), shell_packet(2, stderr.encode()), shell_packet(3, bytes([exit_code]))]
    return b"".join(parts)


async def standing_answers(
    reader: StreamReader, writer: StreamWriter, answer: Callable[[str], Awaitable[tuple[str, str]]]
) -> None:
    """A persistent shell whose lines are answered by a function: both outputs of a line, the status is always 0."""
    while True:
        _, size = PACKET.unpack(await reader.readexactly(PACKET.size))
        script = (await reader.readexactly(size)).decode()
        for line, marker in _MARKED.findall(script):
            stdout, stderr = await answer(line.replace("'\\''", "'"))
            writer.write(shell_packet(1, f"{stdout}{marker} 0\n".encode()))
            writer.write(shell_packet(2, f"{stderr}{marker}\n".encode()))
        await writer.drain()


_MARKED = re.compile(r"\( eval '(.*?)' \) </dev/null; echo (\S+) \$\?; echo \S+ >&2")


@dataclass
class WireServer:
    """``phones`` maps serials to what happens when a service is opened on them."""

    phones: dict[str, Service] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    port: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def listing(self) -> str:
        return "".join(f"{serial}\tdevice\n" for serial in self.phones)

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        request = await self._request(reader)
        if request.startswith("host:transport:"):
            await self._transport(request.removeprefix("host:transport:"), reader, writer)
        elif request == "host:track-devices":
            await self._track(writer)
        else:
            okay(writer)
            answers = {"host:version": "0029", "host:devices": self.listing()}
            writer.write(block(answers.get(request, "")))
        await writer.drain()

    async def _request(self, reader: StreamReader) -> str:
        size = int(await reader.readexactly(4), 16)
        request = (await reader.readexactly(size)).decode()
        self.requests.append(request)
        return request

    async def _transport(self, serial: str, reader: StreamReader, writer: StreamWriter) -> None:
        if serial not in self.phones:
            return fail(writer, f"device '{serial}' not found")
        okay(writer)
        service = await self._request(reader)
        await self.phones[serial](service, reader, writer)
        await writer.drain()
        return None

    async def _track(self, writer: StreamWriter) -> None:
        okay(writer)
        while True:
            self.changed.clear()
            writer.write(block(self.listing()))
            await writer.drain()
            await self.changed.wait()


@asynccontextmanager
async def wire_server(phone: Service | None = None) -> AsyncIterator[WireServer]:
    """A server on a free port; ``phone`` answers the services of the phone ``SERIAL``."""
    wire = WireServer(phones={SERIAL: phone} if phone else {})
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.ensure_future(wire.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def client(wire: WireServer) -> AdbServer:
    return AdbServer(BridgeConfig(port=wire.port))


def device(wire: WireServer, *, timeout: float = 10.0) -> Device:
    return Device(client(wire), SERIAL, timeout=timeout)
