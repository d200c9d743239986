"""One phone: commands with deadlines, batches, frames, files, ports and streams over the adb server."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from android_bridge import persistent_shell
from android_bridge.adb import AdbServer, DeviceEntry, read_block, read_status
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.files import FileTransfer
from android_bridge.frames import RawFrame, Screenshot, capture_command, parse_frame, parse_screenshot
from android_bridge.identity import IDENTITY, OtherPhoneError, PhoneIdentity
from android_bridge.persistent_shell import EXIT, PACKET, STDERR, STDOUT, PersistentShell, PersistentShells
from android_bridge.server_connection import ServerConnection, bounded
from android_bridge.shell import ShellResult
from heed.errors import DeviceError, NoDeviceError
from heed.messages import msg

T = TypeVar("T")

DEFAULT_TIMEOUT = 10.0
TRANSFER_TIMEOUT = 120.0


class Device:
    """A phone that the adb server knows by ``serial``.

    Commands run in shells that stay open on the phone (``android_bridge.persistent_shell``); frames, streams and files
    have a connection each. Every ``timeout`` is in seconds; without one the device's own applies.

    Calls raise ``DeviceError`` when the phone is absent, refuses or does not answer in time, and ``DeviceLostError``
    when it goes away while a command runs: whether the command took effect is then unknown. When the phone is back, the
    next call works.

    With an ``identity``, calls reach that phone only: each new shell first reads which phone answers, and commands run
    in that same shell. Another phone at the address raises ``OtherPhoneError``.
    """

    def __init__(
        self,
        server: AdbServer,
        serial: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        identity: PhoneIdentity | None = None,
    ) -> None:
        """Connects to nothing.

        Args:
            server: the adb server.
            serial: the phone's address as adb lists it.
            timeout: deadline of one call, seconds.
            identity: the only phone that is accepted at the address; None accepts any.
        """
        self.server, self.serial, self.timeout, self.identity = server, serial, timeout, identity
        self.left_app = ""
        """The package in front that something may be opened over because the owner has left it; empty = none."""
        self._shells = PersistentShells()
        self._files = FileTransfer(server.host, server.port, serial)

    def __repr__(self) -> str:
        return f"Device({self.serial!r})"

    async def identify(self) -> PhoneIdentity:
        """Reads which phone answers now; raises ``OtherPhoneError`` when it is not the accepted one."""
        found = await self.read(IDENTITY)
        self._accept(found)
        return found

    async def shell(self, line: str, *, timeout: float | None = None) -> ShellResult:
        """Runs one shell line (shell_v2) and returns its outputs and exit status.

        ``line`` is given to ``sh`` as it is: quote every value (``android_bridge.commands.quote``). Its standard input
        is empty.
        """
        if persistent_shell.fits(line):
            return (await self._run_persistent([line], timeout))[0]
        return await self._call(f"shell,v2,raw:{line}", _read_shell, timeout)

    async def batch(self, lines: Sequence[str], *, timeout: float | None = None) -> list[ShellResult]:
        """Runs several lines in one round trip and returns one result per line.

        A line that exits or has unbalanced quotes does not affect the others. ``timeout`` is for all lines together.
        """
        results: list[ShellResult] = []
        for together, group in itertools.groupby(lines, persistent_shell.fits):
            if together:
                results += await self._run_persistent(list(group), timeout)
            else:
                results += [await self.shell(line, timeout=timeout) for line in group]
        return results

    async def exec_out(self, line: str, *, timeout: float | None = None) -> bytes:
        """Runs one line on the raw exec service; returns output and errors as bytes, without an exit status."""
        return bytes(await self._exec(line, timeout))

    async def read(self, reader: Reader[T], *, timeout: float | None = None) -> T:
        """Returns the value of ``reader``; raises ``UnreadableError`` when the output cannot be parsed."""
        return reader.parse((await self.shell(reader.command, timeout=timeout)).text)

    async def read_many(self, readers: Sequence[Reader[Any]], *, timeout: float | None = None) -> list[Any]:
        """Returns the value of each reader, in order, read in one round trip.

        In place of a value that could not be parsed stands its ``UnreadableError``; it is not raised.
        """
        lines = list(dict.fromkeys(reader.command for reader in readers))
        results = dict(zip(lines, await self.batch(lines, timeout=timeout), strict=True))
        return [_parse(reader, results[reader.command]) for reader in readers]

    async def screenshot(self, display: str = "", *, timeout: float | None = None) -> Screenshot:
        """Returns the screen as PNG.

        Args:
            display: an id of ``facts.display.Displays.physical_ids``; empty for the phone's own screen.
            timeout: seconds.

        A window with ``FLAG_SECURE`` is black. Raises ``DeviceError`` when the phone gives no picture.
        """
        return parse_screenshot(await self.exec_out(capture_command(display, png=True), timeout=timeout))

    async def frame(self, display: str = "", *, timeout: float | None = None) -> RawFrame:
        """Returns the screen as raw pixels; several times faster than ``screenshot``, which needs a PNG encoder."""
        return parse_frame(await self._exec(capture_command(display, png=False), timeout))

    @asynccontextmanager
    async def stream(self, line: str) -> AsyncIterator[ServerConnection]:
        """Runs one long-lived line and gives the connection to read its output from.

        Leaving the block ends the command. The deadline is for the start only; the caller bounds its reads.
        """
        try:
            async with asyncio.timeout(self.timeout):
                await self._require_accepted()
                connection = await self._service(f"exec:{line}")
        except TimeoutError as error:
            raise self._late(line, self.timeout) from error
        try:
            yield connection
        finally:
            connection.close()

    async def push(self, local: Path | bytes, remote: str, *, timeout: float = TRANSFER_TIMEOUT) -> None:
        """Copies a file or bytes to the phone's path ``remote``; raises ``UsageError`` for a missing local file."""
        await self.server.ensure_running()
        await self._require_accepted()
        await self._files.push(local, remote, timeout)

    async def pull(self, remote: str, *, timeout: float = TRANSFER_TIMEOUT) -> bytes:
        """Returns the contents of the phone's file ``remote``."""
        await self.server.ensure_running()
        await self._require_accepted()
        return await self._files.pull(remote, timeout)

    async def install(self, package: Path, *, timeout: float = TRANSFER_TIMEOUT) -> None:
        """Installs an APK, also over an older version; raises ``DeviceError`` with Android's reason."""
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
        """Forwards a free local port to the phone's ``remote`` (``tcp:9008``) and returns the port."""
        return int(await self._forwarding(f"host-serial:{self.serial}:forward:tcp:0;{remote}"))

    async def remove_forward(self, port: int) -> None:
        """Removes a forward of ``forward``."""
        await self._forwarding(f"host-serial:{self.serial}:killforward:tcp:{port}", answer=False)

    async def reverse(self, remote: str, local: str) -> None:
        """Forwards the phone's ``remote`` (``tcp:8765``) to this machine's ``local``."""
        await self._call(f"reverse:forward:{remote};{local}", read_status)

    async def reverses(self) -> tuple[str, ...]:
        """Returns the phone's sides (``tcp:8765``) of all forwards of ``reverse``."""
        rows = (await self._call("reverse:list-forward", read_block)).decode(errors="replace").splitlines()
        return tuple(words[1] for row in rows if len(words := row.split()) == 3)

    async def remove_reverse(self, remote: str) -> None:
        """Removes a forward of ``reverse``."""
        await self._call(f"reverse:killforward:{remote}", read_status)

    async def transport_id(self) -> int:
        """Returns the adb server's id of this connection; it changes with every reconnect."""
        with _lost_not_chosen():
            async with self.server.open(f"host:tport:serial:{self.serial}") as connection:
                return int.from_bytes(await connection.read_exactly(8), "little")

    async def _forwarding(self, request: str, *, answer: bool = True) -> str:
        await self._require_accepted()
        # Two statuses: the request was understood, and it was done.
        with _lost_not_chosen():
            async with asyncio.timeout(self.timeout), self.server.open(request) as connection:
                await read_status(connection)
                return (await read_block(connection)).decode() if answer else ""

    async def _call(
        self, service: str, read: Callable[[ServerConnection], Awaitable[T]], timeout: float | None = None
    ) -> T:
        """Opens a service and returns the result of ``read``, within the deadline."""
        seconds = self.timeout if timeout is None else timeout
        connection: ServerConnection | None = None
        try:
            async with asyncio.timeout(seconds):
                await self._require_accepted()
                connection = await self._service(service)
                return await read(connection)
        except TimeoutError as error:
            raise self._late(service.partition(":")[2].removeprefix("raw:"), seconds) from error
        finally:
            if connection is not None:
                connection.close()

    async def _exec(self, line: str, timeout: float | None) -> bytearray:
        return await self._call(f"exec:{line}", ServerConnection.read_rest, timeout)

    async def _run_persistent(self, lines: list[str], timeout: float | None) -> list[ShellResult]:
        """Runs lines in an idle persistent shell, or in a new one that stays open afterwards."""
        seconds = self.timeout if timeout is None else timeout
        shell = self._shells.take()
        done = False
        try:
            async with asyncio.timeout(seconds):
                shell = shell or await self._open_shell()
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

    async def _open_shell(self) -> PersistentShell:
        """A new persistent shell on the accepted phone."""
        shell = PersistentShell(await self._service(persistent_shell.SERVICE))
        if self.identity is None:
            return shell
        try:
            (answer,) = await shell.run([IDENTITY.command])
            self._accept(IDENTITY.parse(answer.text))
        except BaseException:
            shell.close()
            raise
        return shell

    async def _require_accepted(self) -> None:
        """Before another service than a persistent shell is opened: an open shell proves which phone is connected.

        Every shell ends when the connection to the phone breaks: one that is still open is the accepted phone's.
        """
        if self.identity is not None:
            self._shells.put_back(self._shells.take() or await self._open_shell())

    def _accept(self, found: PhoneIdentity) -> None:
        if self.identity is not None and found != self.identity:
            raise OtherPhoneError(self.serial, found)

    async def _service(self, service: str) -> ServerConnection:
        """A connection to one service of the phone, within the caller's deadline."""
        with _lost_not_chosen():
            return await self.server.dial(f"host:transport:{self.serial}", service)

    def _late(self, line: str, seconds: float) -> DeviceError:
        # Only the command's first words: the rest may be private text.
        what = " ".join(line.split()[:2])[:40]
        return DeviceError(
            msg(
                "{serial} did not finish `{what}` within {seconds:g} s.", serial=self.serial, what=what, seconds=seconds
            ),
            msg("Is it frozen?"),
        )


