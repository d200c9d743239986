"""AndroidWorld's own initialisers and checkers, asked in lines of JSON.

Runs in the environment of the oracles and imports nothing of heed. It takes from its environment ``ANDROID_WORLD`` (the
folder of the package ``android_world``), ``ADB``, ``ANDROID_ADB_SERVER_PORT`` and ``ANDROID_SERIAL``.

Requests, each with its answer:
    ``{"do": "names"}``: the tasks of the registry.
    ``{"do": "initialize", "task": NAME, "seed": N, "params": {...} | null}``: goal, apps, parameters.
    ``{"do": "open_apps"}``: open the apps of the task that was initialised last.
    ``{"do": "check", "answer": WORDS}``, ``{"do": "tear_down"}``: of the task that was initialised last; the score is
    between 0 and 1, and ``answer`` is what was said to the owner.
Every answer has ``error`` (empty where all went well), the number of adb ``commands``, and those that ``failed``.
"""

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time
from typing import Any
from xml.etree import ElementTree

sys.path.insert(0, os.environ["ANDROID_WORLD"])

from absl import logging
from android_env.components import adb_call_parser, errors
from android_env.proto.a11y import android_accessibility_forest_pb2
from android_world import registry
from android_world.env import adb_utils, android_world_controller, interface, representation_utils

logging.set_verbosity(logging.FATAL)
_COMMAND_TIMEOUT = 60.0
"""Seconds."""
_REST = 0.02
"""Seconds: their waits are for an emulator's pictures to settle."""


class RecordingAdb:
    """Runs adb in the place of android_env's ``AdbController``, which restarts the server when a command fails."""

    def __init__(self) -> None:
        server = ["-P", os.environ["ANDROID_ADB_SERVER_PORT"], "-s", os.environ["ANDROID_SERIAL"]]
        self._prefix = [os.environ["ADB"], *server]
        self.commands = 0
        self.failed: list[str] = []

    def execute_command(self, args: list[str], timeout: float | None = None, device_specific: bool = True) -> bytes:
        """The output of one adb command; ``AdbControllerError`` when it fails."""
        done = subprocess.run(
            [*self._prefix, *args],
            stdin=subprocess.DEVNULL,  # adb shell would read the requests
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout or _COMMAND_TIMEOUT,
            check=False,
        )
        self.commands += 1
        if done.returncode:
            shown = done.stdout[:300].decode(errors="replace").strip()
            self.failed.append(f"{' '.join(map(str, args))[:200]} -> {done.returncode} {shown}")
            raise errors.AdbControllerError(self.failed[-1])
        return done.stdout


class BareEnvironment:
    """What AndroidWorld uses of android_env: adb calls, and no emulator around them."""

    def __init__(self, adb: RecordingAdb) -> None:
        self._parser = adb_call_parser.AdbCallParser(adb)

    def execute_adb_call(self, call: Any) -> Any:
        """Run one call."""
        return self._parser.parse(call)


class Oracle:
    """The registry, and the task that is under way."""

    def __init__(self) -> None:
        self._adb = RecordingAdb()
        method = android_world_controller.A11yMethod.UIAUTOMATOR
        controller = android_world_controller.AndroidWorldController(BareEnvironment(self._adb), a11y_method=method)
        self._env = interface.AsyncAndroidEnv(controller)
        self._env.get_state = self._state
        self._tasks = registry.TaskRegistry().get_registry("android_world")
        self._task: Any = None

    def _state(self, wait_to_stabilize: bool = False) -> Any:
        dump = adb_utils.uiautomator_dump(self._env.controller)
        elements = representation_utils.xml_dump_to_ui_elements(dump)
        return interface.State(pixels=None, forest=_forest(dump), ui_elements=elements)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one request."""
        self._adb.commands, self._adb.failed = 0, []
        answer: dict[str, Any] = {"error": ""}
        try:
            answer |= getattr(self, f"_{request.pop('do')}")(**request)
        except Exception as error:  # noqa: BLE001 - whatever their code raises is the answer
            answer["error"] = f"{type(error).__name__}: {str(error)[:300]}"
        return answer | {"commands": self._adb.commands, "failed": self._adb.failed}

    def _names(self) -> dict[str, Any]:
        return {"names": list(self._tasks)}

    def _initialize(self, task: str, seed: int, params: dict[str, Any] | None) -> dict[str, Any]:
        random.seed(seed)
        kind = self._tasks[task]
        self._task = kind(kind.generate_random_params() if params is None else params)
        self._task.initialize_task(self._env)
        texts = {name: value for name, value in self._task.params.items() if isinstance(value, str | int | float)}
        return {"goal": self._task.goal, "apps": list(self._task.app_names), "params": texts}

    def _open_apps(self) -> dict[str, Any]:
        for name in self._task.app_names:
            adb_utils.launch_app(name, self._env.controller)
        return {}

    def _check(self, answer: str = "") -> dict[str, Any]:
        self._env.interaction_cache = answer
        return {"score": float(self._task.is_successful(self._env))}

    def _tear_down(self) -> dict[str, Any]:
        self._task.tear_down(self._env)
        return {}


def _forest(dump: str) -> Any:
    """The accessibility forest that AndroidWorld's own app would send, from a dump of the screen."""
    forest = android_accessibility_forest_pb2.AndroidAccessibilityForest()
    nodes = forest.windows.add().tree.nodes
    for element in ElementTree.fromstring(dump).iter("node"):
        left, top, right, bottom = map(int, re.findall(r"\d+", element.get("bounds", "[0,0][0,0]")))
        node = nodes.add(
            text=element.get("text", ""),
            content_description=element.get("content-desc", ""),
            hint_text=element.get("hint", ""),
            class_name=element.get("class", ""),
            package_name=element.get("package", ""),
            view_id_resource_name=element.get("resource-id", ""),
            is_visible_to_user=True,
        )
        bounds = node.bounds_in_screen
        bounds.left, bounds.top, bounds.right, bounds.bottom = left, top, right, bottom
    return forest


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
