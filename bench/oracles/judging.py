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
from bench.oracles.lessons import lesson_of, teach_all
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import Outcome, OutcomeKind
from executors.runner import VerifyTiming
from executors.taught.pool import known_executors, known_pool
from executors.taught.tasks import TaughtTasks
from function_pool.call import FunctionCall

Params = Mapping[str, Any]
Found = Mapping[str, Any]
"""An entry of a structured answer (``Effect.detail["found"]``), such as an event's title, start, end and location."""
_CALENDAR = "com.simplemobiletools.calendar.pro"
"""AndroidWorld's owner keeps their events in it."""
_TIMING = VerifyTiming(deadline=5.0, interval=0.05, settle=0.0)


@dataclass(frozen=True)
class JudgedCase:
    """A task that functions of the pool and taught tasks can do.

    Attributes:
        task: its name in AndroidWorld's registry.
        calls: from the task's parameters, the calls of somebody who read its goal, which is the parameter ``goal``.
        owner: resource names of the buttons that the owner presses, in this order, after a call of a function of the
            pool was handed over; a taught task has its own (``lessons.Lesson.owner``).
        params: the task's parameters where its own random ones would not do.
        lessons: the names of the taught tasks that it calls; they are taught before the task begins.
        then: from the parameters and what the calls found, further calls; None for none.
        answer: from the parameters and what the calls found, the words that the goal asks for; None for no answer.
    """

    task: str
    calls: Callable[[Params], list[FunctionCall]]
    owner: tuple[str, ...] = ()
    params: Params | None = None
    then: Callable[[Params, Sequence[Found]], list[FunctionCall]] | None = None
    answer: Callable[[Params, Sequence[Found]], str] | None = None
    lessons: tuple[str, ...] = ()


class Judgement(NamedTuple):
    """One case with the checker's scores and the calls' outcomes."""

    case: JudgedCase
    calls: tuple[FunctionCall, ...] = ()
    before: float = 0.0
    after: float = 0.0
    outcomes: tuple[Outcome, ...] = ()
    pressed: int = 0
    """How many buttons the owner pressed."""
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


async def judge(world: AndroidWorld, case: JudgedCase, tasks: TaughtTasks) -> Judgement:
    """Prepare the phone for one case, carry out its calls, and ask the checker before and after.

    Args:
        world: AndroidWorld with its phone.
        case: the task and its calls.
        tasks: where taught tasks are kept.
    """
    params = None if case.params is None else dict(case.params)
    await teach_all(world, case.lessons, tasks)
    prepared = await world.initialize(case.task, params=params)
    if prepared["error"]:
        return Judgement(case, error=prepared["error"])
    known = {**prepared["params"], "goal": prepared["goal"]}
    before = await world.check()
    calls = list(case.calls(known))
    outcomes, pressed = await _carry_out_all(world.device, case, calls, tasks)
    if case.then:
        later = case.then(known, _found(outcomes))
        more, presses = await _carry_out_all(world.device, case, later, tasks)
        calls, outcomes, pressed = [*calls, *later], [*outcomes, *more], pressed + presses
    answer = case.answer(known, _found(outcomes)) if case.answer else ""
    after = await world.check(answer)
    error = before["error"] or after["error"]
    return Judgement(
        case, tuple(calls), before.get("score", 0.0), after.get("score", 0.0), tuple(outcomes), pressed, error
    )


def _found(outcomes: Sequence[Outcome]) -> list[Found]:
    """What the calls told as structured entries."""
    details = [effect.detail.get("found") for outcome in outcomes for effect in outcome.told]
    return [entry for entries in details if isinstance(entries, list) for entry in entries if isinstance(entry, dict)]


async def _carry_out_all(
    device: Device, case: JudgedCase, calls: Sequence[FunctionCall], tasks: TaughtTasks
) -> tuple[list[Outcome], int]:
    """The outcomes of calls, one after the other, and how many buttons the owner pressed after them."""
    outcomes, pressed = [], 0
    for call in calls:
        outcome = await _carry_out(device, call, tasks)
        outcomes.append(outcome)
        if outcome.kind is OutcomeKind.HANDED_OVER:
            lesson = lesson_of(call.name)
            pressed += await _press_all(device, lesson.owner if lesson else case.owner)
    return outcomes, pressed


async def _carry_out(device: Device, call: FunctionCall, tasks: TaughtTasks) -> Outcome:
    """What heed does once the owner consents: prepare, perform, verify."""
    with tempfile.TemporaryDirectory() as folder:
        config = ExecutorsConfig(
            ledger=Path(folder, "ledger.jsonl"),
            reminders=Path(folder, "reminders.jsonl"),
            calendar_app=_CALENDAR,
            taught_folder=tasks.folder,
        )
        executors = known_executors(config)
        now = await device.read(CLOCK)
        plan = await runner.prepare(executors, device, known_pool(config), [call], now)
        (outcome,) = await runner.execute(executors, device, plan, lambda event: None, timing=_TIMING)
    return outcome


async def _press_all(device: Device, buttons: Sequence[str]) -> int:
    """The owner presses buttons, one after the other; how many were there."""
    return sum([await _press(device, button) for button in buttons])


async def _press(device: Device, resource: str) -> bool:
    """The owner presses what has this resource name or text on the page that is open; False where nothing has."""
    await device.shell("uiautomator dump /data/local/tmp/judged.xml")
    dump = await device.shell("cat /data/local/tmp/judged.xml")
    for node in ElementTree.fromstring(dump.stdout).iter("node"):
        if node.get("resource-id", "").endswith(f"/{resource}") or node.get("text") == resource:
            left, top, right, bottom = map(int, re.findall(r"\d+", node.get("bounds", "")))
            await device.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")
            return True
    return False
