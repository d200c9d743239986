"""Persistent shells on the phone: a command costs one round trip instead of four.

A connection per command asks the adb server for the phone, then for a shell, and each waits for its answer. A
persistent shell is ``sh`` reading its standard input: a line is written, and its output comes back between markers.
Measured with ``bench/link.py`` on a phone that answers at once; not tried on hardware.
"""

import asyncio
import re
import secrets
import struct
import weakref
from collections.abc import Sequence

from android_bridge.server_connection import ServerConnection, bounded
from android_bridge.shell import ShellResult
from heed.errors import DeviceError, DeviceLostError
from heed.messages import msg

SERVICE = "shell,v2,raw:"
"""adbd starts a shell that reads its standard input when the command is empty."""
IDLE_SECONDS = 20.0
"""An unused shell is closed after this time, because it is a process on the phone."""
MAX_IDLE = 2
PACKET = struct.Struct("<BI")
STDIN, STDOUT, STDERR, EXIT = 0, 1, 2, 3
_LEAVES_SOMETHING_RUNNING = re.compile(r"(?<![&><])&(?![&>])")


def fits(line: str) -> bool:
    """Whether ``line`` may run in a shell that is used again.

    A line with ``&`` may leave a process that prints into the next command's output, and the shell reads its input line
    by line, so a line with ``&`` or a line end gets a shell of its own.
    """
    return "\n" not in line and "\r" not in line and not _LEAVES_SOMETHING_RUNNING.search(line)


class PersistentShell:
    """One ``sh`` on the phone. After an error, a deadline or a cancelled call it must be closed, not used again."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    def close(self) -> None:
        """Ends the shell and the command that it runs."""
        self._connection.close()

    @property
    def usable(self) -> bool:
        """False when the phone is gone or unexpected output has arrived."""
        return self._connection.quiet

    async def run(self, lines: Sequence[str]) -> list[ShellResult]:
        """Runs the lines in order and returns one result per line; no line can end the others."""
        marker = f"heed-{secrets.token_hex(8)}-"
        script = "; ".join(_marked(line, f"{marker}{number}") for number, line in enumerate(lines)).encode() + b"\n"
        await self._connection.write(PACKET.pack(STDIN, len(script)) + script)
        output = {STDOUT: bytearray(), STDERR: bytearray()}
        end = f"{marker}{len(lines) - 1}".encode()
        while not (_ended(output[STDOUT], end) and _ended(output[STDERR], end)):
            kind, size = PACKET.unpack(await self._connection.read_exactly(PACKET.size))
            data = await self._connection.read_exactly(bounded(size))
            if kind == EXIT:
                raise DeviceLostError(msg("The phone's shell ended in the middle of a command."), msg("Try again."))
            if kind in output:
                output[kind] += data
                bounded(len(output[kind]))
        return _split(output[STDOUT], output[STDERR], marker, len(lines))


class PersistentShells:
    """The idle shells of one phone."""

    def __init__(self) -> None:
        self._idle: list[PersistentShell] = []
        self._loop: weakref.ref[asyncio.AbstractEventLoop] | None = None
        self._uses = 0
        # The shells are closed when this object is garbage-collected.
        weakref.finalize(self, _close, self._idle)

    def take(self) -> PersistentShell | None:
        """Returns an idle shell; None when one must be opened."""
        loop = asyncio.get_running_loop()
        if self._loop is None or self._loop() is not loop:
            self.close()
            self._loop = weakref.ref(loop)
        while self._idle:
            shell = self._idle.pop()
            if shell.usable:
                return shell
            shell.close()
        return None

    def put_back(self, shell: PersistentShell) -> None:
        """Keeps a shell whose commands ended for the next use."""
        if len(self._idle) >= MAX_IDLE or self._loop is None or self._loop() is not asyncio.get_running_loop():
            shell.close()
            return
        self._idle.append(shell)
        self._uses += 1
        asyncio.get_running_loop().call_later(IDLE_SECONDS, _close_unused, weakref.ref(self), self._uses)

    def close(self) -> None:
        """Closes the idle shells."""
        _close(self._idle)

    def close_unless_used_since(self, uses: int) -> None:
        """Closes the idle shells unless one was used since ``uses`` was counted."""
        if uses == self._uses:
            self.close()


def _close(idle: list[PersistentShell]) -> None:
    while idle:
        idle.pop().close()


def _close_unused(shells: "weakref.ref[PersistentShells]", uses: int) -> None:
    known = shells()
    if known is not None:
        known.close_unless_used_since(uses)


def _marked(line: str, marker: str) -> str:
    # The marker goes to both outputs: each is in order in itself, but not with the other. It is random so that no text
    # on the phone can imitate it. The subshell keeps `exit` and variables of one line from the others, `eval` its
    # unbalanced quotes.
    return f"( eval {_quoted(line)} ) </dev/null; echo {marker} $?; echo {marker} >&2"


def _quoted(line: str) -> str:
    # Unlike `commands.quote` this refuses nothing: what may stand in a line is its author's to know.
    return "'" + line.replace("'", "'\\''") + "'"


def _ended(output: bytearray, marker: bytes) -> bool:
    return output.endswith(b"\n") and output.find(marker, max(0, len(output) - len(marker) - 8)) >= 0


def _split(stdout: bytearray, stderr: bytearray, marker: str, count: int) -> list[ShellResult]:
    """The outputs and statuses between the markers, which must all be there."""
    printed, errors = stdout.decode(errors="replace"), stderr.decode(errors="replace")
    results = []
    for number in range(count):
        output, found, printed = printed.partition(f"{marker}{number} ")
        status, _, printed = printed.partition("\n")
        error, found_too, errors = errors.partition(f"{marker}{number}\n")
        if not (found and found_too and status.isdigit()):
            raise DeviceError(msg("The phone's answer to a command was garbled."), msg("Try again."))
        results.append(ShellResult(stdout=output, stderr=error, exit_code=int(status)))
    return results
