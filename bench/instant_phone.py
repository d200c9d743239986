"""A phone that answers at once: adbd's protocol with canned answers, so that only the way to it is measured.

``python -m bench.instant_phone`` prints its port and serves until its standard input ends.
"""

import asyncio
import re
import struct
import sys
import zlib

from android_bridge.persistent_shell import SERVICE
from virtual_phone.adbd import packets

WIDTH, HEIGHT = 1080, 2400
_BANNER = b"device::ro.product.name=instant;ro.product.model=Instant;ro.product.device=instant;features=shell_v2,cmd"
_MARKED = re.compile(r"\( eval '(.*?)' \) </dev/null; echo (\S+) \$\?; echo \S+ >&2")
"""A line in a persistent shell (``android_bridge.persistent_shell``)."""
_STDIN_HEADER = struct.Struct("<BI")
_STDOUT, _STDERR = 1, 2
_EXITED = struct.pack("<BIB", 3, 1, 0)


def raw_frame() -> bytes:
    """A frame as ``screencap`` writes it: 10.4 MB."""
    return struct.pack("<IIII", WIDTH, HEIGHT, 1, 1) + bytes(WIDTH * HEIGHT * 4)


def png_frame() -> bytes:
    """A valid picture of the same size that compresses to about 80 KB, as a simple screen does."""
    row = b"\0" + bytes(index * index % 251 for index in range(WIDTH * 3))
    pixels = zlib.compress(row * HEIGHT, level=0)[: 84 * 1024]
    parts = [b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))]
    return b"".join([*parts, _chunk(b"IDAT", pixels), _chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


class Adbd(asyncio.Protocol):
    """One adb server's connection: ``echo``, ``screencap``, and lines of them, answered in the same breath."""

    def __init__(self, frames: dict[str, bytes]) -> None:
        self._frames = frames
        self._received = bytearray()
        self._rest: dict[int, memoryview] = {}
        self._heard: dict[int, bytearray] = {}
        """What came for the persistent shells and is not a whole line yet."""
        self._next = 1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= packets.HEADER.size:
            header = packets.unpack(bytes(self._received[: packets.HEADER.size]))
            end = packets.HEADER.size + header.length
            if len(self._received) < end:
                return
            payload = bytes(self._received[packets.HEADER.size : end])
            del self._received[:end]
            self._packet(header, payload)

    def _packet(self, header: packets.PacketHeader, payload: bytes) -> None:
        if header.command == packets.CNXN:
            self._send(packets.CNXN, packets.VERSION_SKIP_CHECKSUM, packets.MAX_PAYLOAD, _BANNER)
        elif header.command == packets.OPEN:
            self._open(header.arg0, payload.rstrip(b"\0").decode())
        elif header.command == packets.OKAY:
            self._continue(header.arg1, header.arg0)
        elif header.command == packets.WRTE:
            self._send(packets.OKAY, header.arg1, header.arg0)
            self._hear(header.arg1, header.arg0, payload)
        elif header.command == packets.CLSE and self._end(header.arg1):
            self._send(packets.CLSE, header.arg1, header.arg0)

    def _end(self, local: int) -> bool:
        """Forget a stream; False when we ended it ourselves."""
        known = self._rest.pop(local, None) is not None
        return self._heard.pop(local, None) is not None or known

    def _open(self, remote: int, service: str) -> None:
        local, self._next = self._next, self._next + 1
        self._send(packets.OKAY, local, remote)
        if service == SERVICE:
            self._heard[local] = bytearray()
        else:
            self._rest[local] = memoryview(self._answer(service))
            self._continue(local, remote)

    def _hear(self, local: int, remote: int, payload: bytes) -> None:
        """The standard input of a persistent shell: what each whole line prints is sent at once."""
        heard = self._heard.get(local)
        if heard is None:
            return
        heard += payload
        while len(heard) >= _STDIN_HEADER.size:
            end = _STDIN_HEADER.size + _STDIN_HEADER.unpack_from(heard)[1]
            if len(heard) < end:
                return
            script = heard[_STDIN_HEADER.size : end].decode()
            del heard[:end]
            self._send(packets.WRTE, local, remote, _packets(*_answer_marked(script)))

    def _continue(self, local: int, remote: int) -> None:
        """The next payload of a stream, or its end."""
        rest = self._rest.get(local)
        if rest is None:
            return
        if not rest:
            del self._rest[local]
            self._send(packets.CLSE, local, remote)
            return
        self._rest[local] = rest[packets.MAX_PAYLOAD :]
        self._send(packets.WRTE, local, remote, rest[: packets.MAX_PAYLOAD])

    def _send(
        self, command: int, arg0: int, arg1: int, payload: bytes | memoryview = b"", checksum: bool = False
    ) -> None:
        self._transport.writelines(
            [packets.pack(command, arg0, arg1, payload, checksum=command == packets.CNXN), payload]
        )

    def _answer(self, service: str) -> bytes:
        kind, _, line = service.partition(":")
        if kind.startswith("shell,v2"):
            return _packets(*_answer(line.removeprefix("raw:"))) + _EXITED
        return self._frames.get(line) or _answer(line)[0]


def _answer(line: str) -> tuple[bytes, bytes]:
    return "".join(_echoed(command) for command in line.split("; ")).encode(), b""


def _answer_marked(script: str) -> tuple[bytes, bytes]:
    marked = _MARKED.findall(script)
    stdout = "".join(f"{_echoed(command)}{marker} 0\n" for command, marker in marked)
    return stdout.encode(), "".join(f"{marker}\n" for _, marker in marked).encode()


def _echoed(command: str) -> str:
    return command.removeprefix("echo ") + "\n"


def _packets(stdout: bytes, stderr: bytes) -> bytes:
    channels = ((_STDOUT, stdout), (_STDERR, stderr))
    return b"".join(struct.pack("<BI", channel, len(data)) + data for channel, data in channels if data)


async def main() -> None:
    frames = {"screencap": raw_frame(), "screencap -p": png_frame()}
    server = await asyncio.get_running_loop().create_server(lambda: Adbd(frames), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
