"""Runs a parsed script: pipelines as concurrent commands, redirections into the phone's files."""

import asyncio
import fnmatch
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from virtual_phone.shell.call import Program, ProgramCall, thrown
from virtual_phone.shell.expansion import Expander, Variables
from virtual_phone.shell.io import BrokenPipe, Collected, FromBytes, Input, Nothing, Output, Pipe, Streams, Zeros
from virtual_phone.shell.parser import parse
from virtual_phone.shell.syntax import (
    CaseClause,
    Chain,
    Command,
    ForClause,
    Group,
    IfClause,
    LoopClause,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Subshell,
)
from virtual_phone.state.files import FileError, FileSystem, FileWriter

if TYPE_CHECKING:
    from virtual_phone.phone import VirtualPhone

User = Literal["shell", "root"]
SIGPIPE_STATUS = 141
NOT_FOUND_STATUS = 127
_ENVIRONMENT = {
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/odm/bin:/vendor/bin",
    "HOME": "/",
    "HOSTNAME": "vphone",
    "LOGNAME": "shell",
    "USER": "shell",
    "SHELL": "/bin/sh",
    "TMPDIR": "/data/local/tmp",
    "ANDROID_DATA": "/data",
    "ANDROID_ROOT": "/system",
    "ANDROID_STORAGE": "/storage",
    "EXTERNAL_STORAGE": "/sdcard",
}


