"""AndroidWorld's tasks on the virtual phone: their initialisers and checkers, run by AndroidWorld's own code."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from adbutils import adb_path

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from bench.oracles.environment import need_program, shared_oracle
from bench.oracles.worker import working
from evaluation.oracle_process import OracleProcess
from tests.phones import connected_device
from virtual_phone import PhoneState, Scenario, VirtualPhone
from virtual_phone.state.phone_state import Snapshot

HERE = Path(__file__).parent
SEED = 1


class TaskRun(NamedTuple):
    """How one task's initialiser, checker and tear-down went; its apps were opened, and nothing else was done."""

    task: str
    score: float | None
    commands: int
    failed: list[str]
    error: str

    @property
    def clean(self) -> bool:
        """Whether it ran without an error and without a failing command."""
        return not self.error and not self.failed and self.score is not None


class AndroidWorld:
    """AndroidWorld's code, at work on a phone; before each task the phone is as at the start."""

    def __init__(self, worker: OracleProcess, phone: VirtualPhone, device: Device, start: Snapshot) -> None:
        self._worker, self.phone, self.device, self._start = worker, phone, device, start

    async def names(self) -> list[str]:
        """The tasks of its registry."""
        answer = await self._worker.ask(do="names")
        return list(answer["names"])

    def begin(self) -> PhoneState:
        """Make the phone as at the start; its state."""
        self.phone.state.restore(self._start)
        return self.phone.state

    async def initialize(self, task: str, seed: int = SEED, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Prepare the phone for a task; the worker's answer."""
        self.begin()
        return await self._worker.ask(do="initialize", task=task, seed=seed, params=params)

    async def check(self, answer: str = "") -> dict[str, Any]:
        """The checker's answer: ``score`` between 0 and 1, or ``error``; ``answer`` is what was said to the owner."""
        return await self._worker.ask(do="check", answer=answer)

    async def run(self, task: str) -> TaskRun:
        """Initialise, open the task's apps as any agent would, check, and tear down."""
        answers = [await self.initialize(task)]
        if not answers[0]["error"]:
            answers += [await self._worker.ask(do="open_apps"), await self.check()]
            answers += [await self._worker.ask(do="tear_down")]
        return TaskRun(
            task=task,
            score=next((answer["score"] for answer in answers if "score" in answer), None),
            commands=sum(answer["commands"] for answer in answers),
            failed=[line for answer in answers for line in answer["failed"]],
            error=next((answer["error"] for answer in answers if answer["error"]), ""),
        )


@asynccontextmanager
async def androidworld(server: AdbServer) -> AsyncIterator[AndroidWorld]:
    """AndroidWorld at work on a phone of its own, while in the block.

    Raises:
        OracleMissingError: its code, or a program that it runs, is missing.
    """
    need_program("ffmpeg")  # it makes the tasks' sounds with it
    folder = shared_oracle("androidworld", "android_world")
    state = Scenario.load(HERE / "androidworld.yaml").new_state()
    phone = VirtualPhone(state)
    async with connected_device(phone, server, emulated=True) as device:
        environment = {
            "ANDROID_WORLD": str(folder),
            "ADB": adb_path(),
            "ANDROID_ADB_SERVER_PORT": str(server.port),
            "ANDROID_SERIAL": device.serial,
        }
        async with working(HERE / "androidworld_worker.py", environment) as worker:
            yield AndroidWorld(worker, phone, device, state.snapshot())


def table(runs: Sequence[TaskRun]) -> list[str]:
    """Counts, and a line for each task that did not run cleanly."""
    clean = sum(run.clean for run in runs)
    lines = [f"{'tasks that initialise and check without a failing command':60} {clean} of {len(runs)}"]
    lines.append(f"{'adb commands':60} {sum(run.commands for run in runs)}")
    lines.append(f"{'failing adb commands':60} {sum(len(run.failed) for run in runs)}")
    for run in runs:
        if not run.clean:
            lines += [f"  {run.task}: {run.error or 'no score'}", *(f"    {line}" for line in run.failed[:3])]
    return lines
