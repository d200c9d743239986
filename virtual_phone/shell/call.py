"""One running command: its arguments, its streams and its phone."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from virtual_phone.shell.io import Streams
from virtual_phone.state import PhoneState
from virtual_phone.state.files import FileSystem

if TYPE_CHECKING:
    from virtual_phone.phone import VirtualPhone
    from virtual_phone.shell.interpreter import Shell


@dataclass
class ProgramCall:
    """A command line being run; ``args`` without the command's own name."""

    phone: "VirtualPhone"
    shell: "Shell"
    name: str
    args: list[str]
    streams: Streams
    environment: dict[str, str]

    @property
    def state(self) -> PhoneState:
        return self.phone.state

    @property
    def files(self) -> FileSystem:
        """The phone's files, with the rights of the shell's user."""
        return self.shell.files

    async def out(self, text: str | bytes) -> None:
        """Write to standard output."""
        await self.streams.stdout.write(text.encode(errors="replace") if isinstance(text, str) else text)

    async def err(self, text: str) -> None:
        """Write to standard error."""
        await self.streams.stderr.write(text.encode(errors="replace"))

    async def fail(self, text: str, status: int = 1) -> int:
        """One line on standard error and an exit status."""
        await self.err(text + "\n")
        return status


class ProgramReply(NamedTuple):
    """The output and exit status of a command that needs only the state."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0


def thrown(verb: str, exception: str, stdout: str = "") -> ProgramReply:
    """The output of a service's shell command when Java throws an exception."""
    return ProgramReply(stdout, f"\nException occurred while executing '{verb}':\n{exception}\n", 255)


Program = Callable[[ProgramCall], Awaitable[int]]
Responder = Callable[[PhoneState, Sequence[str]], ProgramReply]


def answering(answer: Responder) -> Program:
    """A program from a function of state and arguments."""

    async def program(call: ProgramCall) -> int:
        reply = answer(call.state, call.args)
        if reply.stdout:
            await call.out(reply.stdout)
        if reply.stderr:
            await call.err(reply.stderr)
        return reply.status

    return program
