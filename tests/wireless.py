"""A network in which phones announce themselves: an adb server in front of the real one.

It answers what needs mDNS and a pairing dialog, as adb does (``android_bridge/pairing.py`` has the sources), and hands
everything else, ``host:connect`` included, to the real adb server.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.pairing import CONNECT_SERVICE, PAIRING_SERVICE

GUID = "adb-R5CT10ABCDE-raBpbs"
CODE = "460835"
DIALOG = "192.168.100.212:39687"
"""The address of the pairing dialog; nothing connects to it but the pairing itself."""


class WirelessNetwork:
    """What is announced now; tests change it as phones come, move and go."""

    def __init__(self, port: int) -> None:
        self.server = AdbServer(BridgeConfig(port=port))
        self._announced: dict[tuple[str, str], str] = {}
        self._codes = {CODE}

    def shows_dialog(self, name: str, password: str) -> None:
        """A phone has read the QR code."""
        self._announced[name, PAIRING_SERVICE] = DIALOG
        self._codes.add(password)

    def announces(self, address: str, guid: str = GUID) -> None:
        """A phone with wireless debugging on is reached at ``address``."""
        self._announced[guid, CONNECT_SERVICE] = address

    def answer(self, request: str) -> bytes | None:
        """The answer to a request; None where the real server has it."""
        match request.split(":", 3):
            case ["host", "mdns", "check"]:
                return b"OKAY" + _block("mdns daemon version [Openscreen discovery 0.0.0]")
            case ["host", "mdns", "services"]:
                rows = (f"{name}\t{kind}\t{address}\n" for (name, kind), address in self._announced.items())
                return b"OKAY" + _block("".join(rows))
            case ["host", "pair", code, address] if address == DIALOG and code in self._codes:
                return b"OKAY" + _block(f"Successfully paired to {DIALOG} [guid={GUID}]")
            case ["host", "pair", _, address] if address == DIALOG:
                return b"OKAYFAIL" + _block("Failed: Wrong password or connection was dropped.")
        return None


def _block(text: str) -> bytes:
    data = text.encode()
    return f"{len(data):04x}".encode() + data


@asynccontextmanager
async def wireless_network(real: AdbServer) -> AsyncIterator[WirelessNetwork]:
    """The network while the block runs; its ``server`` is the adb server to use in it."""
    serving: set[asyncio.Task[None]] = set()

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        task.add_done_callback(serving.discard)
        with contextlib.suppress(OSError, EOFError, asyncio.CancelledError), contextlib.closing(writer):
            head = await reader.readexactly(4)
            payload = await reader.readexactly(int(head, 16))
            answer = network.answer(payload.decode())
            if answer is not None:
                writer.write(answer)
                await writer.drain()
                return
            await _hand_on(real, head + payload, reader, writer)

    server = await asyncio.start_server(session, "127.0.0.1", 0)
    network = WirelessNetwork(int(server.sockets[0].getsockname()[1]))
    try:
        yield network
    finally:
        server.close()
        for task in list(serving):
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


async def _hand_on(real: AdbServer, begun: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes between a client and the real server until either is done."""
    far_reader, far_writer = await asyncio.open_connection(real.host, real.port)
    far_writer.write(begun)
    ways = {
        asyncio.create_task(_copy(reader, far_writer)),
        asyncio.create_task(_copy(far_reader, writer)),
    }
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        far_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
