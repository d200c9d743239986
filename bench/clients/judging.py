"""Runs a client's calls against a phone of its own, and compares each with the phone's state."""

import os
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import adbutils

from bench.clients.call import Call, Client, Failed
from bench.clients.environment import FOLDER, command
from bench.clients.evaluator import Evaluator
from virtual_phone import LocalAdbServer, PhoneState, RunningPhone

START = datetime(2026, 2, 6, 14, 0, tzinfo=UTC)


class Verdict(NamedTuple):
    """One call, whether it was right, and what came back."""

    code: str
    right: bool
    got: str


class Judge:
    """Runs the calls of one client, on a new phone, in new folders.

    Args:
        client: the client.
        server: a private adb server.
        program: what evaluates the calls; None is the client's own environment's.
    """

    def __init__(self, client: Client, server: LocalAdbServer, program: Sequence[str] | None = None) -> None:
        self._client, self._server = client, server
        self._program = program or command(client.language)

    def verdicts(self) -> list[Verdict]:
        """One for each call; of a client that does not start, the one on its start."""
        state = PhoneState.standard(START)
        with (
            tempfile.TemporaryDirectory(prefix="clients-", ignore_cleanup_errors=True) as name,
            RunningPhone(state, server=self._server, emulator=self._client.emulator) as phone,
        ):
            folder = Path(name)
            with (folder / "printed.txt").open("wb") as errors:
                environment = self._environment(folder, phone)
                where = FOLDER / "node" if self._client.language == "node" else folder
                with Evaluator(self._program, where, environment, errors) as evaluator:
                    return self._run(evaluator, phone, folder)

    def _run(self, evaluator: Evaluator, phone: RunningPhone, folder: Path) -> list[Verdict]:
        names = {
            "serial": phone.serial,
            "server_port": self._server.port,
            "phone_port": phone.phone.port,
            "adb": str(folder / "bin" / "adb"),
            "folder": str(folder),
        }
        evaluator.ask(names=names)
        key = "start" if self._client.language == "node" else "code"
        started = evaluator.ask(**{key: self._client.start})
        if isinstance(started, Failed):
            return [Verdict("the start", right=False, got=started)]
        verdicts = [judged(call, evaluator, phone) for call in self._client.calls]
        if self._client.end:
            evaluator.ask(code=self._client.end)
        return verdicts

    def _environment(self, folder: Path, phone: RunningPhone) -> dict[str, str]:
        (folder / "bin").mkdir()
        (folder / "bin" / "adb").symlink_to(adbutils.adb_path())
        return {
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "LANG": "C.UTF-8",
            "ANDROID_ADB_SERVER_PORT": str(self._server.port),
            "ANDROID_SERIAL": phone.serial,
            **self._client.variables,
        }


def judged(call: Call, evaluator: Evaluator, phone: RunningPhone) -> Verdict:
    """The verdict on one call."""
    code = call.code
    if call.before is not None:
        phone.do(call.before)
    if call.where:
        x, y = phone.call(phone.phone.screen.find, call.where) or (0, 0)
        code = code.replace("X, Y", f"{x}, {y}")
    got = evaluator.ask(code=code)
    return Verdict(code, phone.call(_holds, call, got, phone), f"{'error: ' if isinstance(got, Failed) else ''}{got}")


def _holds(call: Call, got: Any, phone: RunningPhone) -> bool:
    try:
        return bool(call.right(got, phone.phone))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False  # the answer has another form than a right one
