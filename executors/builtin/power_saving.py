"""Battery saver."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.power import POWER, Power
from android_bridge.facts.properties import PROPERTIES
from android_bridge.facts.reader import UnreadableError
from executors.capability import Requirement
from executors.executor import RefusedError
from executors.observation import observe
from executors.plan import Effect, Preparation
from executors.screen import settings_page
from executors.setting import PhoneSetting, SettingChange, SettingExecutor, number_setting
from function_pool.call import FunctionCall
from heed.messages import msg

_PAGE = "android.settings.BATTERY_SAVER_SETTINGS"
_SAVES_WHILE_CHARGING = ("samsung",)
"""Makers whose Android turns battery saver on while charging (docs/android-notes.md, "Switches")."""


def _saver(power: Power) -> str:
    if power.battery_saver is None:
        raise UnreadableError(msg("The phone does not say whether battery saver is on."))
    return "1" if power.battery_saver else "0"


def _level(percent: str) -> Effect:
    if percent == "0":
        return Effect(kind="power_saving_level_never")
    return Effect(kind="power_saving_level", detail={"percent": percent})


SAVER = PhoneSetting(
    name="battery_saver",
    reader=POWER,
    write=lambda value: f"cmd power set-mode {int(value)}",
    effect=lambda value: Effect(kind="power_saving_on" if value == "1" else "power_saving_off"),
    text=_saver,
)
TRIGGER_LEVEL = number_setting("global", "low_power_trigger_level", _level)


class SetPowerSavingMode(SettingExecutor):
    """Sets battery saver with ``cmd power set-mode``; for a vendor's extreme mode its settings page is opened."""

    function = "set_power_saving_mode"
    requirements = (
        Requirement(
            POWER, msg("The phone does not tell its battery saver."), lambda power: power.battery_saver is not None
        ),
    )

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        level: Any = call.parameters.get("trigger_level")
        saver = SettingChange(SAVER, "1" if call.parameters["enabled"] else "0")
        return [saver] if level is None else [SettingChange(TRIGGER_LEVEL, str(level)), saver]

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        if call.parameters["enabled"]:
            await self._refuse_while_charging(phone)
        if call.parameters.get("mode") == "extreme":
            return await settings_page(phone, _PAGE, Effect(kind="power_saving_page"))
        return await super().prepare(phone, call)

    async def _refuse_while_charging(self, phone: Device) -> None:
        battery, properties = await observe(phone, BATTERY, PROPERTIES)
        maker = properties.get("ro.product.manufacturer", "").casefold()
        if battery.powered and maker not in _SAVES_WHILE_CHARGING:
            message = msg("The phone is charging, and Android turns battery saver on only while it is not.")
            raise RefusedError(message, msg("Unplug it first (with wireless debugging if this cable charges it)."))
