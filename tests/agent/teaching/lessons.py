"""Teaches an example on one phone, and plays it on another."""

from datetime import datetime
from pathlib import Path

from agent.teaching.slots import with_slots
from agent.teaching.steps import learn
from android_bridge.device import Device
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import Outcome
from executors.taught.pool import known_executors, known_pool
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from function_pool.call import FunctionCall
from function_pool.taught import PREFIX
from tests.agent.teaching.examples import Example
from tests.agent.teaching.person import Person
from tests.executors.acting import QUICK
from tests.phones import START
from virtual_phone import PhoneState, VirtualPhone


def new_phone(example: Example) -> VirtualPhone:
    """A phone on which the example can be done."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    example.has(state)
    return VirtualPhone(state)


async def taught(example: Example, phone: VirtualPhone, device: Device, at: datetime = START) -> TaughtTask:
    """The task that comes of the example."""
    recording = await Person(phone, example.deeds).teach(device, example.app)
    steps = with_slots(learn(recording).steps, example.slots)
    slots = dict.fromkeys(example.slots.values(), "")
    languages = (recording.language,)
    return TaughtTask(name=example.name, app=example.app, languages=languages, taught=at, slots=slots, steps=steps)


async def played(task: TaughtTask, folder: Path, device: Device, values: dict[str, str]) -> Outcome:
    """What comes of playing a task with values in its slots, after consent."""
    TaughtTasks(folder).save(task)
    config = ExecutorsConfig(taught_folder=folder)
    pool, executors = known_pool(config), known_executors(config)
    call = FunctionCall(name=f"{PREFIX}{task.name}", parameters=values)
    plan = await runner.prepare(executors, device, pool, [call], START)
    (outcome,) = await runner.execute(executors, device, plan, lambda _: None, timing=QUICK)
    return outcome
