"""The streams of a command: inputs, outputs, pipes."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

PIPE_SIZE = 64 * 1024
"""Bytes a pipe holds before its writer waits, as on Linux."""


_MEMORY = 64 * 1024 * 1024
"""Bytes that a command may keep in memory."""


class BrokenPipe(Exception):
    """The reader of this output is gone."""


class Output(Protocol):
    """An output of a command."""

    async def write(self, data: bytes) -> None:
        """Write ``data``; raises ``BrokenPipe`` when the reader is gone."""
        ...


class Input(Protocol):
    """An input of a command."""

    async def read(self, size: int = PIPE_SIZE) -> bytes:
        """At most ``size`` bytes; empty at the end."""
        ...


@dataclass
class Streams:
    """A command's descriptors 0, 1 and 2."""

    stdin: Input
    stdout: Output
    stderr: Output


async def read_all(source: Input) -> bytes:
    """Everything until the end; an endless source ends the command, as Android's low-memory killer does."""
    parts: list[bytes] = []
    size = 0
    while part := await source.read():
        parts.append(part)
        size += len(part)
        if size > _MEMORY:
            raise BrokenPipe
    return b"".join(parts)


class Nothing:
    """/dev/null, both ways."""

    async def write(self, data: bytes) -> None:
        return

    async def read(self, size: int = PIPE_SIZE) -> bytes:
        return b""


class Collected:
    """Output kept in memory, for command substitution."""

    def __init__(self) -> None:
        self.data = bytearray()

    async def write(self, data: bytes) -> None:
        self.data += data


class FromBytes:
    """Input from given bytes."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    async def read(self, size: int = PIPE_SIZE) -> bytes:
        part = self._data[self._at : self._at + size]
        self._at += len(part)
        return part


class Zeros:
    """``/dev/zero``."""

    async def read(self, size: int = 65536) -> bytes:
        # It is endless, so other tasks must get to run.
        await asyncio.sleep(0)
        return bytes(size)


class Pipe:
    """A bounded pipe between two commands."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._changed = asyncio.Condition()
        self._written_out = self._read_out = False

    async def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            async with self._changed:
                await self._changed.wait_for(lambda: self._read_out or len(self._buffer) < PIPE_SIZE)
                if self._read_out:
                    raise BrokenPipe
                room = PIPE_SIZE - len(self._buffer)
                self._buffer += view[:room]
                view = view[room:]
                self._changed.notify_all()

    async def read(self, size: int = PIPE_SIZE) -> bytes:
        async with self._changed:
            await self._changed.wait_for(lambda: self._buffer or self._written_out)
            part = bytes(self._buffer[:size])
            del self._buffer[:size]
            self._changed.notify_all()
            return part

    async def close_writer(self) -> None:
        """The writing command ended."""
        async with self._changed:
            self._written_out = True
            self._changed.notify_all()

    async def close_reader(self) -> None:
        """The reading command ended."""
        async with self._changed:
            self._read_out = True
            self._buffer.clear()
            self._changed.notify_all()