@contextmanager
def _lost_not_chosen() -> Iterator[None]:
    """Turns the absence of a chosen phone into ``DeviceError``; ``NoDeviceError`` means that none was chosen."""
    try:
        yield
    except NoDeviceError as error:
        raise DeviceError(error.message, error.remedy) from error


async def _read_shell(connection: ServerConnection) -> ShellResult:
    output = {STDOUT: bytearray(), STDERR: bytearray()}
    while True:
        kind, size = PACKET.unpack(await connection.read_exactly(PACKET.size))
        data = await connection.read_exactly(bounded(size))
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
    """Returns the phones that the server lists, each once.

    An emulator that adb found by itself and also connected to is listed twice. Two emulators of the same kind have the
    same serial number, so the boot id (``/proc/sys/kernel/random/boot_id``) distinguishes them.
    """
    entries = await server.devices()
    identities = await asyncio.gather(*(_identity(server, entry) for entry in entries))
    known: dict[str, DeviceEntry] = {}
    for entry, identity in zip(entries, identities, strict=True):
        known.setdefault(identity or entry.serial, entry)
    return list(known.values())


async def _identity(server: AdbServer, entry: DeviceEntry) -> str:
    """Returns serial number and boot id of a ready phone; empty when they cannot be read."""
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
    """Returns the serial of the phone to use: ``serial`` if given, otherwise the only ready one.

    Raises ``NoDeviceError``, which lists the phones, when there is none, it is not ready, or several are.
    """
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
