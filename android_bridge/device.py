"""One phone: commands with deadlines, batches, frames and streams over the adb server."""

import asyncio
import contextlib
import secrets
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.shell import ShellResult
from heed.errors import DeviceError, DeviceLostError, NoDeviceError

T = TypeVar("T")

DEFAULT_TIMEOUT = 10.0
_STDOUT, _STDERR, _EXIT = 1, 2, 3
_PNG_START, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


class Screenshot(NamedTuple):
    """One screen frame as PNG, with its size in pixels."""

    png: bytes
    width: int
    height: int


class Device:
    """A phone that the adb server knows by ``serial``; every call opens its own connection (0.33 ms)."""

    def __init__(self, server: AdbServer, serial: str, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.server, self.serial, self.timeout = server, serial, timeout

    def __repr__(self) -> str:
        return f"Device({self.serial!r})"

    async def shell(self, line: str, *, timeout: float | None = None) -> ShellResult:
        """Run one shell line (shell_v2) and wait for it to end.

        Raises ``DeviceError`` past the deadline and ``DeviceLostError`` when the phone goes away before the
        exit status arrived.
        """
        async with self._deadline(line, timeout), self._service(f"shell,v2,raw:{line}") as reader:
            return await _read_shell(reader)

    async def batch(self, lines: Sequence[str], *, timeout: float | None = None) -> list[ShellResult]:
        """Run many lines in one round trip; each has its own outputs and status and cannot end the others."""
        if not lines:
            return []
        marker = f"heed-{secrets.token_hex(8)}"
        whole = await self.shell(_join(lines, marker), timeout=timeout)
        return _split(whole, marker, len(lines))

    async def exec_out(self, line: str, *, timeout: float | None = None) -> bytes:
        """Run one line on the raw exec service: its standard output as bytes, no exit status."""
        async with self._deadline(line, timeout), self._service(f"exec:{line}") as reader:
            return await reader.read()

    async def read(self, reader: Reader[T], *, timeout: float | None = None) -> T:
        """What ``reader`` reads; ``UnreadableError`` when the output cannot be understood."""
        return reader.parse((await self.shell(reader.command, timeout=timeout)).text)

    async def read_many(self, readers: Sequence[Reader[Any]], *, timeout: float | None = None) -> list[Any]:
        """What each reader reads, in one round trip; an ``UnreadableError`` in place of what was not understood."""
        results = await self.batch([reader.command for reader in readers], timeout=timeout)
        return [_parse(reader, result) for reader, result in zip(readers, results, strict=True)]

    async def screenshot(self, *, timeout: float | None = None) -> Screenshot:
        """The screen as PNG; a warning that ``screencap`` prints into the stream is cut off."""
        data = await self.exec_out("screencap -p", timeout=timeout)
        start, end = data.find(_PNG_START), data.rfind(_PNG_END)
        if start < 0 or end < 0:
            said = data[:80].decode(errors="replace").strip()
            raise DeviceError(f"The phone gave no screenshot ({said or 'nothing'}).", "Is its screen on?")
        png = data[start : end + len(_PNG_END)]
        width, height = struct.unpack(">II", png[16:24])
        return Screenshot(png, width, height)

    @asynccontextmanager
    async def stream(self, line: str) -> AsyncIterator[asyncio.StreamReader]:
        """Run one long-lived line and read its output as it comes; leaving the block ends the command."""
        async with self._service(f"exec:{line}") as reader:
            yield reader

    @asynccontextmanager
    async def _service(self, service: str) -> AsyncIterator[asyncio.StreamReader]:
        async with self.server.open(f"host:transport:{self.serial}", service) as (reader, _):
            yield reader

    @asynccontextmanager
    async def _deadline(self, line: str, timeout: float | None) -> AsyncIterator[None]:
        seconds = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError as error:
            raise DeviceError(
                f"{self.serial} did not finish `{line[:60]}` within {seconds:g} s.", "Is it frozen?"
            ) from error


async def _read_shell(reader: asyncio.StreamReader) -> ShellResult:
    output = {_STDOUT: bytearray(), _STDERR: bytearray()}
    while True:
        try:
            kind, size = struct.unpack("<BI", await reader.readexactly(5))
            data = await reader.readexactly(size)
        except asyncio.IncompleteReadError as error:
            raise DeviceLostError("The phone went away before the command ended.", "Reconnect it.") from error
        if kind == _EXIT:
            text = {channel: bytes(raw).decode(errors="replace") for channel, raw in output.items()}
            return ShellResult(stdout=text[_STDOUT], stderr=text[_STDERR], exit_code=data[0])
        if kind in output:
            output[kind] += data


def _join(lines: Sequence[str], marker: str) -> str:
    # The marker goes to both outputs: each is in order in itself, but not with the other. It is random so that
    # no text on the phone can imitate it. The subshell keeps `exit` and variables of one line from the others.
    return "; ".join(f"( {line}\n); echo {marker} $?; echo {marker} >&2" for line in lines)


def _split(whole: ShellResult, marker: str, count: int) -> list[ShellResult]:
    outputs, errors = whole.stdout.split(marker), whole.stderr.split(marker)
    if len(outputs) != count + 1 or len(errors) != count + 1:
        said = whole.stderr.replace(marker, "").strip() or "the output was cut"
        raise DeviceError(f"The phone did not run all {count} commands of a batch: {said}.")
    results = []
    for index in range(count):
        status, _, rest = outputs[index + 1].partition("\n")
        with contextlib.suppress(ValueError):
            results.append(ShellResult(stdout=outputs[index], stderr=errors[index], exit_code=int(status)))
        outputs[index + 1], errors[index + 1] = rest, errors[index + 1].removeprefix("\n")
    if len(results) != count:
        raise DeviceError("The phone's answer to a batch of commands was garbled.")
    return results


def _parse(reader: Reader[Any], result: ShellResult) -> Any:
    try:
        return reader.parse(result.text)
    except UnreadableError as error:
        return error


def choose(entries: Sequence[DeviceEntry], serial: str = "") -> str:
    """The serial to use: the one asked for, or the only one; ``NoDeviceError`` says what there is otherwise."""
    known = ", ".join(f"{entry.serial} ({entry.state})" for entry in entries)
    if serial:
        state = next((entry.state for entry in entries if entry.serial == serial), None)
        if state is None:
            raise NoDeviceError(f"There is no phone {serial!r}.", f"adb lists: {known or 'none'}.")
        if state != "device":
            raise NoDeviceError(f"The phone {serial} is {state}.", _STATE_REMEDY.get(state, "Reconnect it."))
        return serial
    ready = [entry.serial for entry in entries if entry.state == "device"]
    if len(ready) == 1:
        return ready[0]
    if ready:
        raise NoDeviceError(f"There are {len(ready)} phones: {', '.join(ready)}.", "Choose one with -s SERIAL.")
    if entries:
        return choose(entries, entries[0].serial)
    remedy = "Connect one with USB debugging on, start an emulator, or run `heed phone`."
    raise NoDeviceError("No phone is connected.", remedy)


_STATE_REMEDY = {
    "unauthorized": "Unlock it and accept the debugging question on its screen.",
    "offline": "Reconnect the cable, or turn USB debugging off and on.",
}
