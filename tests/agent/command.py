"""Running ``heed`` as a person would: a process of its own."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from agent.loop import control_socket as control
from agent.loop.daemon_requests import StatusRequest
from agent.loop.phone_status import MonitoringState

TIMEOUT = 120.0


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


async def heed(*arguments: str, port: int = 0, **environment: str) -> Ended:
    """Run one command against the adb server on ``port`` and wait for its end."""
    process = await start(*arguments, port=port, **environment)
    try:
        async with asyncio.timeout(TIMEOUT):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    return Ended(process.returncode or 0, out.decode(encoding), err.decode(encoding))


async def start(*arguments: str, port: int = 0, **environment: str) -> asyncio.subprocess.Process:
    """Start one command; its standard input is no terminal."""
    adb = {"ANDROID_ADB_SERVER_PORT": str(port)} if port else {}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heed", *arguments),
        env={**os.environ, **adb, **environment},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def monitors() -> bool:
    """Whether a daemon of this test's home monitors a phone."""
    if not control.is_running():
        return False
    statuses = await control.call(StatusRequest())
    return isinstance(statuses, list) and any(
        isinstance(one, dict) and one["state"] == MonitoringState.MONITORED for one in statuses
    )


def write_config(home: Path, text: str) -> Path:
    """The configuration file of the test's heed home."""
    path = home / "config" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    return path


def says_one_sentence(ended: Ended) -> bool:
    """Whether a failure is told as one line for people, without a traceback."""
    lines = [line for line in ended.err.splitlines() if line.startswith("heed: ")]
    return len(lines) == 1 and "Traceback" not in ended.err
