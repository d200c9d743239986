"""Do not disturb."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.notifications import DO_NOT_DISTURB
from executors.capability import Requirement
from executors.plan import Effect, Preparation
from executors.setting import PhoneSetting, SettingChange, SettingExecutor
from function_pool.call import FunctionCall
from heed.messages import msg

# The pool's modes are the reader's words; these are the ones of `cmd notification set_dnd` (NotificationShellCmd).
_WORDS = {"off": "off", "priority": "priority", "alarms_only": "alarms", "total_silence": "none"}

MODE = PhoneSetting(
    name="do_not_disturb",
    reader=DO_NOT_DISTURB,
    write=lambda mode: f"cmd notification set_dnd {_WORDS[mode]}",
    effect=lambda mode: Effect(kind=f"do_not_disturb_{mode}"),
    text=str,
)


class SetDoNotDisturb(SettingExecutor):
    """Sets do not disturb with ``cmd notification set_dnd``; Android reverts a write to ``zen_mode``.

    Source: docs/android-notes.md, "Switches".
    """

    function = "set_do_not_disturb"
    requirements = (Requirement(DO_NOT_DISTURB, msg("The phone does not tell its do-not-disturb mode.")),)

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        return [SettingChange(MODE, str(call.parameters["mode"]))]

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        preparation = await super().prepare(phone, call)
        minutes = call.parameters.get("duration_minutes")
        if preparation.already or call.parameters["mode"] == "off" or not isinstance(minutes, int):
            return preparation
        ends = Effect(kind="ends_by_itself", detail={"minutes": minutes})
        return preparation.model_copy(
            update={"effects": (*preparation.effects, ends), "expires_after_minutes": minutes}
        )
