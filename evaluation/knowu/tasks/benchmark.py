"""KnowU-Bench at work on a virtual phone: its own code prepares the phone for a task and judges what was done."""

import os
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from adbutils import adb_path
from pydantic import TypeAdapter

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from evaluation.oracle_process import OracleEndedError, OracleProcess, running_oracle
from heed.errors import PersonError, UsageError
from heed.model import Frozen
from models.config import OpenAIConfig
from virtual_phone import Scenario, VirtualPhone
from virtual_phone.state.phone_state import Snapshot

PHONE = Path(__file__).with_name("phone.yaml")
_SCRIPT = Path(__file__).with_name("knowu_oracle.py")
_PACKAGES = "openai, loguru, pyyaml, requests, imagehash, psycopg2-binary, python-dotenv, pytz, xmltodict, lxml"
"""What KnowU-Bench imports."""

TaskKind = Literal["general", "personalised"]
LogSource = Literal["clean", "noise"]


class KnowuTask(Frozen):
    """One task.

    Attributes:
        name: in KnowU-Bench; a personalised one ends with ``@PERSONA``.
        request: the user's words, as KnowU-Bench shows them to an agent.
        apps: the apps that its author expects to be used, with their packages; empty where KnowU-Bench names none.
        profile: the persona's profile; None for a general task.
        log: the persona's behaviour log; None for a general task.
    """

    name: str
    kind: TaskKind
    request: str
    apps: Mapping[str, str]
    profile: Path | None
    log: Path | None


class KnowuVerdict(Frozen):
    """What KnowU-Bench's checker says.

    Attributes:
        score: 0 to 1, the rule part and the judge's part as the task weighs them.
        judged: how often its judge was asked for this score; without a judge each verdict is 0.
        judge_faults: why the judge did not answer; KnowU-Bench takes 0.5 for such a verdict.
    """

    score: float
    reason: str
    judged: int
    judge_faults: tuple[str, ...] = ()


class KnowuError(Exception):
    """What KnowU-Bench's code raised."""


_TASKS = TypeAdapter(tuple[KnowuTask, ...])


class KnowuBenchmark:
    """KnowU-Bench's code, at work on a phone; before each task the phone is as at the start.

    Args:
        oracle: the process that runs its code.
        phone: the virtual phone.
        device: the same phone, as the adb server sees it.
        start: the phone's state before any task.
    """

    def __init__(self, oracle: OracleProcess, phone: VirtualPhone, device: Device, start: Snapshot) -> None:
        self._oracle, self._phone, self.device, self._start = oracle, phone, device, start

    async def tasks(self, log: LogSource = "clean") -> tuple[KnowuTask, ...]:
        """The general and the personalised tasks, one per persona that has the files."""
        answer = await self._ask(do="tasks", log=log)
        return _TASKS.validate_python(answer["tasks"])

    async def prepare(self, task: KnowuTask) -> str:
        """Restore the phone, initialise a task, and return what its simulated user knows; raises ``KnowuError``."""
        self._phone.state.restore(self._start)
        return str((await self._ask(do="prepare", task=task.name))["information"])

    async def check(self, answer: str, chat: Sequence[Mapping[str, str]]) -> KnowuVerdict:
        """The checker's verdict on the phone, and on what was said; raises ``KnowuError``.

        Args:
            answer: what heed told the user at the end.
            chat: the questions (role ``user``) and the replies of the simulated user (role ``assistant``).
        """
        found = await self._ask(do="check", answer=answer, chat=list(chat))
        return KnowuVerdict.model_validate({name: found[name] for name in KnowuVerdict.model_fields})

    async def tear_down(self) -> None:
        """Tear the task down; raises ``KnowuError``."""
        await self._ask(do="tear_down")

    def lacking(self, task: KnowuTask) -> tuple[str, ...]:
        """Those of a task's apps that are not on the phone, by label or by package."""
        packages = [app.package for app in self._phone.state.apps.packages]
        known = {*packages, *(self._phone.state.apps.label(package).casefold() for package in packages)}
        return tuple(name for name, package in task.apps.items() if not {package, name.casefold()} & known)

    async def _ask(self, **request: Any) -> dict[str, Any]:
        try:
            answer = await self._oracle.ask(**request)
        except (OracleEndedError, TimeoutError) as error:
            raise PersonError(
                f"KnowU-Bench's process does not answer any more: {error or 'it takes too long'}.",
                "Run the other tasks with --task.",
            ) from error
        if answer["error"]:
            raise KnowuError(answer["error"])
        return answer


@asynccontextmanager
async def knowu_process(
    python: Path, folder: Path, server: AdbServer, serial: str, judge: OpenAIConfig | None = None
) -> AsyncIterator[OracleProcess]:
    """KnowU-Bench's code in a process of its own, with the phone at ``serial``, while in the block.

    Args:
        python: an interpreter with the packages that KnowU-Bench imports.
        folder: holds the package ``knowu_bench``.
        judge: the model that judges; None = every verdict of the judge is 0.
    """
    with tempfile.TemporaryDirectory(prefix="heed-knowu-") as home:
        programs = _with_adb(Path(home, "bin"))
        environment = {
            "KNOWU": str(folder),
            "ARTIFACTS_ROOT": str(Path(home, "artifacts")),
            "PATH": os.pathsep.join((str(programs), os.environ["PATH"])),
            "ANDROID_ADB_SERVER_PORT": str(server.port),
            "ANDROID_SERIAL": serial,
            "USER_AGENT_BASE_URL": judge.base_url if judge else "",
            "USER_AGENT_MODEL": judge.model if judge else "",
            "USER_AGENT_API_KEY": (judge.api_key.get_secret_value() if judge else "") or "none",
        }
        async with running_oracle(python, _SCRIPT, environment) as oracle:
            yield oracle


def _with_adb(folder: Path) -> Path:
    """A new folder of programs: their code runs adb by its name."""
    folder.mkdir()
    (folder / "adb").symlink_to(adb_path())
    return folder


@asynccontextmanager
async def knowu_benchmark(
    python: Path, folder: Path, server: AdbServer, judge: OpenAIConfig | None = None
) -> AsyncIterator[KnowuBenchmark]:
    """KnowU-Bench at work on a virtual phone of its own, while in the block; ``UsageError`` where it cannot start."""
    code = _code(folder)
    state = Scenario.load(PHONE).new_state()
    phone = VirtualPhone(state)
    async with (
        phone.emulated(server) as serial,
        knowu_process(python, code, server, serial, judge) as oracle,
    ):
        await _check_start(oracle, python)
        yield KnowuBenchmark(oracle, phone, Device(server, serial), state.snapshot())


def _code(folder: Path) -> Path:
    """The folder, absolute."""
    if not (folder / "knowu_bench" / "tasks").is_dir():
        raise UsageError(
            f"{folder} does not hold KnowU-Bench's code (the package knowu_bench).",
            "Clone ZJU-REAL/KnowU-Bench and name its folder src.",
        )
    return folder.resolve()


async def _check_start(oracle: OracleProcess, python: Path) -> None:
    try:
        await oracle.ask(do="names")
    except OracleEndedError as error:
        raise PersonError(
            f"KnowU-Bench's code does not start with {python}: {error}.",
            f"Name an interpreter with its packages by --python ({_PACKAGES}).",
        ) from error
