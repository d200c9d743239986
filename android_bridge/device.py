"""One phone: commands with deadlines, batches, frames, files, ports and streams over the adb server."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from android_bridge import persistent_shell as standing
from android_bridge.adb import AdbServer, DeviceEntry, read_block, read_status
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.files import FileTransfer
from android_bridge.frames import Frame, Screenshot, capture_command, parse_frame, parse_screenshot
from android_bridge.persistent_shell import EXIT, PACKET, STDERR, STDOUT, StandingShell, StandingShells
from android_bridge.server_connection import Wire, bounded
from android_bridge.shell import ShellResult
from heed.errors import DeviceError, NoDeviceError
from heed.messages import msg

T = TypeVar("T")

DEFAULT_TIMEOUT = 10.0
TRANSFER_TIMEOUT = 120.0


class Device:
    """A phone that the adb server knows by ``serial``.

    Commands run in shells that stay open on the phone for some seconds (``android_bridge.persistent_shell``); frames,
    streams and files have a connection each.

    Calls raise ``DeviceError`` when the phone is not there, refuses or does not answer in time, and
    ``DeviceLostError`` when it goes away while a command runs: whether it took effect is then not known.
    A phone that comes back needs nothing: the next call works.
    """

    def __init__(self, server: AdbServer, serial: str, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.server, self.serial, self.timeout = server, serial, timeout
        self._shells = StandingShells()
        self._files = FileTransfer(server.host, server.port, serial)

    def __repr__(self) -> str:
        return f"Device({self.serial!r})"

    async def shell(self, line: str, *, timeout: float | None = None) -> ShellResult:
        """Run one shell line (shell_v2) and wait for it to end; it must not read its standard input."""
        if standing.fits(line):
            return (await self._standing([line], timeout))[0]
        return await self._call(f"shell,v2,raw:{line}", _read_shell, timeout)

    async def batch(self, lines: Sequence[str], *, timeout: float | None = None) -> list[ShellResult]:
        """Run many lines in one round trip; each has its own outputs and status and cannot end the others."""
        results: list[ShellResult] = []
        for together, group in itertools.groupby(lines, standing.fits):
            if together:
                results += await self._standing(list(group), timeout)
            else:
                results += [await self.shell(line, timeout=timeout) for line in group]
        return results

    async def exec_out(self, line: str, *, timeout: float | None = None) -> bytes:
        """Run one line on the raw exec service: what it prints (errors too) as bytes, no exit status."""
        return bytes(await self._exec(line, timeout))

    async def read(self, reader: Reader[T], *, timeout: float | None = None) -> T:
        """What ``reader`` reads; ``UnreadableError`` when the output cannot be understood."""
        return reader.parse((await self.shell(reader.command, timeout=timeout)).text)

    async def read_many(self, readers: Sequence[Reader[Any]], *, timeout: float | None = None) -> list[Any]:
        """What each reader reads, in one round trip; an ``UnreadableError`` in place of what was not understood."""
        lines = list(dict.fromkeys(reader.command for reader in readers))
        results = dict(zip(lines, await self.batch(lines, timeout=timeout), strict=True))
        return [_parse(reader, results[reader.command]) for reader in readers]

    async def screenshot(self, display: str = "", *, timeout: float | None = None) -> Screenshot:
        """The screen as PNG; ``display`` is one of ``facts.display.DISPLAYS``' ids, empty for the phone's own.

        A window that forbids screenshots shows as black.
        """
        return parse_screenshot(await self.exec_out(capture_command(display, png=True), timeout=timeout))

    async def frame(self, display: str = "", *, timeout: float | None = None) -> Frame:
        """The screen as raw pixels: no PNG encoding on the phone, so several times faster than ``screenshot``."""
        return parse_frame(await self._exec(capture_command(display, png=False), timeout))

    @asynccontextmanager
    async def stream(self, line: str) -> AsyncIterator[Wire]:
        """Run one long-lived line and read its output as it comes; leaving the block ends the command."""
        try:
            async with asyncio.timeout(self.timeout):
                wire = await self._service(f"exec:{line}")
        except TimeoutError as error:
            raise self._late(line, self.timeout) from error
        try:
            yield wire
        finally:
            wire.close()

    async def push(self, local: Path | bytes, remote: str, *, timeout: float = TRANSFER_TIMEOUT) -> None:
        """Copy a file or bytes to ``remote``."""
        await self.server.ensure_running()
        await self._files.push(local, remote, timeout)

    async def pull(self, remote: str, *, timeout: float = TRANSFER_TIMEOUT) -> bytes:
        """The contents of the phone's file ``remote``."""
        await self.server.ensure_running()
        return await self._files.pull(remote, timeout)

    async def install(self, package: Path, *, timeout: float = TRANSFER_TIMEOUT) -> None:
        """Install an APK, or its newer version over an older one; ``DeviceError`` says why Android refuses."""
        remote = f"/data/local/tmp/heed-{secrets.token_hex(4)}.apk"
        await self.push(package, remote, timeout=timeout)
        try:
            result = await self.shell(f"pm install -r {remote}", timeout=timeout)
        finally:
            await self.shell(f"rm -f {remote}")
        if "Success" not in result.stdout.splitlines():
            raise DeviceError(
                msg(
                    "{serial} did not install {name}: {text}.",
                    serial=self.serial,
                    name=package.name,
                    text=result.text.strip()[:200],
                )
            )

    async def forward(self, remote: str) -> int:
        """A free port of this machine that leads to the phone's ``remote`` (``tcp:9008``)."""
        return int(await self._forwarding(f"host-serial:{self.serial}:forward:tcp:0;{remote}"))

    async def remove_forward(self, port: int) -> None:
        """Take back what ``forward`` gave."""
        await self._forwarding(f"host-serial:{self.serial}:killforward:tcp:{port}", answer=False)

    async def reverse(self, remote: str, local: str) -> None:
        """Have connections to the phone's ``remote`` (``tcp:8765``) lead to this machine's ``local``."""
        await self._call(f"reverse:forward:{remote};{local}", read_status)

    async def remove_reverse(self, remote: str) -> None:
        """Take back what ``reverse`` set up."""
        await self._call(f"reverse:killforward:{remote}", read_status)

    async def transport_id(self) -> int:
        """The server's number for this connection of the phone; after a reconnect it is another."""
        with _lost_not_chosen():
            async with self.server.open(f"host:tport:serial:{self.serial}") as wire:
                return int.from_bytes(await wire.read_exactly(8), "little")

    async def _forwarding(self, request: str, *, answer: bool = True) -> str:
        # Two statuses: the request was understood, and it was done.
        with _lost_not_chosen():
            async with asyncio.timeout(self.timeout), self.server.open(request) as wire:
                await read_status(wire)
                return (await read_block(wire)).decode() if answer else ""

    async def _call(self, service: str, read: Callable[[Wire], Awaitable[T]], timeout: float | None = None) -> T:
        """What ``read`` makes of one service's answer, within the deadline."""
        seconds = self.timeout if timeout is None else timeout
        wire: Wire | None = None
        try:
            async with asyncio.timeout(seconds):
                wire = await self._service(service)
                return await read(wire)
        except TimeoutError as error:
            raise self._late(service.partition(":")[2].removeprefix("raw:"), seconds) from error
        finally:
            if wire is not None:
                wire.close()

    async def _exec(self, line: str, timeout: float | None) -> bytearray:
        return await self._call(f"exec:{line}", Wire.read_rest, timeout)

    async def _standing(self, lines: list[str], timeout: float | None) -> list[ShellResult]:
        """Run lines in a shell that stands, or in a new one that stands from then on."""
        seconds = self.timeout if timeout is None else timeout
        shell = self._shells.take()
        done = False
        try:
            async with asyncio.timeout(seconds):
                shell = shell or StandingShell(await self._service(standing.SERVICE))
                results = await shell.run(lines)
            done = True
            return results
        except TimeoutError as error:
            raise self._late(lines[0], seconds) from error
        finally:
            if shell is not None and done:
                self._shells.put_back(shell)
            elif shell is not None:
                shell.close()

    async def _service(self, service: str) -> Wire:
        """A connection to one service of the phone, within the caller's deadline."""
        with _lost_not_chosen():
            return await self.server.dial(f"host:transport:{self.serial}", service)

    def _late(self, line: str, seconds: float) -> DeviceError:
        # Only the command's first words: the rest may be somebody's message.
        what = " ".join(line.split()[:2])[:40]
        return DeviceError(
            msg(
                "{serial} did not finish `{what}` within {seconds:g} s.", serial=self.serial, what=what, seconds=seconds
            ),
            msg("Is it frozen?"),
        )


