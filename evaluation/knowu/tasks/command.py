"""Runs KnowU-Bench's tasks for ``heed eval knowu --tasks``."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from enum import StrEnum
from pathlib import Path

from rich.progress import Progress

from agent.config import load
from agent.demo.setup import private_adb_server
from evaluation.embeddings import EncoderEmbedder
from evaluation.knowu.tasks.benchmark import KnowuTask, LogSource, knowu_benchmark
from evaluation.knowu.tasks.memory import Memory
from evaluation.knowu.tasks.metrics import TaskReport, report
from evaluation.knowu.tasks.play import TaskSettings, UserOf, play
from evaluation.knowu.tasks.simulated_user import ModelUser, ScriptedUser, simulator_config
from heed.errors import UsageError
from heed.model import Frozen
from heed.printing import errors
from models.config import OpenAIConfig
from models.openai.server import ModelServer


class TaskSelection(StrEnum):
    """Which tasks."""

    GENERAL = "general"
    PERSONALISED = "personalised"
    ALL = "all"


class TaskOptions(Frozen):
    """The options of the command; ``user`` and ``judge`` are an address and a model's name, empty for none."""

    folder: Path
    selection: TaskSelection
    names: tuple[str, ...]
    log: LogSource
    memory: str
    with_profile: bool
    user: tuple[str, str]
    judge: tuple[str, str]
    python: Path | None


async def run_tasks(options: TaskOptions) -> TaskReport:
    """Play the chosen tasks, one after another, and return the report; ``UsageError`` for options that do not fit."""
    memory, judge = Memory.parse(options.memory), _judge(options.judge)
    with tempfile.TemporaryDirectory(prefix="heed-knowu-") as home:
        async with AsyncExitStack() as stack:
            settings = TaskSettings(memory, options.with_profile, EncoderEmbedder.load(), _user_of(options.user, stack))
            server = await stack.enter_async_context(private_adb_server(Path(home)))
            python = options.python or Path(sys.executable)
            benchmark = await stack.enter_async_context(knowu_benchmark(python, options.folder, server, judge))
            tasks = _chosen(await benchmark.tasks(options.log), options)
            progress = stack.enter_context(Progress(console=errors, transient=True))
            results = [await play(benchmark, server, task, settings) for task in progress.track(tasks)]
    return report(results, _conditions(options))


def _chosen(tasks: Sequence[KnowuTask], options: TaskOptions) -> list[KnowuTask]:
    of_kind = [task for task in tasks if options.selection in (TaskSelection.ALL, task.kind)]
    unknown = [name for name in options.names if not any(_is_named(task, name) for task in of_kind)]
    if unknown:
        raise UsageError(
            f"KnowU-Bench has no {options.selection} task {unknown[0]}.", "The report of a run names all tasks."
        )
    return [task for task in of_kind if not options.names or any(_is_named(task, name) for name in options.names)]


def _is_named(task: KnowuTask, name: str) -> bool:
    return name in (task.name, task.name.partition("@")[0])


def _judge(server: tuple[str, str]) -> OpenAIConfig | None:
    address, model = server
    return load().models.openai.model_copy(update={"base_url": address, "model": model}) if address else None


def _user_of(server: tuple[str, str], stack: AsyncExitStack) -> UserOf:
    address, model = server
    if not address:
        return ScriptedUser
    connection = ModelServer(simulator_config(load().models.openai, address, model))
    stack.push_async_callback(connection.close)
    return lambda information: ModelUser(connection, information)


def _conditions(options: TaskOptions) -> Mapping[str, str]:
    return {
        "user": _shown(options.user) or "scripted: allows what it asked for, and answers from the task's facts",
        "judge": _shown(options.judge) or "none: its part of a score is 0",
        "memory": f"{options.memory} ({options.log} log){', and the profile' if options.with_profile else ''}",
        "planning": "none: heed's reader of requests names the functions",
    }


def _shown(server: tuple[str, str]) -> str:
    address, model = server
    return f"{model or 'the model'} at {address}" if address else ""
