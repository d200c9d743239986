"""An asyncio client of the adb server: one connection per request (notes: adb.md, "adb server protocol")."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import NamedTuple

import adbutils

from android_bridge.config import BridgeConfig
from android_bridge.server_connection import Wire
from heed.errors import DeviceError, NoDeviceError, UsageError
from heed.messages import Text, msg

CONNECT_TIMEOUT = 5.0
MAX_REQUEST = 0xFFFF
"""Bytes of one request: its length is sent as four hexadecimal digits."""
_RESTART_PAUSES = (0.0, 0.5, 1.0, 2.0, 5.0)
"""Seconds to wait before the server is started again, then the last one each time."""

# What the server says when it cannot reach a phone, and what helps.
_REMEDIES: Mapping[str, Text] = {
    "unauthorized": msg("Unlock the phone and accept the debugging question on its screen."),
    "authorizing": msg("Unlock the phone and accept the debugging question on its screen."),
    "connecting": msg("Wait a moment, then try again."),
    "offline": msg("Reconnect the cable, or turn USB debugging off and on."),
    "not found": msg("Connect the phone and check that USB debugging is on."),
    "no devices": msg("Connect a phone with USB debugging on, start an emulator, or run `heed phone`."),
}


class DeviceEntry(NamedTuple):
    """A phone as the adb server lists it; ``state`` is adb's word (``device``, ``offline``, ``unauthorized``)."""

    serial: str
    state: str