@contextmanager
def _lost_not_chosen() -> Iterator[None]:
    """To choose no phone is one thing, to lose one that was chosen is another."""
    try:
        yield
    except NoDeviceError as error:
        raise DeviceError(error.message, error.remedy) from error


async def _read_shell(wire: Wire) -> ShellResult:
    output = {STDOUT: bytearray(), STDERR: bytearray()}
    while True:
        kind, size = PACKET.unpack(await wire.read_exactly(PACKET.size))
        data = await wire.read_exactly(bounded(size))
        if kind == EXIT:
            text = {channel: raw.decode(errors="replace") for channel, raw in output.items()}
            return ShellResult(stdout=text[STDOUT], stderr=text[STDERR], exit_code=data[0] if data else 255)
        if kind in output:
            output[kind] += data
            bounded(len(output[kind]))


def _parse(reader: Reader[Any], result: ShellResult) -> Any:
    try:
        return reader.parse(result.text)
    except UnreadableError as error:
        return error


async def phones(server: AdbServer) -> list[DeviceEntry]:
    """The phones that the server knows, each once.

    An emulator that adb found by itself and was told to connect to is listed twice; two of the same kind have the
    same serial number, so the number of their boot tells them apart.
    """
    entries = await server.devices()
    identities = await asyncio.gather(*(_identity(server, entry) for entry in entries))
    known: dict[str, DeviceEntry] = {}
    for entry, identity in zip(entries, identities, strict=True):
        known.setdefault(identity or entry.serial, entry)
    return list(known.values())