class ExitShell(Exception):
    """``exit``: the (sub)shell ends with ``status``."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass
class Shell:
    """One shell: its variables, directory and programs."""

    phone: "VirtualPhone"
    programs: Mapping[str, Program]
    variables: Variables = field(default_factory=lambda: Variables(dict(_ENVIRONMENT)))
    directory: str = "/"
    user: User = "shell"

    @property
    def files(self) -> FileSystem:
        """The phone's files, with the rights of this shell's user."""
        files = self.phone.state.files
        return files.as_root if self.user == "root" else files

    def as_user(self, user: User) -> "Shell":
        """A shell of another user, with a fresh environment."""
        environment = {**_ENVIRONMENT, "USER": user, "LOGNAME": user}
        return Shell(self.phone, self.programs, Variables(environment), self.directory, user)

    def fork(self) -> "Shell":
        """A copy for a subshell: its changes do not reach this shell."""
        variables = replace(
            self.variables, values=dict(self.variables.values), positional=list(self.variables.positional)
        )
        return replace(self, variables=variables)

    async def run(self, line: str, streams: Streams) -> int:
        """Run one line as ``sh -c`` does; returns the exit status."""
        try:
            return await self._script(parse(line), streams)
        except ShellSyntaxError as error:
            await streams.stderr.write(f"/system/bin/sh: {error}\n".encode())
            return 1
        except ExitShell as exit_:
            return exit_.status
        except BrokenPipe:
            return SIGPIPE_STATUS

    async def _script(self, script: Script, streams: Streams) -> int:
        for chain in script.chains:
            if chain.background:
                self.phone.background(self.fork()._chain(chain, replace(streams, stdin=Nothing())))
                self.variables.status = 0
            else:
                await self._chain(chain, streams)
        return self.variables.status

    async def _chain(self, chain: Chain, streams: Streams) -> int:
        for operator, pipeline in chain.links:
            succeeded = self.variables.status == 0
            if (operator == "&&" and not succeeded) or (operator == "||" and succeeded):
                continue
            self.variables.status = await self._pipeline(pipeline, streams)
        return self.variables.status

    async def _pipeline(self, pipeline: Pipeline, streams: Streams) -> int:
        if len(pipeline.commands) == 1:
            status = await self._command(pipeline.commands[0], streams)
        else:
            status = await self._piped(pipeline.commands, streams)
        return int(not status) if pipeline.negated else status

    async def _piped(self, commands: tuple[Command, ...], streams: Streams) -> int:
        pipes = [Pipe() for _ in commands[1:]]
        tasks: list[asyncio.Task[int]] = []
        for index, command in enumerate(commands):
            source: Input = pipes[index - 1] if index else streams.stdin
            target: Output = pipes[index] if index < len(pipes) else streams.stdout
            stage = Streams(source, target, streams.stderr)
            tasks.append(asyncio.ensure_future(self.fork()._stage(command, stage)))
        try:
            return (await asyncio.gather(*tasks))[-1]
        finally:
            for task in tasks:
                task.cancel()

    async def _stage(self, command: Command, streams: Streams) -> int:
        try:
            return await self._command(command, streams)
        except ExitShell as exit_:
            return exit_.status
        except BrokenPipe:
            return SIGPIPE_STATUS
        finally:
            if isinstance(streams.stdin, Pipe):
                await streams.stdin.close_reader()
            if isinstance(streams.stdout, Pipe):
                await streams.stdout.close_writer()

    async def _command(self, command: Command, streams: Streams) -> int:
        writers: list[FileWriter] = []
        try:
            streams = await self._redirected(command.redirects, streams, writers)
            return await self._undirected(command, streams)
        except FileError as error:
            await streams.stderr.write(f"/system/bin/sh: {error}\n".encode())
            return 1
        finally:
            for writer in writers:
                writer.close()

    async def _undirected(self, command: Command, streams: Streams) -> int:
        runners: dict[type, Callable[[Any, Streams], Awaitable[int]]] = {
            Simple: self._simple,
            Subshell: self._subshell,
            Group: self._group,
            IfClause: self._if,
            LoopClause: self._loop,
            ForClause: self._for,
            CaseClause: self._case,
        }
        return await runners[type(command)](command, streams)

    async def _subshell(self, command: Subshell, streams: Streams) -> int:
        return await self.fork()._isolated(command.script, streams)

    async def _group(self, command: Group, streams: Streams) -> int:
        return await self._script(command.script, streams)

    async def _isolated(self, script: Script, streams: Streams) -> int:
        try:
            return await self._script(script, streams)
        except ExitShell as exit_:
            return exit_.status

    async def _if(self, command: IfClause, streams: Streams) -> int:
        for condition, body in command.branches:
            if await self._script(condition, streams) == 0:
                return await self._script(body, streams)
        if command.otherwise is not None:
            return await self._script(command.otherwise, streams)
        return 0

    async def _loop(self, command: LoopClause, streams: Streams) -> int:
        status = 0
        while (await self._script(command.condition, streams) == 0) != command.until:
            status = await self._script(command.body, streams)
            await asyncio.sleep(0)
        return status

    async def _for(self, command: ForClause, streams: Streams) -> int:
        status = 0
        for value in await self._expander(streams).fields(command.words):
            self.variables.values[command.name] = value
            status = await self._script(command.body, streams)
        return status

    async def _case(self, command: CaseClause, streams: Streams) -> int:
        expander = self._expander(streams)
        subject = await expander.text(command.subject)
        for patterns, body in command.branches:
            for pattern in patterns:
                if fnmatch.fnmatchcase(subject, await expander.pattern(pattern)):
                    return await self._script(body, streams)
        return 0

    async def _simple(self, command: Simple, streams: Streams) -> int:
        expander = self._expander(streams)
        assignments = {name: await expander.text(word) for name, word in command.assignments}
        words = await expander.fields(command.words)
        if not words:
            self.variables.values.update(assignments)
            return 0
        return await self.execute(words, streams, assignments)

    async def execute(self, words: list[str], streams: Streams, assignments: Mapping[str, str] | None = None) -> int:
        """Run one program with its arguments; 127 when there is none of that name."""
        name = words[0]
        program = self.programs.get(_basename(name))
        if program is None:
            await streams.stderr.write(f"/system/bin/sh: {name}: inaccessible or not found\n".encode())
            return NOT_FOUND_STATUS
        try:
            return await program(self._call(words, streams, dict(assignments or {})))
        except (ValueError, OverflowError) as error:
            # A number or value that the program cannot read: Android's tools throw an exception.
            reply = thrown(name, f"java.lang.IllegalArgumentException: {str(error).splitlines()[0]}")
            await streams.stderr.write(reply.stderr.encode())
            return reply.status

    def _call(self, words: list[str], streams: Streams, assignments: dict[str, str]) -> ProgramCall:
        return ProgramCall(
            phone=self.phone,
            shell=self,
            name=_basename(words[0]),
            args=words[1:],
            streams=streams,
            environment={**self.variables.values, **assignments},
        )

    def _expander(self, streams: Streams) -> Expander:
        async def substitute(script: Script) -> str:
            collected = Collected()
            self.variables.status = await self.fork()._isolated(script, replace(streams, stdout=collected))
            return collected.data.decode(errors="replace")

        return Expander(self.variables, substitute, lambda pattern: self.files.glob(pattern, self.directory))

    async def _redirected(
        self, redirects: tuple[Redirect, ...], streams: Streams, writers: list[FileWriter]
    ) -> Streams:
        streams = replace(streams)
        for redirect in redirects:
            target = await self._expander(streams).text(redirect.target)
            if redirect.operator in (">&", "<&"):
                _duplicate(streams, redirect.descriptor, target)
            elif redirect.operator in ("heredoc", "<<<"):
                ending = "\n" if redirect.operator == "<<<" else ""
                streams.stdin = FromBytes((target + ending).encode())
            elif redirect.operator == "<":
                streams.stdin = self.open_input(self.path(target))
            else:
                self._write_to(redirect, target, streams, writers)
        return streams

    def _write_to(self, redirect: Redirect, target: str, streams: Streams, writers: list[FileWriter]) -> None:
        output: Output = Nothing()
        if target != "/dev/null":
            writer = self.files.open_writer(self.path(target), append=redirect.operator == ">>")
            writers.append(writer)
            output = _ToFile(writer)
        if redirect.descriptor == 2 or redirect.operator == "&>":
            streams.stderr = output
        if redirect.descriptor == 1:
            streams.stdout = output

    def open_input(self, path: str) -> Input:
        """A file (or device) to read from; ``FileError`` when it cannot be read."""
        if path == "/dev/null":
            return Nothing()
        if path == "/dev/zero":
            return Zeros()
        return FromBytes(self.files.read(path).read())

    def path(self, name: str) -> str:
        """``name`` as an absolute path."""
        return name if name.startswith("/") else f"{self.directory.rstrip('/')}/{name}"


class _ToFile:
    def __init__(self, writer: FileWriter) -> None:
        self._writer = writer

    async def write(self, data: bytes) -> None:
        self._writer.write(data)


def _basename(name: str) -> str:
    """``/system/bin/echo`` runs ``echo``; no other path is a program."""
    directory, _, base = name.rpartition("/")
    return base if directory in ("", "/system/bin", "/system/xbin", "/vendor/bin", "/bin") else name


def _duplicate(streams: Streams, descriptor: int, target: str) -> None:
    if target == "-":
        _assign(streams, descriptor, Nothing())
    elif target in ("1", "2"):
        _assign(streams, descriptor, streams.stdout if target == "1" else streams.stderr)
    else:
        raise ShellSyntaxError(f"{target}: illegal file descriptor name")


def _assign(streams: Streams, descriptor: int, output: Output) -> None:
    if descriptor == 1:
        streams.stdout = output
    elif descriptor == 2:
        streams.stderr = output
    else:
        streams.stdin = Nothing()
