"""An asyncio client of the adb server: one connection per request (notes: adb.md, "adb server protocol")."""

import asyncio
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from adbutils import adb_path

from android_bridge.config import BridgeConfig
from heed.errors import DeviceError, DeviceLostError, NoDeviceError

CONNECT_TIMEOUT = 5.0
_READ_LIMIT = 4 * 1024 * 1024

_REMEDIES = {
    "unauthorized": "Unlock the phone and accept the debugging question on its screen.",
    "offline": "Reconnect the cable, or turn USB debugging off and on.",
    "not found": "Connect the phone and check that USB debugging is on.",
    "no devices": "Connect a phone with USB debugging on, start an emulator, or run `heed phone`.",
}


class DeviceEntry(NamedTuple):
    """A phone as the adb server lists it; ``state`` is adb's word (``device``, ``offline``, ``unauthorized``)."""

    serial: str
    state: str


class AdbServer:
    """The adb server at ``host:port``. Starts the adb binary that adbutils finds when none is running."""

    def __init__(self, config: BridgeConfig | None = None) -> None:
        config = config or BridgeConfig()
        self.host, self.port = config.host, config.port

    async def ensure_running(self, timeout: float = 15.0) -> None:
        """Start the server unless it answers already; ``NoDeviceError`` when there is no adb to start."""
        try:
            await self.request("host:version")
        except NoDeviceError:
            await self._start(timeout)

    async def _start(self, timeout: float) -> None:
        try:
            binary = adb_path()
        except Exception as error:  # adbutils raises its own AdbError
            raise NoDeviceError("No adb was found.", "Install Android's platform tools.") from error
        environment = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(self.port))
        try:
            process = await asyncio.create_subprocess_exec(
                binary,
                "-P",
                str(self.port),
                "start-server",
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            remedy = "Install Android's platform tools or set ADBUTILS_ADB_PATH."
            raise NoDeviceError(f"adb cannot be started: {error}.", remedy) from error
        async with asyncio.timeout(timeout):
            code = await process.wait()
        if code:
            raise NoDeviceError(f"The adb server did not start on port {self.port}.", "See `adb start-server`.")

    @asynccontextmanager
    async def open(
        self, *requests: str, timeout: float = CONNECT_TIMEOUT
    ) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
        """A connection on which every request was answered OKAY; ``timeout`` bounds only getting there."""
        writer: StreamWriter | None = None
        try:
            async with asyncio.timeout(timeout):
                reader, writer = await asyncio.open_connection(self.host, self.port, limit=_READ_LIMIT)
                for request in requests:
                    await self._ask(reader, writer, request)
            yield reader, writer
        except TimeoutError as error:
            raise DeviceError(f"The adb server did not answer {requests[-1][:60]!r} in time.") from error
        except asyncio.IncompleteReadError as error:
            raise DeviceLostError("The phone went away.", "Reconnect it.") from error
        except ConnectionRefusedError as error:
            remedy = "Start it with `adb start-server`."
            raise NoDeviceError(f"No adb server answers on {self.host}:{self.port}.", remedy) from error
        except (ConnectionError, OSError) as error:
            raise DeviceLostError(f"The connection to the phone broke ({error}).", "Reconnect it.") from error
        finally:
            if writer is not None:
                writer.close()

    async def _ask(self, reader: StreamReader, writer: StreamWriter, request: str) -> None:
        payload = request.encode()
        writer.write(f"{len(payload):04x}".encode() + payload)
        status = await reader.readexactly(4)
        if status != b"OKAY":
            raise _failure((await read_block(reader)).decode(errors="replace"))

    async def request(self, request: str, timeout: float = CONNECT_TIMEOUT) -> str:
        """The answer to one host request, such as ``host:version``."""
        async with self.open(request, timeout=timeout) as (reader, _), asyncio.timeout(timeout):
            return (await read_block(reader)).decode(errors="replace")

    async def devices(self) -> list[DeviceEntry]:
        """The phones that the server knows now."""
        return parse_devices(await self.request("host:devices"))

    async def track(self) -> AsyncIterator[list[DeviceEntry]]:
        """The list of phones now, and again each time it changes: no polling. Ends when the server does."""
        async with self.open("host:track-devices") as (reader, _):
            while True:
                yield parse_devices((await read_block(reader)).decode(errors="replace"))

    async def connect(self, address: str, timeout: float = 10.0) -> None:
        """Have the server connect to a network phone (``host:port``); its refusal comes as text, not as a status."""
        answer = await self.request(f"host:connect:{address}", timeout=timeout)
        if not answer.startswith(("connected to", "already connected")):
            raise DeviceError(f"adb cannot connect to {address}: {answer}.", "Check address and port.")

    async def disconnect(self, address: str) -> None:
        """Have the server let go of one network phone."""
        await self.request(f"host:disconnect:{address}")

    async def kill(self) -> None:
        """Stop the server: only for servers that we started ourselves, such as a test's."""
        try:
            async with self.open("host:kill") as (reader, _):
                await reader.read()
        except (DeviceError, NoDeviceError):
            return


async def read_block(reader: StreamReader) -> bytes:
    """One length-prefixed answer: four hex digits, then that many bytes."""
    size = int(await reader.readexactly(4), 16)
    return await reader.readexactly(size)


def parse_devices(text: str) -> list[DeviceEntry]:
    """The lines ``serial TAB state`` of ``host:devices`` and ``host:track-devices``."""
    rows = (line.split("\t") for line in text.splitlines())
    return [DeviceEntry(row[0], row[1]) for row in rows if len(row) == 2]


def _failure(text: str) -> DeviceError | NoDeviceError:
    """The adb server's FAIL text as an error with its remedy."""
    remedy = next((remedy for word, remedy in _REMEDIES.items() if word in text), "See `adb devices`.")
    sentence = text.strip().splitlines()[0].rstrip(".") if text.strip() else "no reason given"
    if "not found" in text or "no devices" in text:
        return NoDeviceError(f"adb: {sentence}.", remedy)
    return DeviceError(f"adb: {sentence}.", remedy)
