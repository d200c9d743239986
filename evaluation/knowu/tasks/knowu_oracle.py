"""KnowU-Bench's own code, asked in lines of JSON: its tasks, its proactive templates and its controller.

Runs in an environment with the packages that KnowU-Bench imports, and imports nothing of heed. It takes from its
environment ``KNOWU`` (the folder of the package ``knowu_bench``), ``ANDROID_SERIAL``, ``ANDROID_ADB_SERVER_PORT``,
``ARTIFACTS_ROOT`` (where KnowU-Bench writes) and, for its judge, ``USER_AGENT_BASE_URL``, ``USER_AGENT_MODEL`` and
``USER_AGENT_API_KEY``; ``adb`` is on its ``PATH``.

Requests, each with its answer:
    ``{"do": "tasks", "log": "clean"|"noise"}``: the general and the personalised tasks.
    ``{"do": "prepare", "task": NAME}``: initialise a task; what its simulated user knows.
    ``{"do": "check", "answer": TEXT, "chat": [MESSAGE, ...]}``: its checker's score, given what was said to the user.
    ``{"do": "tear_down"}``: tear down the task that was prepared last.
    ``{"do": "names"}``: the proactive templates.
    ``{"do": "run", "task": NAME, "persona": NAME}``: initialise, score without any action, and tear down.
    ``{"do": "control"}``: what its controller does to a phone.
Every answer has ``error`` (empty where all went well), the number of adb ``commands``, and those that ``failed``.
"""

import contextlib
import importlib
import inspect
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, os.environ.get("KNOWU", "."))

import knowu_bench.tasks.definitions.routine as templates
from knowu_bench.runtime.app_helpers import system
from knowu_bench.runtime.controller import APP_LOWER_DICT, AndroidController
from knowu_bench.runtime.utils import user_log_context
from knowu_bench.tasks.base import BaseTask
from knowu_bench.tasks.registry import TaskRegistry
from loguru import logger
from openai.resources.chat.completions import Completions

logger.remove()
_REST = 0.02
"""Seconds: their waits are for an emulator's pictures to settle."""
_KINDS = {"general": "general", "preference": "personalised"}
"""The folder of a task's definition, and what the task is called."""


class HostCommands:
    """Counts the adb commands that their code starts; what it asks of other services (docker) is not the phone's."""

    def __init__(self) -> None:
        self.count = 0
        self.failed: list[str] = []
        self._run = subprocess.run
        subprocess.run = self.run  # type: ignore[assignment]

    def run(self, command: Any, *args: Any, **options: Any) -> Any:
        """In the place of ``subprocess.run``."""
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)  # adb shell would read the requests
        done = self._run(command, *args, **options)
        line = command if isinstance(command, str) else " ".join(map(str, command))
        self.count += line.startswith("adb ")
        if done.returncode and line.startswith("adb "):
            self.failed.append(f"{line[:300]} -> {done.returncode} {str(done.stderr)[:200].strip()}")
        return done


