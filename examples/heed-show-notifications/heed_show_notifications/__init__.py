"""The function show_notifications: opens the notification shade; undo closes it."""

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES
from executors.executor import Executor, Receipt, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import require_screen
from function_pool.call import FunctionCall

FUNCTIONS: dict[str, JsonValue] = {
    "show_notifications": {
        "name": "show_notifications",
        "description": "Open the notification shade, so that the owner sees the notifications.",
        "similar": [],
        "parameters": {},
        "scenario": "Device & System",
        "risk": "R0",
    }
}
"""Specs by name, in the schema of heed's own pool."""

_SHADE = "NotificationShade"
_DOWN = Effect(
    kind="show_notifications",
    detail={
        "en": "Pulls the notification shade down.",
        "zh": "拉下通知栏。",
        "done_en": "The notifications are on the screen.",
        "done_zh": "通知栏已打开。",
    },
)
_UP = Effect(
    kind="hide_notifications",
    detail={
        "en": "Puts the notification shade away.",
        "zh": "收起通知栏。",
        "done_en": "The notification shade is away.",
        "done_zh": "通知栏已收起。",
    },
)


class ShowNotifications(Executor):
    """Opens the shade with ``cmd statusbar`` (AOSP StatusBarShellCommand.java); verified by the focused window."""

    function = "show_notifications"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        activities = await require_screen(phone)
        if activities.focus == _SHADE:
            return Preparation(effects=(_DOWN,), already=True)
        return Preparation(commands=("cmd statusbar expand-notifications",), effects=(_DOWN,), undo=(_UP,))

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _shade(phone, down=True)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        await run(phone, "cmd statusbar collapse")

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _shade(phone, down=False)


async def _shade(phone: Device, *, down: bool) -> Outcome:
    (activities,) = await observe(phone, ACTIVITIES)
    shown = (proof(ACTIVITIES, activities),)
    if (activities.focus == _SHADE) is down:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    message = f"The window in front is {activities.focus}."
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)


EXECUTORS: tuple[type[Executor], ...] = (ShowNotifications,)
