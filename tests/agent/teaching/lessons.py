"""Teaches an example on one phone, and plays it on another."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from agent.teaching.slots import with_slots
from agent.teaching.steps import learn
from android_bridge.device import Device
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import Outcome
from executors.steps.vocabulary import STEPS
from executors.taught.pool import known_executors, known_pool
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from executors.wording import describe_outcome
from function_pool.call import FunctionCall
from function_pool.taught import PREFIX
from heed.language import Language
from tests.agent.teaching.examples import Example
from tests.agent.teaching.person import Person
from tests.executors.acting import QUICK, WatchedPhone, difference, flatten
from tests.phones import START
from virtual_phone import PhoneState

_OF_ITS_OWN = ("apps.", "log", "clock", "keyboard", "display", "identity", "notifications")
"""Parts of the phone that any use changes, or that a change sets."""
_RUNNING = ("next_", "ends", "left", "due", "time")
"""Numbers and times that go on by themselves."""
_SECONDS = 1.5
"""Deadline of each wait of a played step: the virtual phone is quick."""


def new_phone() -> WatchedPhone:
    """The standard phone; its clock stands still."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    return WatchedPhone(state)


async def taught(example: Example, phone: WatchedPhone, device: Device) -> TaughtTask:
    """The task that comes of the example."""
    recording = await Person(phone, example.deeds).teach(device, example.app)
    steps = with_slots(learn(recording).steps, example.slots)
    slots = dict.fromkeys(example.slots.values(), "")
    return TaughtTask(
        name=example.name, app=example.app, languages=(recording.language,), taught=START, slots=slots, steps=steps
    )


class Played(NamedTuple):
    """What came of playing a task."""

    outcome: Outcome
    changed: Mapping[str, tuple[Any, Any]]
    """What is otherwise on the phone, by its path: data and settings."""
    visited: frozenset[str]
    """The pages that are open."""

    @property
    def told(self) -> str:
        return describe_outcome(self.outcome, Language.EN)

    @property
    def stopped(self) -> bool:
        """Whether it stopped on its way, and said so."""
        return not self.outcome.ok or "Stopped at step" in self.told

    def stays_within(self, other: "Played") -> bool:
        """Whether it did nothing that the other one did not do."""
        return self.changed.items() <= other.changed.items() and self.visited <= other.visited


async def played(example: Example, task: TaughtTask, folder: Path, phone: WatchedPhone, device: Device) -> Played:
    """What comes of a task with the example's values in its slots, after consent."""
    quick = STEPS.validate_python([step.model_copy(update={"seconds": _SECONDS}) for step in task.steps])
    TaughtTasks(folder).save(task.model_copy(update={"steps": quick}))
    config = ExecutorsConfig(taught_folder=folder)
    pool, executors = known_pool(config), known_executors(config)
    call = FunctionCall(name=f"{PREFIX}{task.name}", parameters=example.values)
    before = dict(_data(phone.state))
    plan = await runner.prepare(executors, device, pool, [call], START)
    (outcome,) = await runner.execute(executors, device, plan, lambda _: None, timing=QUICK)
    return Played(outcome, difference(before, dict(_data(phone.state))), frozenset(_pages(phone.state, example.app)))


def _data(state: PhoneState) -> Iterator[tuple[str, Any]]:
    for path, value in flatten(state.to_json()):
        if not path.startswith(_OF_ITS_OWN) and not path.rpartition(".")[2].startswith(_RUNNING):
            yield path, value


def _pages(state: PhoneState, app: str) -> Iterator[str]:
    for task in state.apps.tasks:
        for activity in task.activities if task.affinity == app else ():
            yield f"{activity.screen} {sorted(activity.intent.extras.items())} {activity.intent.data}"
