"""uiautomator2's helper process on one phone: started by heed, proven to be the one that was started, removed.

Any app on the phone may listen on a port, answer as the helper does and show a false screen. So the helper is used
only while this is shown to hold:

* nothing listened on the port before it was started;
* the jar on the phone belongs to adb's shell, nobody may write it, and it has the content that was copied there, all
  tested in the command line that starts it;
* exactly one socket listens on the port, it belongs to adb's shell and has the inode seen after the start, before and
  after each request; apps have other Linux users.

uiautomator2's own start does none of this: it uses whatever answers ``/ping`` on the port, and leaves its jar behind.
"""

import asyncio
import contextlib
import hashlib
import logging
from functools import cache
from importlib.resources import files

from android_bridge.device import Device
from android_bridge.facts.sockets import LISTENERS, Listener
from android_bridge.server_connection import ServerConnection
from heed.errors import DeviceError
from heed.messages import msg

PORT = 9008
"""Where the helper listens on the phone."""
JAR = "/data/local/tmp/heed-u2.jar"
"""Path of the helper's program on the phone."""
_START_S, _LOOK_S = 30.0, 0.1
"""Seconds until a started helper listens, and between two looks whether it does."""
_KEPT = 2000
"""Bytes of the helper's latest output that are kept for an error message."""
_FALLBACK = msg("The screen is read without uiautomator2's helper.")
_SHELL = (0, 2000)
"""Linux users that adb's shell runs as: root where the owner ran ``adb root``."""

log = logging.getLogger(__name__)


class HelperRefusedError(DeviceError):
    """The helper could not be started, or what listens on its port is not the helper that was started."""


class ScreenHelper:
    """The helper process of one phone. ``close`` ends it and removes its jar from the phone."""

    def __init__(self, device: Device) -> None:
        """Args: ``device`` is the phone. Nothing is started before ``ensure``."""
        self._device = device
        self._process: _Process | None = None
        self._socket: Listener | None = None
        """The socket that the helper opened."""
        self._lock = asyncio.Lock()

    async def ensure(self) -> None:
        """Starts the helper where it does not run, and proves that it is what listens on the port.

        Raises ``HelperRefusedError`` when another program listens there, the jar is not the one that was copied, or
        the helper does not start; ``DeviceError`` when the phone goes away.
        """
        async with self._lock:
            if self._process is None or self._process.ended:
                await self._restart()
            await self.verify()

    async def verify(self) -> None:
        """Raises ``HelperRefusedError`` unless only the helper that was started listens on the port."""
        found = await self._listeners()
        if self._socket is None or found != [self._socket]:
            self._end()
            raise self._refused(found)

    async def close(self) -> None:
        """Ends the process and removes its jar. On a phone that went away the jar stays until the next start."""
        if self._process is None:
            return
        self._end()
        try:
            await self._device.shell(f"rm -f {JAR}")
        except DeviceError as error:
            log.warning("%s: %s was not removed: %s", self._device.serial, JAR, error)

    async def _restart(self) -> None:
        self._end()
        if found := await self._listeners():
            raise self._refused(found)
        await self._device.shell(f"rm -f {JAR}")
        await self._device.push(_jar(), JAR)
        await self._device.shell(f"chmod 400 {JAR}")
        self._process = await _Process.start(self._device, _start_line())
        try:
            async with asyncio.timeout(_START_S):
                self._socket = await self._until_listening(self._process)
        except TimeoutError as error:
            raise HelperRefusedError(
                msg("The helper of {serial} did not start.", serial=self._device.serial), _FALLBACK
            ) from error
        finally:
            if self._socket is None:
                await self.close()

    async def _until_listening(self, process: "_Process") -> Listener:
        while True:
            found = await self._listeners()
            if len(found) == 1 and found[0].uid in _SHELL:
                return found[0]
            if found:
                raise self._refused(found)
            if process.ended:
                raise HelperRefusedError(
                    msg("The helper of {serial} ended: {said}.", serial=self._device.serial, said=process.said),
                    _FALLBACK,
                )
            await asyncio.sleep(_LOOK_S)

    async def _listeners(self) -> list[Listener]:
        return [one for one in await self._device.read(LISTENERS) if one.port == PORT]

    def _refused(self, found: list[Listener]) -> HelperRefusedError:
        if not found:
            nothing = msg("Nothing listens on port {port} of {serial} any more.", port=PORT, serial=self._device.serial)
            return HelperRefusedError(nothing, _FALLBACK)
        foreign = msg(
            "A program that heed did not start listens on port {port} of {serial} (user {users}).",
            port=PORT,
            serial=self._device.serial,
            users=tuple(one.uid for one in found),
        )
        return HelperRefusedError(foreign, _FALLBACK)

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
        self._socket = None


class _Process:
    """A command whose output is read until it ends; closing the connection hangs up its terminal, which ends it."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._output = bytearray()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, device: Device, line: str) -> "_Process":
        """Starts ``line`` on a terminal of its own; raises ``DeviceError`` when the phone is gone."""
        try:
            async with asyncio.timeout(device.timeout):
                return cls(await device.server.dial(f"host:transport:{device.serial}", f"shell:{line}"))
        except TimeoutError as error:
            raise DeviceError(
                msg("{serial} did not start a command in time.", serial=device.serial), msg("Is it frozen?")
            ) from error

    @property
    def ended(self) -> bool:
        return self._reading.done()

    @property
    def said(self) -> str:
        """The last line of its output."""
        lines = self._output.decode(errors="replace").split("\n")
        return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "without a word")

    def close(self) -> None:
        self._reading.cancel()
        self._connection.close()

    async def _read(self) -> None:
        with contextlib.suppress(DeviceError):
            while chunk := await self._connection.read():
                self._output += chunk
                del self._output[:-_KEPT]


@cache
def jar_hash() -> str:
    """Returns the SHA-256 of the helper's program, hexadecimal."""
    return hashlib.sha256(_jar()).hexdigest()


def _start_line() -> str:
    """Tests owner, mode and content of the jar and runs it, in one line: nothing comes in between."""
    return (
        f'[ "$(stat -c %u:%a {JAR})" = "$(id -u):400" ] && '
        f'[ "$(sha256sum {JAR})" = "{jar_hash()}  {JAR}" ] && '
        f"CLASSPATH={JAR} exec app_process / com.wetest.uia2.Main -p {PORT}"
        " || echo its jar on the phone was altered"
    )


@cache
def _jar() -> bytes:
    return (files("uiautomator2") / "assets" / "u2.jar").read_bytes()
