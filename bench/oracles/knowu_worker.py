"""KnowU-Bench's proactive templates and its controller, asked in lines of JSON.

Runs in the environment of the oracles and imports nothing of heed. It takes from its environment ``KNOWU`` (the folder
of the package ``knowu_bench``), ``ANDROID_SERIAL`` and ``ANDROID_ADB_SERVER_PORT``; ``adb`` is on its ``PATH``.

Requests, each with its answer:
    ``{"do": "names"}``: the templates.
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
from typing import Any

sys.path.insert(0, os.environ["KNOWU"])

import knowu_bench.tasks.definitions.routine as templates
from knowu_bench.runtime.app_helpers import system
from knowu_bench.runtime.controller import AndroidController
from knowu_bench.tasks.base import BaseTask
from loguru import logger

logger.remove()
_REST = 0.02
"""Seconds: their waits are for an emulator's pictures to settle."""


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
        self._commands = HostCommands()
        self._controller = AndroidController(os.environ["ANDROID_SERIAL"])
        self._templates = _template_classes()
        self._folder = tempfile.mkdtemp(prefix="knowu-", dir=os.environ["HOME"])

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one request."""
        self._commands.count, self._commands.failed = 0, []
        answer: dict[str, Any] = {"error": ""}
        try:
            answer |= getattr(self, f"_{request.pop('do')}")(**request)
        except Exception as error:  # noqa: BLE001 - whatever their code raises is the answer
            answer["error"] = f"{type(error).__name__}: {str(error)[:300]}"
        return answer | {"commands": self._commands.count, "failed": self._commands.failed}

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