async def _identity(server: AdbServer, entry: DeviceEntry) -> str:
    """Serial number and boot of a running phone; empty when it does not tell."""
    if entry.state != "device":
        return ""
    try:
        number, boot = await Device(server, entry.serial).batch([f"getprop {_SERIAL_NUMBER}", f"cat {_BOOT_ID}"])
    except DeviceError:
        return ""
    return "" if boot.exit_code else f"{number.stdout.strip()} {boot.stdout.strip()}"


_SERIAL_NUMBER = "ro.serialno"
_BOOT_ID = "/proc/sys/kernel/random/boot_id"


def choose(entries: Sequence[DeviceEntry], serial: str = "") -> str:
    """The serial to use: the one asked for, or the only one; ``NoDeviceError`` says what there is otherwise."""
    known = ", ".join(f"{entry.serial} ({entry.state})" for entry in entries)
    if serial:
        state = next((entry.state for entry in entries if entry.serial == serial), None)
        if state is None:
            raise NoDeviceError(
                msg("There is no phone {serial!r}.", serial=serial),
                msg("adb lists: {known}.", known=known or msg("none")),
            )
        if state != "device":
            raise NoDeviceError(
                msg("The phone {serial} is {state}.", serial=serial, state=state),
                _STATE_REMEDY.get(state, msg("Reconnect it.")),
            )
        return serial
    ready = [entry.serial for entry in entries if entry.state == "device"]
    if len(ready) == 1:
        return ready[0]
    if ready:
        raise NoDeviceError(
            msg("There are {count} phones: {ready}.", count=len(ready), ready=ready), msg("Choose one with -s SERIAL.")
        )
    if entries:
        return choose(entries, entries[0].serial)
    remedy = msg("Connect one with USB debugging on, start an emulator, or run `heed phone`.")
    raise NoDeviceError(msg("No phone is connected."), remedy)


_STATE_REMEDY = {
    "unauthorized": msg("Unlock it and accept the debugging question on its screen."),
    "offline": msg("Reconnect the cable, or turn USB debugging off and on."),
}
