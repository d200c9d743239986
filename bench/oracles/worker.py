"""One worker: an oracle's code in its own environment, asked in lines of JSON over a pipe."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.oracles.environment import python

_ANSWER = 180.0
"""Seconds within which a worker answers."""
_LINE = 16 * 2**20
"""Bytes of an answer."""


class OracleWorker:
    """A running worker; ``ask`` sends one request and returns its answer."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def ask(self, **request: Any) -> dict[str, Any]:
        """The answer to a request; ``RuntimeError`` when the worker ended, ``TimeoutError`` when it is late."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        await self._process.stdin.drain()
        async with asyncio.timeout(_ANSWER):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the oracle's process ended")
        answer: dict[str, Any] = json.loads(line)
        return answer


@asynccontextmanager
async def working(script: Path, environment: Mapping[str, str]) -> AsyncIterator[OracleWorker]:
    """Run a script of this folder in the oracles' environment while in the block."""
    process = await asyncio.create_subprocess_exec(
        str(await asyncio.to_thread(python)),
        str(script),
        env={**os.environ, **environment, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE,
    )
    try:
        yield OracleWorker(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
