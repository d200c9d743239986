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
_TIMING = VerifyTiming(deadline=5.0, interval=0.05, settle=0.0)


@dataclass(frozen=True)
class JudgedCase:
    """A task that functions of the pool can do.

    Attributes:
        task: its name in AndroidWorld's registry.
        calls: from the task's parameters, the calls of somebody who read its goal.
        owner: resource names of the buttons that the owner presses, in this order, after a call was handed over.
        params: the task's parameters where its own random ones would not do.
        why: why the checker is expected to say no; empty where it is to say yes.
    """

    task: str
    calls: Callable[[Params], list[FunctionCall]]
    owner: tuple[str, ...] = ()
    params: Params | None = None
    why: str = ""


class Judgement(NamedTuple):
    """One case with the checker's scores and the calls' outcomes."""

    case: JudgedCase
    before: float
    after: float
    outcomes: tuple[Outcome, ...]
    error: str

    @property
    def right(self) -> bool:
        """Whether the checker accepts what was done."""
        return not self.error and self.after == 1.0

    @property
    def expected(self) -> bool:
        """Whether the checker said what the case expects."""
        return self.right == (not self.case.why)


def _call(function: str, /, **parameters: Any) -> FunctionCall:
    return FunctionCall(name=function, parameters=parameters)


def _fixed(*calls: FunctionCall) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: list(calls)


def _sms(recipient: str) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: [_call("send_sms", recipient=params[recipient], content=params["message"])]


def _opens(params: Params) -> list[FunctionCall]:
    return [_call("launch_app", app_name=params["app_name"])]


def _timer(params: Params) -> list[FunctionCall]:
    seconds = params["hours"] * 3600 + params["minutes"] * 60 + params["seconds"]
    return [_call("set_timer", duration_seconds=seconds)]


_WIFI_ON = _call("set_connectivity", connection_type="wifi", enabled=True)
_WIFI_OFF = _call("set_connectivity", connection_type="wifi", enabled=False)
_BLUETOOTH_ON = _call("set_bluetooth", enabled=True)
_BLUETOOTH_OFF = _call("set_bluetooth", enabled=False)
_BRIGHT = _call("set_display", setting="brightness", value="100")
_DARK = _call("set_display", setting="brightness", value="0")
_SEND = ("send_message_button",)
_SHUTTER = ("shutter_button",)

CASES = (
    JudgedCase("SystemBluetoothTurnOn", _fixed(_BLUETOOTH_ON)),
    JudgedCase("SystemBluetoothTurnOnVerify", _fixed(_BLUETOOTH_ON)),
    JudgedCase("SystemBluetoothTurnOff", _fixed(_BLUETOOTH_OFF)),
    JudgedCase("SystemBluetoothTurnOffVerify", _fixed(_BLUETOOTH_OFF)),
    JudgedCase("SystemWifiTurnOn", _fixed(_WIFI_ON)),
    JudgedCase("SystemWifiTurnOnVerify", _fixed(_WIFI_ON)),
    JudgedCase("SystemWifiTurnOff", _fixed(_WIFI_OFF)),
    JudgedCase("SystemWifiTurnOffVerify", _fixed(_WIFI_OFF)),
    JudgedCase("SystemBrightnessMax", _fixed(_BRIGHT)),
    JudgedCase("SystemBrightnessMaxVerify", _fixed(_BRIGHT)),
    JudgedCase("SystemBrightnessMin", _fixed(_DARK)),
    JudgedCase("SystemBrightnessMinVerify", _fixed(_DARK)),
    JudgedCase("TurnOffWifiAndTurnOnBluetooth", _fixed(_WIFI_OFF, _BLUETOOTH_ON)),
    JudgedCase("TurnOnWifiAndOpenApp", lambda params: [_WIFI_ON, *_opens(params)]),
    JudgedCase("OpenAppTaskEval", _opens),
    JudgedCase("OpenAppTaskEval", _opens, params={"app_name": "camera"}),
    JudgedCase("OpenAppTaskEval", _opens, params={"app_name": "settings"}),
    JudgedCase(
        "ContactsAddContact",
        lambda params: [_call("save_contact", name=params["name"], phone_number=params["number"])],
    ),
    JudgedCase("CameraTakePhoto", _fixed(_call("capture_image", mode="photo")), owner=_SHUTTER),
    # The first touch begins the recording, the second ends it.
    JudgedCase("CameraTakeVideo", _fixed(_call("capture_image", mode="video")), owner=_SHUTTER * 2),
    JudgedCase("ClockTimerEntry", _timer, why="The task wants the timer entered and not started; set_timer starts it."),
    JudgedCase("SimpleSmsSend", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsReply", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsReplyMostRecent", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsResend", _sms("name"), owner=_SEND),
    JudgedCase("SimpleSmsSendReceivedAddress", _sms("name1"), owner=_SEND),
    JudgedCase("SimpleSmsSendClipboardContent", _sms("number"), owner=_SEND),
)
"""Tasks about the own database of one app (Simple Calendar, Pro Expense, Broccoli, ...) are not here: the pool's
functions write to the phone's providers and to heed's own lists."""


async def judge(world: AndroidWorld, case: JudgedCase) -> Judgement:
    """Prepare the phone for one case, carry out its calls, and ask the checker before and after."""
    prepared = await world.initialize(case.task, params=None if case.params is None else dict(case.params))
    if prepared["error"]:
        return Judgement(case, 0.0, 0.0, (), prepared["error"])
    before = await world.check()
    outcomes = await _carry_out(world.device, case.calls(prepared["params"]))
    if any(outcome.kind is OutcomeKind.HANDED_OVER for outcome in outcomes):
        for button in case.owner:
            await _press(world.device, button)
    after = await world.check()
    error = before["error"] or after["error"]
    return Judgement(case, before.get("score", 0.0), after.get("score", 0.0), outcomes, error)


async def _carry_out(device: Device, calls: Sequence[FunctionCall]) -> tuple[Outcome, ...]:
    """What heed does once the owner consents: prepare, perform, verify."""
    with tempfile.TemporaryDirectory() as folder:
        lists = ExecutorsConfig(ledger=Path(folder, "ledger.jsonl"), reminders=Path(folder, "reminders.jsonl"))
        executors = load_executors(lists)
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


def table(judgements: Sequence[Judgement]) -> list[str]:
    """A line per case, and the count."""
    lines = [f"{'task':32} {'functions':34} before after"]
    for item in judgements:
        functions = ", ".join(call.name for call in item.case.calls(_Anything()))
        lines.append(f"{item.case.task:32} {functions:34} {item.before:6.0f} {item.after:5.0f}")
        if not item.right:
            said = "; ".join(f"{outcome.kind} {outcome.message}".strip() for outcome in item.outcomes)
            lines.append(f"  {item.case.why or item.error or said}")
    right = sum(item.right for item in judgements)
    return [*lines, f"{'accepted by their checkers':67} {right} of {len(judgements)}"]


class _Anything(dict[str, Any]):
    """Parameters for the names of the functions alone."""

    def __missing__(self, key: str) -> int:
        return 0
