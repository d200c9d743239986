"""AndroidWorld judges heed's executors: it prepares the phone, heed carries out calls, and its checker decides."""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from bench.oracles.androidworld import AndroidWorld
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import Outcome, OutcomeKind
from executors.registry import load_executors
from executors.runner import VerifyTiming
from function_pool.call import FunctionCall
from function_pool.spec import default_pool

Params = Mapping[str, Any]
Found = Mapping[str, Any]
"""An entry of a structured answer (``Effect.detail["found"]``), such as an event's title, start, end and location."""
_CALENDAR = "com.simplemobiletools.calendar.pro"
"""AndroidWorld's owner keeps their events in it."""
_TIMING = VerifyTiming(deadline=5.0, interval=0.05, settle=0.0)


@dataclass(frozen=True)
class JudgedCase:
    """A task that functions of the pool can do.

    Attributes:
        task: its name in AndroidWorld's registry.
        calls: from the task's parameters, the calls of somebody who read its goal.
        owner: resource names of the buttons that the owner presses, in this order, after a call was handed over.
        params: the task's parameters where its own random ones would not do.
        answer: from the parameters and what the calls found, the words that the goal asks for; None for no answer.
    """

    task: str
    calls: Callable[[Params], list[FunctionCall]]
    owner: tuple[str, ...] = ()
    params: Params | None = None
    answer: Callable[[Params, Sequence[Found]], str] | None = None


class Judgement(NamedTuple):
    """One case with the checker's scores and the calls' outcomes."""

    case: JudgedCase
    calls: tuple[FunctionCall, ...] = ()
    before: float = 0.0
    after: float = 0.0
    outcomes: tuple[Outcome, ...] = ()
    error: str = ""

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that were called."""
        return tuple(call.name for call in self.calls)

    @property
    def said(self) -> str:
        """What the calls' outcomes say."""
        return "; ".join(f"{outcome.kind} {outcome.message}".strip() for outcome in self.outcomes)

    @property
    def right(self) -> bool:
        """Whether the checker accepts the phone after the calls."""
        return not self.error and self.after == 1.0


async def judge(world: AndroidWorld, case: JudgedCase) -> Judgement:
    """Prepare the phone for one case, carry out its calls, and ask the checker before and after."""
    prepared = await world.initialize(case.task, params=None if case.params is None else dict(case.params))
    if prepared["error"]:
        return Judgement(case, error=prepared["error"])
    before = await world.check()
    calls = tuple(case.calls(prepared["params"]))
    outcomes = await _carry_out(world.device, calls)
    if any(outcome.kind is OutcomeKind.HANDED_OVER for outcome in outcomes):
        for button in case.owner:
            await _press(world.device, button)
    answer = case.answer(prepared["params"], _found(outcomes)) if case.answer else ""
    after = await world.check(answer)
    error = before["error"] or after["error"]
    return Judgement(case, calls, before.get("score", 0.0), after.get("score", 0.0), outcomes, error)


def _found(outcomes: Sequence[Outcome]) -> list[Found]:
    """What the calls told as structured entries."""
    details = [effect.detail.get("found") for outcome in outcomes for effect in outcome.told]
    return [entry for entries in details if isinstance(entries, list) for entry in entries if isinstance(entry, dict)]


async def _carry_out(device: Device, calls: Sequence[FunctionCall]) -> tuple[Outcome, ...]:
    """What heed does once the owner consents: prepare, perform, verify."""
    with tempfile.TemporaryDirectory() as folder:
        config = ExecutorsConfig(
            ledger=Path(folder, "ledger.jsonl"), reminders=Path(folder, "reminders.jsonl"), calendar_app=_CALENDAR
        )
        executors = load_executors(config)
        now = await device.read(CLOCK)
        plan = await runner.prepare(executors, device, default_pool(), calls, now)
        return await runner.execute(executors, device, plan, lambda event: None, timing=_TIMING)


async def _press(device: Device, resource: str) -> None:
    """The owner presses a button of the page that is open."""
    await device.shell("uiautomator dump /data/local/tmp/judged.xml")
    dump = await device.shell("cat /data/local/tmp/judged.xml")
    for node in ElementTree.fromstring(dump.stdout).iter("node"):
        if node.get("resource-id", "").endswith(f"/{resource}"):
            left, top, right, bottom = map(int, re.findall(r"\d+", node.get("bounds", "")))
            await device.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")
