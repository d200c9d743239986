"""Do not disturb."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.notifications import DO_NOT_DISTURB, DoNotDisturb
from android_bridge.facts.properties import PROPERTIES, api_level
from executors.capability import Requirement
from executors.observation import observe
from executors.plan import Effect, Preparation
from executors.screen import by_hand, settings_page
from executors.setting import PhoneSetting, SettingChange, SettingExecutor
from function_pool.call import FunctionCall
from heed.messages import msg

_ANDROID_15 = 35
_PAGE = "android.settings.ZEN_MODE_SETTINGS"
# The pool's modes are the reader's words; these are the ones of `cmd notification set_dnd` (NotificationShellCmd).
_WORDS = {"off": "off", "priority": "priority", "alarms_only": "alarms", "total_silence": "none"}
_NAMES: Mapping[str, JsonValue] = {
    "off": {"en": "off", "zh": "关闭"},
    "priority": {"en": "priority only", "zh": "仅限优先打扰"},
    "alarms_only": {"en": "alarms only", "zh": "仅限闹钟"},
    "total_silence": {"en": "total silence", "zh": "完全静音"},
}

MODE = PhoneSetting(
    name="do_not_disturb",
    reader=DO_NOT_DISTURB,
    write=lambda mode: f"cmd notification set_dnd {_WORDS[mode]}",
    effect=lambda mode: Effect(kind=f"do_not_disturb_{mode}"),
    text=str,
)


class SetDoNotDisturb(SettingExecutor):
    """Sets do not disturb with ``cmd notification set_dnd``; Android reverts a write to ``zen_mode``.

    From Android 15 the command changes a rule of the shell's own beside the owner's mode. While do not disturb is on,
    that rule could end nothing, and would still hold when the owner ends theirs: then the settings page is opened.

    Source: docs/android-notes.md, "Switches".
    """

    function = "set_do_not_disturb"
    requirements = (Requirement(DO_NOT_DISTURB, msg("The phone does not tell its do-not-disturb mode.")),)

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        return [SettingChange(MODE, str(call.parameters["mode"]))]

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        if await self._is_the_owners(phone, str(call.parameters["mode"])):
            left = {name: value for name, value in call.parameters.items() if name != "mode"}
            page = Effect(kind="do_not_disturb_page", detail={"mode": _NAMES[str(call.parameters["mode"])]})
            return await settings_page(phone, _PAGE, page, *by_hand(left))
        preparation = await super().prepare(phone, call)
        minutes = call.parameters.get("duration_minutes")
        if preparation.already or call.parameters["mode"] == "off" or not isinstance(minutes, int):
            return preparation
        ends = Effect(kind="ends_by_itself", detail={"minutes": minutes})
        return preparation.model_copy(
            update={"effects": (*preparation.effects, ends), "expires_after_minutes": minutes}
        )

    @staticmethod
    async def _is_the_owners(phone: Device, wanted: str) -> bool:
        """Whether do not disturb is on in another mode that only the owner can change."""
        properties, mode = await observe(phone, PROPERTIES, DO_NOT_DISTURB)
        return api_level(properties) >= _ANDROID_15 and mode not in (DoNotDisturb.OFF, wanted)