class AdbServer:
    """The adb server at ``host:port``. Starts the adb binary that adbutils finds when none is running."""

    def __init__(self, config: BridgeConfig | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        """``environment`` is what a server that is started here gets on top of this process's own."""
        config = config or BridgeConfig()
        self.host, self.port = config.host, config.port
        self._environment = environment or {}

    async def ensure_running(self, timeout: float = 15.0) -> None:
        """Start the server unless it answers already; ``NoDeviceError`` when there is no adb to start."""
        try:
            await self.request("host:version")
        except NoDeviceError:
            await self._start(timeout)

    async def _start(self, timeout: float) -> None:
        environment = {**os.environ, **self._environment, "ANDROID_ADB_SERVER_PORT": str(self.port)}
        try:
            process = await asyncio.create_subprocess_exec(
                adbutils.adb_path(),
                *("-P", str(self.port), "start-server"),
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except (adbutils.AdbError, OSError) as error:
            remedy = msg("Install Android's platform tools or set ADBUTILS_ADB_PATH.")
            raise NoDeviceError(msg("adb cannot be started ({error}).", error=error), remedy) from error
        try:
            async with asyncio.timeout(timeout):
                code = await process.wait()
        except TimeoutError as error:
            process.kill()
            raise NoDeviceError(
                msg("The adb server did not start within {timeout:g} s.", timeout=timeout), _SEE_START
            ) from error
        if code:
            raise NoDeviceError(msg("The adb server did not start on port {port}.", port=self.port), _SEE_START)

    @asynccontextmanager
    async def open(self, *requests: str, timeout: float = CONNECT_TIMEOUT) -> AsyncIterator[Wire]:
        """A connection on which every request was answered OKAY; ``timeout`` bounds only getting there.

        Raises ``NoDeviceError`` when no server answers and ``DeviceError`` when it refuses.
        """
        try:
            async with asyncio.timeout(timeout):
                wire = await self.dial(*requests)
        except TimeoutError as error:
            raise self._silent() from error
        try:
            yield wire
        finally:
            wire.close()

    async def dial(self, *requests: str) -> Wire:
        """Like ``open``, for callers that have a deadline and close the connection themselves."""
        wire = await Wire.connect(self.host, self.port)
        try:
            for request in requests:
                await _ask(wire, request)
        except BaseException:
            wire.close()
            raise
        return wire

    def _silent(self) -> DeviceError:
        return DeviceError(
            msg("The adb server on {host}:{port} did not answer in time.", host=self.host, port=self.port),
            msg("Is the phone frozen?"),
        )

    async def request(self, request: str, timeout: float = CONNECT_TIMEOUT) -> str:
        """The answer to one host request, such as ``host:version``."""
        async with self.open(request, timeout=timeout) as wire:
            try:
                async with asyncio.timeout(timeout):
                    return (await read_block(wire)).decode(errors="replace")
            except TimeoutError as error:
                raise self._silent() from error

    async def devices(self) -> list[DeviceEntry]:
        """The phones that the server knows now."""
        return parse_devices(await self.request("host:devices"))

    async def track(self) -> AsyncGenerator[list[DeviceEntry], None]:
        """The list of phones now, and again each time it changes: no polling.

        Raises ``DeviceLostError`` when the server goes away; ``watch`` starts it again.
        """
        async with self.open("host:track-devices") as wire:
            while True:
                yield parse_devices((await read_block(wire)).decode(errors="replace"))

    async def watch(self) -> AsyncGenerator[list[DeviceEntry], None]:
        """Like ``track``, for ever: a server that dies is started again, with no phones in between.

        Raises ``NoDeviceError`` only when there is no adb that could be started.
        """
        attempt = 0
        while True:
            await self.ensure_running()
            try:
                async with aclosing(self.track()) as changes:
                    async for entries in changes:
                        yield entries
                        attempt = 0
            except (DeviceError, NoDeviceError):
                yield []
            await asyncio.sleep(_RESTART_PAUSES[min(attempt, len(_RESTART_PAUSES) - 1)])
            attempt += 1

    async def connect(self, address: str, timeout: float = 10.0) -> None:
        """Have the server connect to a network phone (``host:port``); its refusal comes as text, not as a status."""
        answer = await self.request(f"host:connect:{address}", timeout=timeout)
        if not answer.startswith(("connected to", "already connected")):
            raise DeviceError(
                msg("adb cannot connect to {address}: {answer}.", address=address, answer=answer.rstrip(".")),
                msg("Check address and port."),
            )

    async def register_emulator(self, port: int) -> None:
        """Have the server look for an emulator whose adbd listens on ``port``; it is called ``emulator-(port - 1)``."""
        wire = await Wire.connect(self.host, self.port)
        try:
            request = f"host:emulator:{port}".encode()
            await wire.write(f"{len(request):04x}".encode() + request)
            # The server answers nothing; it closes when it has understood.
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await wire.read()
        except TimeoutError as error:
            raise self._silent() from error
        finally:
            wire.close()

    async def disconnect(self, address: str) -> None:
        """Have the server let go of one network phone."""
        await self.request(f"host:disconnect:{address}")

    async def kill(self) -> None:
        """Stop the server: only for servers that we started ourselves, such as a test's."""
        try:
            async with self.open("host:kill") as wire, asyncio.timeout(CONNECT_TIMEOUT):
                await wire.read()
        except (DeviceError, NoDeviceError, TimeoutError):
            return


_SEE_START = msg("See what `adb start-server` says.")


async def _ask(wire: Wire, request: str) -> None:
    payload = request.encode()
    if len(payload) > MAX_REQUEST:
        raise UsageError(
            msg(
                "A command of {count} bytes is too long for adb (at most {max_request}).",
                count=len(payload),
                max_request=MAX_REQUEST,
            )
        )
    await wire.write(f"{len(payload):04x}".encode() + payload)
    await read_status(wire)


async def read_status(wire: Wire) -> None:
    """Read ``OKAY``, or ``FAIL`` with its reason, which is raised as a ``DeviceError``."""
    status = await wire.read_exactly(4)
    if status == b"FAIL":
        raise _failure((await read_block(wire)).decode(errors="replace"))
    if status != b"OKAY":
        raise _no_adb()


async def read_block(wire: Wire) -> bytes:
    """One length-prefixed answer: four hexadecimal digits, then that many bytes."""
    prefix = await wire.read_exactly(4)
    try:
        size = int(prefix, 16)
    except ValueError as error:
        raise _no_adb() from error
    if size < 0:
        raise _no_adb()
    return await wire.read_exactly(size)


def parse_devices(text: str) -> list[DeviceEntry]:
    """The lines ``serial TAB state`` of ``host:devices`` and ``host:track-devices``."""
    rows = (line.split("\t") for line in text.splitlines())
    return [DeviceEntry(row[0], row[1]) for row in rows if len(row) == 2]


def _failure(text: str) -> DeviceError:
    """The adb server's reason as an error with its remedy."""
    remedy = next((remedy for word, remedy in _REMEDIES.items() if word in text), msg("See `adb devices`."))
    reason = text.strip().splitlines()[0].rstrip(".") if text.strip() else msg("no reason given")
    return DeviceError(msg("adb: {reason}.", reason=reason), remedy)


def _no_adb() -> DeviceError:
    return DeviceError(msg("What answers is not an adb server."), msg("Check ANDROID_ADB_SERVER_HOST and …_PORT."))
