"""A phone whose shell is this machine's own ``sh``: commands that hang, refuse or print garbage on demand."""

import asyncio
import os
import signal
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from android_bridge.device import Device
from tests.android_bridge.wire import WireServer, device, shell_answer, wire_server


@asynccontextmanager
async def shell_phone(commands: Path) -> AsyncIterator[tuple[Device, WireServer]]:
    """A phone that finds ``dumpsys``, ``settings`` and the like as scripts in the folder ``commands``."""

    async def serve(service: str, reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(b"OKAY")
        kind, _, line = service.partition(":")
        process = await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            line,
            env={"PATH": f"{commands}:/usr/bin:/bin"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = await _unless_hung_up(process, reader)
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        writer.write(out + err if kind == "exec" else shell_answer(out.decode(), err.decode(), process.returncode or 0))

    async with wire_server(serve) as wire:
        yield device(wire), wire


async def _unless_hung_up(process: Process, reader: StreamReader) -> tuple[bytes, bytes]:
    """The outputs of a command, which dies with the connection as it does on a phone."""
    hung_up, finished = asyncio.ensure_future(reader.read()), asyncio.ensure_future(process.communicate())
    try:
        await asyncio.wait({hung_up, finished}, return_when=asyncio.FIRST_COMPLETED)
        if not finished.done():
            raise ConnectionResetError
        return finished.result()
    finally:
        hung_up.cancel()
        finished.cancel()
