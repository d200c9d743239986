"""An oracle in a process and an environment of its own, asked in lines of JSON over a pipe.

An *oracle* is code of another project that judges. It is imported only there, from the folder that the user names, with
the packages that it needs.
"""

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, cast

_ANSWER = 180.0
"""Seconds within which an oracle answers."""
_LINE = 16 * 2**20
"""Bytes of an answer."""


class OracleEndedError(RuntimeError):
    """The oracle's process ended; the text is the last line that it wrote to its standard error."""


class OracleProcess:
    """A running oracle; ``ask`` sends one request and returns its answer."""

    def __init__(self, requests: asyncio.StreamWriter, answers: asyncio.StreamReader, errors: IO[bytes]) -> None:
        self._requests, self._answers, self._errors = requests, answers, errors

    async def ask(self, **request: Any) -> dict[str, Any]:
        """The answer to a request; ``OracleEndedError`` when the process ended, ``TimeoutError`` when it is late."""
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            await self._requests.drain()
        except OSError as error:
            raise OracleEndedError(self._last_words()) from error
        async with asyncio.timeout(_ANSWER):
            line = await self._answers.readline()
        if not line:
            raise OracleEndedError(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "no error message")


@asynccontextmanager
async def running_oracle(python: Path, script: Path, environment: Mapping[str, str]) -> AsyncIterator[OracleProcess]:
    """Run a script that answers requests while in the block.

    Args:
        python: the interpreter of the oracle's environment.
        script: reads requests from its standard input, one per line, and writes an answer to each.
        environment: variables that it gets beside those of this process.
    """
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            str(python),
            str(script),
            env={**os.environ, **environment, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=_LINE,
        )
        try:
            requests, answers = cast(asyncio.StreamWriter, process.stdin), cast(asyncio.StreamReader, process.stdout)
            yield OracleProcess(requests, answers, errors)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
