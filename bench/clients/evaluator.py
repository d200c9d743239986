"""The process in which a client runs, and which evaluates its calls."""

import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from bench.clients.call import Failed


class Evaluator:
    """Evaluates code in a process of its own.

    Args:
        command: the program, ``evaluate.py`` or ``evaluate.mjs``.
        folder: where it runs.
        environment: its variables.
        errors: the file that takes what the client prints.
        timeout: seconds for one answer.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        errors: IO[bytes],
        timeout: float = 30.0,
    ) -> None:
        self._timeout = timeout
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._failure = ""
        """Why nothing more can be asked."""
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, **request: Any) -> Any:
        """The value of one request; ``Failed`` with the client's error, or when no answer came in time."""
        line = "" if self._failure else self._answer(json.dumps(request))
        answer = json.loads(line) if line else {"error": self._failure}
        return Failed(answer["error"]) if "error" in answer else answer["value"]

    def _answer(self, request: str) -> str:
        """The line that answers; empty when there is none, and then never again one."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self._timeout)
        except BrokenPipeError:
            line = ""
        except queue.Empty:
            self._process.kill()
            self._failure = f"no answer in {self._timeout:g} s"
            return ""
        if not line:
            self._failure = "the client's process ended"
        return line

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait(self._timeout)
