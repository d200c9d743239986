"""Plays one task: heed gets the request as ``heed do`` does, a simulated user answers, KnowU-Bench judges."""

import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml
from pydantic import JsonValue

from agent.compose import compose
from agent.config import Config
from agent.demo.setup import demo_config
from agent.requests.handler import UnservedRequestError
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from evaluation.embeddings import SentenceEmbedder
from evaluation.knowu.tasks.benchmark import KnowuBenchmark, KnowuError, KnowuTask
from evaluation.knowu.tasks.memory import Memory
from evaluation.knowu.tasks.metrics import SUCCESS, Stage, TaskResult
from evaluation.knowu.tasks.owner import press_last_button
from evaluation.knowu.tasks.simulated_user import SimulatedUser
from evaluation.knowu.tasks.user_channel import UserChannel
from executors.config import ExecutorsConfig
from executors.plan import Outcome, OutcomeKind
from executors.wording import describe_outcome
from heed.errors import DeclinedError, DeviceError, PersonError
from heed.language import Language, language_of
from virtual_phone.scenario import Persona

log = logging.getLogger(__name__)

UserOf = Callable[[str], SimulatedUser]
"""The simulated user who knows some information."""


class TaskSettings(NamedTuple):
    """How tasks are played.

    Attributes:
        memory: what heed remembers of the persona.
        with_profile: whether heed has the persona's profile; KnowU-Bench shows it to no agent.
        embedder: chooses the nearest entries.
        user_of: makes the simulated user of a task.
    """

    memory: Memory
    with_profile: bool
    embedder: SentenceEmbedder
    user_of: UserOf


class _Carried(NamedTuple):
    """What heed did on a request."""

    stage: Stage
    reason: str = ""
    outcomes: tuple[Outcome, ...] = ()
    functions: tuple[str, ...] = ()


async def play(benchmark: KnowuBenchmark, server: AdbServer, task: KnowuTask, settings: TaskSettings) -> TaskResult:
    """Prepare the phone for a task, carry out its request, and ask KnowU-Bench's checker."""
    result = TaskResult(
        name=task.name, kind=task.kind, request=task.request, lacking=benchmark.lacking(task), stage=Stage.NOT_PREPARED
    )
    try:
        information = await benchmark.prepare(task)
    except KnowuError as error:
        return result.model_copy(update={"reason": str(error)})
    channel = UserChannel(settings.user_of(information))
    carried = await _carry_out(benchmark, server, task, settings, channel)
    pressed = await _finish(benchmark, carried.outcomes)
    result = result.model_copy(
        update={
            "stage": carried.stage,
            "reason": channel.fault or carried.reason,
            "functions": carried.functions,
            "questions": channel.questions,
            "consents": channel.consents,
            "pressed": pressed,
            "chat": tuple(channel.chat),
        }
    )
    return await _judged(benchmark, result, _told(carried.outcomes, language_of(task.request)))


async def _judged(benchmark: KnowuBenchmark, result: TaskResult, told: str) -> TaskResult:
    try:
        verdict = await benchmark.check(told, result.chat)
        await benchmark.tear_down()
    except KnowuError as error:
        return result.model_copy(update={"stage": Stage.NOT_JUDGED, "reason": str(error)})
    found: dict[str, object] = {"score": verdict.score, "judged": verdict.judged, "judge_faults": verdict.judge_faults}
    if verdict.score > SUCCESS:
        found |= {"stage": Stage.SOLVED, "reason": ""}
    elif result.stage is Stage.NOT_ACCEPTED:
        found["reason"] = verdict.reason
    return result.model_copy(update=found)


async def _carry_out(
    benchmark: KnowuBenchmark, server: AdbServer, task: KnowuTask, settings: TaskSettings, channel: UserChannel
) -> _Carried:
    """Everything that ``heed do`` does with the request; what stops it is the result."""
    with tempfile.TemporaryDirectory(prefix="heed-knowu-") as folder:
        config = await _config(
            Path(folder), BridgeConfig(port=server.port, serial=benchmark.device.serial), task, settings
        )
        try:
            async with compose(config) as runtime:
                identity = await runtime.identify(benchmark.device.serial)
                agent = runtime.phone(benchmark.device.serial, identity, channels=[channel]).agent
                outcomes = await agent.carry_out_request(task.request)
                actions = [action for entry in agent.stores.journal.timeline() for action in entry.actions]
                functions = tuple(action.step.call.name for action in reversed(actions))
        except UnservedRequestError as error:
            return _Carried(Stage.NO_FUNCTION, str(error.message))
        except DeclinedError as error:
            return _Carried(Stage.OPEN_QUESTION, str(error.message))
        except PersonError as error:
            return _Carried(Stage.REFUSED, str(error.message))
        except Exception as error:
            log.exception("the task %s was not carried out", task.name)
            return _Carried(Stage.FAULT, f"{type(error).__name__}: {error}")
    return _of_outcomes(outcomes, functions)


def _of_outcomes(outcomes: tuple[Outcome, ...], functions: tuple[str, ...]) -> _Carried:
    if not outcomes:
        return _Carried(Stage.DECLINED, "The simulated user did not allow it.")
    bad = next((outcome for outcome in outcomes if not outcome.ok), None)
    if bad is not None:
        return _Carried(Stage.FAILED, f"{bad.kind}: {bad.message}", outcomes, functions)
    return _Carried(Stage.NOT_ACCEPTED, "", outcomes, functions)


async def _config(home: Path, bridge: BridgeConfig, task: KnowuTask, settings: TaskSettings) -> Config:
    """A configuration whose files lie in ``home``: an owner with the persona's log and, if wanted, profile."""
    behaviour = home / "behaviour.jsonl"
    if task.log is not None:
        await settings.memory.write(task.log, task.request, settings.embedder, behaviour)
    profile = _profile(task.profile) if task.profile is not None and settings.with_profile else {}
    persona = Persona(profile=dict(profile), behaviour=str(behaviour))
    executors = ExecutorsConfig(
        ledger=home / "ledger.jsonl",
        reminders=home / "reminders.jsonl",
        recipe_folder=home / "recipes",
        taught_folder=home / "taught",
    )
    made = demo_config(home, bridge, language_of(task.request), persona)
    return made.model_copy(update={"executors": executors})


def _profile(file: Path) -> Mapping[str, JsonValue]:
    found: Mapping[str, JsonValue] = yaml.safe_load(file.read_text("utf-8"))["user_profile"]
    return found


async def _finish(benchmark: KnowuBenchmark, outcomes: Sequence[Outcome]) -> str:
    """The label of the button that the owner pressed, after heed handed a page over."""
    if not any(outcome.kind is OutcomeKind.HANDED_OVER for outcome in outcomes):
        return ""
    try:
        return await press_last_button(benchmark.device)
    except DeviceError:
        log.warning("the page that was handed over cannot be read", exc_info=True)
        return ""


def _told(outcomes: Sequence[Outcome], language: Language) -> str:
    """What heed told the owner at the end: its answer, in KnowU-Bench's terms."""
    return " ".join(describe_outcome(outcome, language) for outcome in outcomes)
