"""An asyncio client of the adb server: one connection per request.

Source of the protocol: docs/android-notes.md, "adb protocol".
"""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import NamedTuple

import adbutils

from android_bridge.config import BridgeConfig
from android_bridge.server_connection import ServerConnection
from heed.errors import DeviceError, NoDeviceError, UsageError
from heed.messages import Text, msg

CONNECT_TIMEOUT = 5.0
MAX_REQUEST = 0xFFFF
"""Bytes of one request: its length is sent as four hexadecimal digits."""
_RESTART_PAUSES = (0.0, 0.5, 1.0, 2.0, 5.0)
"""Seconds to wait before the server is started again, then the last one each time."""

# Words in the server's reasons, and the remedy for each.
_REMEDIES: Mapping[str, Text] = {
    "unauthorized": msg("Unlock the phone and accept the debugging question on its screen."),
    "authorizing": msg("Unlock the phone and accept the debugging question on its screen."),
    "connecting": msg("Wait a moment, then try again."),
    "offline": msg("Reconnect the cable, or turn USB debugging off and on."),
    "not found": msg("Connect the phone and check that USB debugging is on."),
    "no devices": msg("Connect a phone with USB debugging on, start an emulator, or run `heed phone`."),
}


class DeviceEntry(NamedTuple):
    """A phone as the adb server lists it.

    ``state`` is adb's own word: ``device`` when ready, ``offline``, ``unauthorized``, … (AOSP ``adb.cpp``,
    ``ConnectionState``; newer servers add states).
    """

    serial: str
    state: str


