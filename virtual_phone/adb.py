"""The adb server that a virtual phone is connected to: the protocol it has to fit, and one built on adbutils."""

import asyncio
import contextlib
import os
import socket
import subprocess
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol, Self, TypeVar

import adbutils

from heed.errors import DeviceError, NoDeviceError

T = TypeVar("T")
DEFAULT_PORT = 5037
_EMULATOR_PORTS = range(5554, 5586)
"""Ports that adb servers scan for emulators."""
_PRIVATE = {"ADB_USB": "0", "ADB_MDNS": "0", "ADB_LOCAL_TRANSPORT_MAX_PORT": "5554"}
"""What keeps a private server from connecting to phones on a cable, in the network and to emulators."""


class AdbHost(Protocol):
    """A running adb server. ``LocalAdbServer`` is one; so is heed's ``android_bridge.adb.AdbServer``."""

    async def connect(self, address: str) -> None:
        """Have the server connect to the network phone at ``address`` (``host:port``); ``DeviceError`` if it fails."""

    async def disconnect(self, address: str) -> None:
        """Have the server drop the network phone at ``address``."""

    async def register_emulator(self, port: int) -> None:
        """Have the server look for an emulator whose adbd listens on ``port``."""

    def track(self) -> AsyncGenerator[Sequence[tuple[str, str]], None]:
        """Yield all phones as (serial, state), at once and after each change."""


class LocalAdbServer:
    """The adb server at ``host:port``, used through adbutils.

    Calls of adbutils block, so they run in threads; each has a deadline.

    Args:
        host: where the server runs.
        port: its port; None takes ``ANDROID_ADB_SERVER_PORT``, else 5037.
        timeout: seconds within which the server has to answer one request.

    Raises:
        NoDeviceError: (by every method) when no server answers there.
        DeviceError: (by every method) when the server refuses a request or misses the deadline.
    """

    def __init__(self, host: str = "127.0.0.1", port: int | None = None, *, timeout: float = 10.0) -> None:
        self.host = host
        self.port = port or int(os.environ.get("ANDROID_ADB_SERVER_PORT", DEFAULT_PORT))
        self.home: Path | None = None
        """The folder with the server's keys; None is the user's home."""
        self._timeout = timeout
        self._client = adbutils.AdbClient(host, self.port, timeout)

    @classmethod
    @contextmanager
    def private(cls, *, timeout: float = 10.0) -> Iterator[Self]:
        """Start a server on a free port with a home folder of its own, and stop it at the end of the block.

        It sees only the phones that are connected to it by address: none on a cable, in the network or in an emulator.
        """
        with tempfile.TemporaryDirectory(prefix="virtual-phone-", ignore_cleanup_errors=True) as home:
            server = cls(port=_free_port(), timeout=timeout)
            server.home = Path(home)
            server.ensure_running({**_PRIVATE, "HOME": home})
            try:
                yield server
            finally:
                server.kill()

    def ensure_running(self, environment: dict[str, str] | None = None, *, timeout: float = 20.0) -> None:
        """Start the adb binary that adbutils finds, unless a server answers already.

        Args:
            environment: variables for the new server, on top of this process's own.
            timeout: seconds within which it has to be up.
        """
        if self._answers():
            return
        try:
            subprocess.run(
                (adbutils.adb_path(), "-P", str(self.port), "start-server"),
                env={**os.environ, **(environment or {}), "ANDROID_ADB_SERVER_PORT": str(self.port)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=timeout,
                check=True,
            )
        except (adbutils.AdbError, OSError, subprocess.SubprocessError) as error:
            remedy = "Install Android's platform tools or set ADBUTILS_ADB_PATH."
            raise NoDeviceError(f"The adb server did not start on port {self.port} ({error}).", remedy) from error

    def kill(self) -> None:
        """Stop the server. Only for a server that you started yourself."""
        with contextlib.suppress(adbutils.AdbError, OSError), contextlib.closing(self._open("host:kill")) as connection:
            connection.read_until_close()

    def device(self, serial: str) -> adbutils.AdbDevice:
        """The phone with this serial, as adbutils drives it."""
        return self._client.device(serial)

    async def connect(self, address: str) -> None:
        """Have the server connect to the network phone at ``address`` (``host:port``)."""
        answer = await self._in_thread(lambda: self._ask(f"host:connect:{address}"))
        if not answer.startswith(("connected to", "already connected")):
            raise DeviceError(f"adb cannot connect to {address}: {answer.rstrip('.')}.", "Check address and port.")

    async def disconnect(self, address: str) -> None:
        """Have the server drop the network phone at ``address``."""
        await self._in_thread(lambda: self._ask(f"host:disconnect:{address}"))

    async def register_emulator(self, port: int) -> None:
        """Have the server look for an emulator whose adbd is on ``port``; its serial is ``emulator-(port - 1)``."""
        await self._in_thread(lambda: self._register(port))

    async def track(self) -> AsyncGenerator[Sequence[tuple[str, str]], None]:
        """Yield all phones as (serial, state), at once and after each change, until the server stops."""
        async with self._tracking() as connection:
            while True:
                try:
                    text = await asyncio.to_thread(connection.read_string_block)
                except (adbutils.AdbError, OSError, ValueError):
                    return
                yield [(serial, state) for serial, _, state in (row.partition("\t") for row in text.splitlines())]

    @asynccontextmanager
    async def _tracking(self) -> AsyncIterator[adbutils.AdbConnection]:
        connection = await self._in_thread(lambda: self._checked("host:track-devices"))
        socket_ = connection.conn
        # A list comes only after a change, so the caller sets the deadline of the wait.
        socket_.settimeout(None)
        try:
            yield connection
        finally:
            # A thread may still be reading; this unblocks it.
            with contextlib.suppress(OSError):
                socket_.shutdown(socket.SHUT_RDWR)
            connection.close()

    async def _in_thread(self, request: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(self._timeout):
                return await asyncio.to_thread(request)
        except TimeoutError as error:
            raise DeviceError(f"The adb server on {self.host}:{self.port} did not answer in time.") from error
        except (adbutils.AdbError, OSError, EOFError, ValueError) as error:
            raise DeviceError(f"adb: {str(error).rstrip('.')}.", "See `adb devices`.") from error

    def _ask(self, request: str) -> str:
        with contextlib.closing(self._checked(request)) as connection:
            return str(connection.read_string_block())

    def _register(self, port: int) -> None:
        # The server answers nothing; it closes the connection when it has understood.
        with contextlib.closing(self._open(f"host:emulator:{port}")) as connection:
            connection.read_until_close()

    def _checked(self, request: str) -> adbutils.AdbConnection:
        connection = self._open(request)
        try:
            connection.check_okay()
        except BaseException:
            connection.close()
            raise
        return connection

    def _open(self, request: str) -> adbutils.AdbConnection:
        # adbutils would start a server on the default port when this one does not answer.
        if not self._answers():
            raise NoDeviceError(f"No adb server answers on {self.host}:{self.port}.", "Start it: `adb start-server`.")
        connection = self._client.make_connection(self._timeout)
        connection.send_command(request)
        return connection

    def _answers(self) -> bool:
        try:
            with socket.create_connection((self.host, self.port), timeout=self._timeout):
                return True
        except OSError:
            return False


def _free_port() -> int:
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port not in _EMULATOR_PORTS:
            return port
