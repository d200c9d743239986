"""KnowU-Bench's proactive templates and its controller on the virtual phone, run by KnowU-Bench's own code."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from android_bridge.adb import AdbServer
from bench.oracles.androidworld import TaskRun
from bench.oracles.environment import ORACLES, shared_oracle
from evaluation.knowu.tasks.benchmark import PHONE, knowu_process
from evaluation.oracle_process import OracleProcess
from tests.phones import connected_device
from virtual_phone import Scenario, VirtualPhone
from virtual_phone.state.phone_state import Snapshot

PERSONAS = ("developer", "user")
CONTROLLER = "AndroidController"


class KnowU:
    """KnowU-Bench's code, at work on a phone; before each template the phone is as at the start."""

    def __init__(self, oracle: OracleProcess, phone: VirtualPhone, start: Snapshot) -> None:
        self._oracle, self._phone, self._start = oracle, phone, start

    async def names(self) -> list[str]:
        """The proactive templates."""
        answer = await self._oracle.ask(do="names")
        return list(answer["names"])

    async def run(self, template: str, persona: str) -> TaskRun:
        """Initialise a template for a persona, score it without any action, and tear it down."""
        return await self._ask(f"{template}, {persona}", do="run", task=template, persona=persona)

    async def control(self) -> TaskRun:
        """Everything that its controller and its helpers do to a phone."""
        return (await self._ask(CONTROLLER, do="control"))._replace(score=1.0)

    async def _ask(self, shown: str, **request: Any) -> TaskRun:
        self._phone.state.restore(self._start)
        answer = await self._oracle.ask(**request)
        score = None if answer["error"] else answer.get("score")
        return TaskRun(shown, score, answer["commands"], answer["failed"], answer["error"])


@asynccontextmanager
async def knowu(server: AdbServer) -> AsyncIterator[KnowU]:
    """KnowU-Bench at work on a phone of its own, while in the block.

    Raises:
        OracleMissingError: its code is missing.
    """
    folder = shared_oracle("knowu/src", "knowu_bench")
    interpreter = await asyncio.to_thread(ORACLES.python)
    state = Scenario.load(PHONE).new_state()
    phone = VirtualPhone(state)
    async with (
        connected_device(phone, server, emulated=True) as device,
        knowu_process(interpreter, folder, server, device.serial) as oracle,
    ):
        yield KnowU(oracle, phone, state.snapshot())


def table(runs: Sequence[TaskRun]) -> list[str]:
    """Counts, and a line for each run with an error or a failing command."""
    templates = [run for run in runs if run.task != CONTROLLER]
    lines = [
        f"{'templates that initialise and score without a failing command':64} "
        f"{sum(run.clean for run in templates)} of {len(templates)}",
        f"{'adb commands':64} {sum(run.commands for run in runs)}",
        f"{'failing adb commands':64} {sum(len(run.failed) for run in runs)}",
    ]
    for run in runs:
        if not run.clean:
            lines += [f"  {run.task}: {run.error or 'a command failed'}", *(f"    {line}" for line in run.failed[:6])]
    return lines