class AdbServer:
    """A client of the adb server at ``host:port``; can start the adb binary that adbutils finds."""

    def __init__(self, config: BridgeConfig | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        """Args: ``config`` gives host and port; ``environment`` is added to that of a server started here."""
        config = config or BridgeConfig()
        self.host, self.port = config.host, config.port
        self._environment = environment or {}

    async def ensure_running(self, timeout: float = 15.0) -> None:
        """Starts the server unless it answers.

        Args:
            timeout: seconds to wait for the start.

        Raises ``NoDeviceError`` when adb is not installed or does not start.
        """
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
    async def open(self, *requests: str, timeout: float = CONNECT_TIMEOUT) -> AsyncIterator[ServerConnection]:
        """Opens a connection on which every request was answered with OKAY, and closes it at the end of the block.

        Args:
            requests: requests sent in order on the same connection, such as ``host:transport:SERIAL``.
            timeout: seconds for connecting and all requests; not for what the caller reads afterwards.

        Raises ``NoDeviceError`` when no server answers, ``DeviceError`` when it refuses or is too late.
        """
        try:
            async with asyncio.timeout(timeout):
                connection = await self.dial(*requests)
        except TimeoutError as error:
            raise self._silent(phone=any(request.startswith(_TO_PHONE) for request in requests)) from error
        try:
            yield connection
        finally:
            connection.close()

    async def dial(self, *requests: str) -> ServerConnection:
        """Like ``open`` without a deadline; the caller sets one and closes the connection."""
        connection = await ServerConnection.connect(self.host, self.port)
        try:
            for request in requests:
                await _ask(connection, request)
        except BaseException:
            connection.close()
            raise
        return connection

    def _silent(self, *, phone: bool = False) -> DeviceError:
        """The error for an answer that is too late: the phone's, or the server's own."""
        other = msg("Another program may have this port: end it, or set ANDROID_ADB_SERVER_PORT.")
        return DeviceError(
            msg("The adb server on {host}:{port} did not answer in time.", host=self.host, port=self.port),
            msg("Is the phone frozen?") if phone else other,
        )

    async def request(self, request: str, timeout: float = CONNECT_TIMEOUT) -> str:
        """Returns the answer to one host request, such as ``host:version``; raises as ``open``."""
        async with self.open(request, timeout=timeout) as connection:
            try:
                async with asyncio.timeout(timeout):
                    return (await read_block(connection)).decode(errors="replace")
            except TimeoutError as error:
                raise self._silent() from error

    async def devices(self) -> list[DeviceEntry]:
        """Returns the phones that the server lists now."""
        return parse_devices(await self.request("host:devices"))

    async def track(self) -> AsyncGenerator[list[DeviceEntry], None]:
        """Yields the list of phones now and after each change, without polling.

        Raises ``DeviceLostError`` when the server goes away; ``watch`` starts it again.
        """
        async with self.open("host:track-devices") as connection:
            while True:
                yield parse_devices((await read_block(connection)).decode(errors="replace"))

    async def watch(self) -> AsyncGenerator[list[DeviceEntry], None]:
        """Like ``track``, without end: a server that dies is started again, with an empty list in between.

        Raises ``NoDeviceError`` only when adb cannot be started.
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
        """Has the server connect to a network phone (``host:port``).

        Raises ``DeviceError`` when it cannot; adb reports that as text, not as a status.
        """
        answer = await self.request(f"host:connect:{address}", timeout=timeout)
        if not answer.startswith(("connected to", "already connected")):
            raise DeviceError(
                msg("adb cannot connect to {address}: {answer}.", address=address, answer=answer.rstrip(".")),
                msg("Check address and port."),
            )

    async def register_emulator(self, port: int) -> None:
        """Has the server look for an emulator whose adbd listens on ``port``; its serial is ``emulator-(port - 1)``."""
        connection = await ServerConnection.connect(self.host, self.port)
        try:
            request = f"host:emulator:{port}".encode()
            await connection.write(f"{len(request):04x}".encode() + request)
            # The server answers nothing; it closes when it has understood.
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await connection.read()
        except TimeoutError as error:
            raise self._silent() from error
        finally:
            connection.close()

    async def disconnect(self, address: str) -> None:
        """Has the server disconnect one network phone."""
        await self.request(f"host:disconnect:{address}")

    async def kill(self) -> None:
        """Stops the server; only for a server that the caller started, such as a test's."""
        try:
            async with self.open("host:kill") as connection, asyncio.timeout(CONNECT_TIMEOUT):
                await connection.read()
        except (DeviceError, NoDeviceError, TimeoutError):
            return


_TO_PHONE = ("host:transport", "host:tport")
"""Beginnings of requests that the server passes on to a phone."""
_SEE_START = msg("See what `adb start-server` says.")


async def _ask(connection: ServerConnection, request: str) -> None:
    payload = request.encode()
    if len(payload) > MAX_REQUEST:
        raise UsageError(
            msg(
                "A command of {count} bytes is too long for adb (at most {max_request}).",
                count=len(payload),
                max_request=MAX_REQUEST,
            )
        )
    await connection.write(f"{len(payload):04x}".encode() + payload)
    await read_status(connection)


async def read_status(connection: ServerConnection) -> None:
    """Reads the status of a request; raises ``DeviceError`` with the server's reason for ``FAIL``."""
    status = await connection.read_exactly(4)
    if status == b"FAIL":
        raise _failure((await read_block(connection)).decode(errors="replace"))
    if status != b"OKAY":
        raise _no_adb()


async def read_block(connection: ServerConnection) -> bytes:
    """Reads one answer: four hexadecimal digits of length, then that many bytes."""
    prefix = await connection.read_exactly(4)
    try:
        size = int(prefix, 16)
    except ValueError as error:
        raise _no_adb() from error
    if size < 0:
        raise _no_adb()
    return await connection.read_exactly(size)


def parse_devices(text: str) -> list[DeviceEntry]:
    """Parses the lines ``serial TAB state`` of ``host:devices`` and ``host:track-devices``."""
    rows = (line.split("\t") for line in text.splitlines())
    return [DeviceEntry(row[0], row[1]) for row in rows if len(row) == 2]


def _failure(text: str) -> DeviceError:
    """Returns the error for the adb server's reason, with a remedy."""
    remedy = next((remedy for word, remedy in _REMEDIES.items() if word in text), msg("See `adb devices`."))
    reason = text.strip().splitlines()[0].rstrip(".") if text.strip() else msg("no reason given")
    return DeviceError(msg("adb: {reason}.", reason=reason), remedy)


def _no_adb() -> DeviceError:
    return DeviceError(msg("What answers is not an adb server."), msg("Check ANDROID_ADB_SERVER_HOST and …_PORT."))