class Complaints:
    """The warnings and errors that their code logs during a request."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        logger.add(lambda line: self.lines.append(str(line).strip()[:300]), level="WARNING", format="{message}")


class JudgeCalls:
    """Counts what their code asks its judge. Without a judge every verdict is 0; with one, failures are noted.

    Their code takes 0.5 for a judge that fails.
    """

    def __init__(self) -> None:
        self.count = 0
        self.faults: list[str] = []
        self._create = Completions.create
        judge = self

        def create(completions: Any, *args: Any, **options: Any) -> Any:
            return judge.create(completions, *args, **options)

        Completions.create = create

    def create(self, completions: Any, *args: Any, **options: Any) -> Any:
        """In the place of ``Completions.create``."""
        self.count += 1
        if not os.environ.get("USER_AGENT_BASE_URL"):
            return _verdict("<think>There is no judge.</think><score>0</score>")
        try:
            return self._create(completions, *args, **options)
        except Exception as error:
            self.faults.append(f"{type(error).__name__}: {str(error)[:200]}")
            raise


def _verdict(text: str) -> SimpleNamespace:
    return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=text))])


def _kind(task: Any) -> str:
    folder = type(task).__module__.split(".")[-2]
    return _KINDS.get(folder, "")


def _describe(task: Any) -> dict[str, Any]:
    profile = (getattr(task, "_params", None) or {}).get("profile_path", "")
    request = str(getattr(task, "GOAL_REQUEST", "") or "").strip()
    return {
        "name": task.name,
        "kind": _kind(task),
        "request": request or task.goal.rpartition("### USER INSTRUCTION")[2].strip(),
        "apps": {name: APP_LOWER_DICT.get(name.lower(), "") for name in sorted(task.app_names)},
        "profile": profile or None,
        "log": user_log_context.resolve_user_log_path({}, profile_path=profile) if profile else None,
    }


def _template_classes() -> dict[str, type]:
    found: dict[str, type] = {}
    for entry in pkgutil.iter_modules(templates.__path__):
        module = importlib.import_module(f"{templates.__name__}.{entry.name}")
        for name, kind in inspect.getmembers(module, inspect.isclass):
            own = kind.__module__ == module.__name__ and not name.startswith("Base")
            if own and issubclass(kind, BaseTask) and not inspect.isabstract(kind):
                found[name] = kind
    return found


class Oracle:
    """The templates, and one controller."""

    def __init__(self) -> None:
        self._commands, self._judge, self._complaints = HostCommands(), JudgeCalls(), Complaints()
        self._tasks_by_name: dict[str, Any] = {}
        self._task: Any = None
        self._controller = AndroidController(os.environ["ANDROID_SERIAL"])
        self._templates = _template_classes()
        self._folder = tempfile.mkdtemp(prefix="knowu-", dir=os.environ["HOME"])

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one request."""
        self._commands.count, self._commands.failed = 0, []
        self._complaints.lines.clear()
        answer: dict[str, Any] = {"error": ""}
        try:
            answer |= getattr(self, f"_{request.pop('do')}")(**request)
        except Exception as error:  # noqa: BLE001 - whatever their code raises is the answer
            answer["error"] = f"{type(error).__name__}: {str(error)[:300]}"
        return answer | {"commands": self._commands.count, "failed": self._commands.failed}

    def _tasks(self, log: str) -> dict[str, Any]:
        user_log_context.set_user_log_config(source=log)
        self._tasks_by_name = {name: task for name, task in TaskRegistry().tasks.items() if _kind(task)}
        return {"tasks": [_describe(task) for task in self._tasks_by_name.values()]}

    def _prepare(self, task: str) -> dict[str, Any]:
        self._task = self._tasks_by_name[task]
        type(self._task).snapshot_tag = None  # the phone was restored already
        if self._task.initialize_task(self._controller) is False:
            raise RuntimeError(next(iter(self._complaints.lines), "it does not say why"))
        known = str(getattr(self._task, "relevant_information", ""))
        # Their user of a general task is told the goal too; the one of a personalised task has the persona.
        return {"information": f"{self._task.goal}\n{known}" if _kind(self._task) == "general" else known}

    def _check(self, answer: str, chat: list[dict[str, str]]) -> dict[str, Any]:
        self._judge.count, self._judge.faults = 0, []
        self._controller.interaction_cache = answer
        self._controller.user_agent_chat_history = chat
        result = self._task.is_successful(self._controller)
        score, reason = result if isinstance(result, tuple) else (result, "")
        return {
            "score": float(score),
            "reason": str(reason),
            "judged": self._judge.count,
            "judge_faults": self._judge.faults,
        }

    def _tear_down(self) -> dict[str, Any]:
        self._task.tear_down(self._controller)
        return {}

    def _names(self) -> dict[str, Any]:
        return {"names": sorted(self._templates)}

    def _run(self, task: str, persona: str) -> dict[str, Any]:
        profile = os.path.join(os.environ["KNOWU"], "knowu_bench", "user_profile", f"{persona}.yaml")  # noqa: PTH118
        template = self._templates[task]({"profile_path": profile, "profile_id": persona})
        self._give_document(template)
        if not template.initialize_task_hook(self._controller):
            raise RuntimeError("the initialiser gave up")
        template.initialized = True
        score = template.is_successful(self._controller, [])
        template.tear_down(self._controller)
        return {"score": float(score[0] if isinstance(score, tuple) else score), "said": str(score)}

    def _give_document(self, template: Any) -> None:
        """A stand-in for a document that the template copies to the phone, which the shared folder leaves out."""
        if hasattr(template, "doc_source_path") and not os.path.exists(template.doc_source_path):  # noqa: PTH110
            template.doc_source_path = os.path.join(self._folder, template.doc_name)  # noqa: PTH118
            with open(template.doc_source_path, "wb") as document:  # noqa: PTH123
                document.write(b"%PDF-1.4")

    def _control(self) -> dict[str, Any]:
        phone = self._controller
        with tempfile.TemporaryDirectory() as folder:
            steps = [
                phone.get_screenshot("screen", folder), phone.get_xml("screen", folder), phone.get_current_app(),
                phone.back(), phone.enter(), phone.home(), phone.app_switch(), phone.tap(540, 1200),
                phone.double_tap(540, 1200), phone.long_press(540, 1200), phone.swipe(540, 1200, "up"),
                phone.drag(540, 1200, 540, 900), phone.text("hello"), phone.launch_app("chrome"),
                phone.kill_package("com.android.chrome"), phone.simulate_sms("10086", "hello"),
                phone.set_geo_location(31.2, 121.5), phone.check_health(), phone.list_snapshots(),
                system.get_device_datetime(), system.get_contacts_via_adb(phone), system.get_sms_list_via_adb(phone),
                system.check_alarm_via_adb(phone, 7, 0), system.check_sms_via_adb(phone, "10086", "hello"),
                system.time_sync_to_now(), system.get_display_density(phone), system.get_font_scale(phone),
                system.set_flight_mode(phone, True), system.set_flight_mode(phone, False),
            ]  # fmt: skip
            file = os.path.join(folder, "note.txt")  # noqa: PTH118
            with open(file, "w", encoding="utf-8") as note:  # noqa: PTH123
                note.write("hello")
            steps += [
                phone.push_file(file, "/sdcard/Download/note.txt"),
                phone.refresh_media_scan("/sdcard/Download/note.txt"),
            ]
            steps += [
                phone.pull_file("/sdcard/Download/note.txt", file),
                phone.remove_file("/sdcard/Download/note.txt"),
            ]
        return {"steps": len(steps)}


def main() -> None:
    """Answer requests until standard input ends."""
    pause = time.sleep
    time.sleep = lambda seconds: pause(min(float(seconds), _REST))
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        oracle = Oracle()
        for line in sys.stdin:
            answers.write(json.dumps(oracle.answer(json.loads(line)), default=str) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
