"""Brightness, dark mode, night light, font size, screen timeout, rotation."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from android_bridge.commands import settings_put
from android_bridge.device import Device
from android_bridge.facts.display import NIGHT_MODE
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, parser
from executors.capability import Requirement
from executors.executor import RefusedError
from executors.observation import observe
from executors.plan import Effect, Preparation, Step
from executors.screen import settings_page
from executors.setting import PhoneSetting, SettingChange, SettingExecutor, number_setting
from function_pool.call import FunctionCall
from function_pool.validation import CallFault, InvalidCallError
from heed.messages import Message, msg

_PAGE = "android.settings.DISPLAY_SETTINGS"
_FULL = 255
"""The highest ``screen_brightness`` (AOSP)."""


@parser(msg("The night light"))
def parse_tint(text: str) -> bool | None:
    """Parses ``dumpsys color_display``: whether Android tints the screen.

    Returns None where it cannot: the maker has a night light of its own (docs/android-notes.md, "Switches").
    """
    state = find(_NIGHT_DISPLAY, text, msg("night display"))
    return None if state == "Not available" else state == "Activated: true"


_NIGHT_DISPLAY = re.compile(r"^Night display:\n {4}(Not available|Activated: (?:true|false))$", re.MULTILINE)
TINT = Reader("tint", "dumpsys color_display", parse_tint, verified=False)
"""What the screen shows, not the key that heed writes: a phone that ignores the key has it all the same."""


def _switch(kind: str) -> Callable[[str], Effect]:
    return lambda value: Effect(kind=f"{kind}_on" if value == "1" else f"{kind}_off")


def _brightness_effect(value: str) -> Effect:
    return Effect(kind="brightness", detail={"percent": round(100 * float(value) / _FULL)})


BRIGHTNESS = number_setting("system", "screen_brightness", _brightness_effect)
AUTO_BRIGHTNESS = number_setting("system", "screen_brightness_mode", _switch("auto_brightness"))
NIGHT_LIGHT = PhoneSetting(
    name="night_light",
    reader=TINT,
    write=lambda value: settings_put("secure", "night_display_activated", value),
    effect=_switch("night_light"),
    text=lambda on: "1" if on else "0",
)
AUTO_ROTATE = number_setting("system", "accelerometer_rotation", _switch("auto_rotate"))
FONT_SCALE = number_setting("system", "font_scale", lambda value: Effect(kind="font_scale", detail={"factor": value}))
SCREEN_TIMEOUT = number_setting(
    "system",
    "screen_off_timeout",
    lambda value: Effect(kind="screen_timeout", detail={"seconds": int(value) // 1000}),
)
DARK_MODE = PhoneSetting(
    name="dark_mode",
    reader=NIGHT_MODE,
    write=lambda mode: f"cmd uimode night {mode}",
    effect=lambda mode: Effect(kind=f"dark_mode_{mode}"),
    text=str,
)

_ON = frozenset({"on", "true", "yes", "1", "开", "开启", "打开"})
_OFF = frozenset({"off", "false", "no", "0", "关", "关闭"})
_AUTO = frozenset({"auto", "automatic", "自动"})
_NAMED_PERCENT = {"max": 100, "maximum": 100, "最亮": 100, "最高": 100, "min": 1, "minimum": 1, "最暗": 1, "最低": 1}
# The four steps of AOSP's font size setting (Settings, entryvalues_font_size).
_NAMED_SIZES = {"small": 0.85, "小": 0.85, "default": 1.0, "标准": 1.0, "large": 1.15, "大": 1.15}
_NAMED_SIZES |= {"largest": 1.3, "特大": 1.3, "最大": 1.3}
_SPAN = re.compile(r"(\d{1,5}(?:\.\d)?)\s*(s|sec|seconds?|秒|m|min|minutes?|分|分钟|h|hours?|小时)?")
_MINUTES = ("m", "分")
_HOURS = ("h", "小")


def _percent(value: str) -> int:
    number = float(_NAMED_PERCENT.get(value, value.removesuffix("%").strip()))
    if not 0 <= number <= 100:
        raise ValueError
    return round(number)


def _is_on(value: str) -> bool:
    if value not in _ON | _OFF:
        raise ValueError
    return value in _ON


def _factor(value: str) -> float:
    factor = _NAMED_SIZES.get(value) or float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    if not 0.8 <= factor <= 2.0:
        raise ValueError
    return round(factor, 2)


def _seconds(value: str) -> int:
    match = _SPAN.fullmatch(value)
    if match is None:
        raise ValueError
    unit = (match[2] or "s")[0]
    seconds = float(match[1]) * (3600 if unit in _HOURS else 60 if unit in _MINUTES else 1)
    if not 5 <= seconds <= 86_400:
        raise ValueError
    return round(seconds)


def _bit(setting: PhoneSetting) -> Callable[[str], Sequence[SettingChange]]:
    return lambda value: [SettingChange(setting, "1" if _is_on(value) else "0")]


def _brightness(value: str) -> Sequence[SettingChange]:
    # Automatic brightness is switched off first, because it changes the value. 0 turns some screens off.
    return [
        SettingChange(AUTO_BRIGHTNESS, "0"),
        SettingChange(BRIGHTNESS, str(max(1, round(_percent(value) * _FULL / 100)))),
    ]


def _dark_mode(value: str) -> Sequence[SettingChange]:
    return [SettingChange(DARK_MODE, "auto" if value in _AUTO else "yes" if _is_on(value) else "no")]


_SETTINGS: Mapping[str, tuple[Callable[[str], Sequence[SettingChange]], Message]] = {
    "brightness": (_brightness, msg("a percentage from 0 to 100")),
    "auto_brightness": (_bit(AUTO_BRIGHTNESS), msg("on or off")),
    "dark_mode": (_dark_mode, msg("on, off or auto")),
    "night_light": (_bit(NIGHT_LIGHT), msg("on or off")),
    "font_scale": (lambda value: [SettingChange(FONT_SCALE, str(_factor(value)))], msg("a factor from 0.8 to 2")),
    "screen_timeout": (
        lambda value: [SettingChange(SCREEN_TIMEOUT, str(1000 * _seconds(value)))],
        msg("5 seconds to a day"),
    ),
    "auto_rotate": (_bit(AUTO_ROTATE), msg("on or off")),
}


class SetDisplay(SettingExecutor):
    """Sets display settings with ``settings put`` and ``cmd uimode night``."""

    function = "set_display"
    requirements = (Requirement(NIGHT_MODE, msg("The phone does not tell its dark mode.")),)

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        setting, value = str(call.parameters["setting"]), str(call.parameters["value"])
        changes, expected = _SETTINGS[setting]
        try:
            return changes(unicodedata.normalize("NFKC", value).strip().casefold())
        except ValueError:
            wrong = msg(
                "must be {expected} for {setting}, not {value}", expected=expected, setting=setting, value=repr(value)
            )
            raise InvalidCallError(self.function, (CallFault("value", wrong),)) from None

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        if call.parameters["setting"] == "night_light" and await self._has_its_own_night_light(phone):
            state = "on" if self.changes(call, {})[0].target == "1" else "off"
            return await settings_page(phone, _PAGE, Effect(kind=f"night_light_page_{state}"))
        preparation = await super().prepare(phone, call)
        brightness = preparation.before.get(BRIGHTNESS.name)
        if brightness is not None and float(str(brightness)) > _FULL:
            raise RefusedError(msg("This phone counts brightness on a scale of its own."), msg("Set it on the phone."))
        return preparation

    @staticmethod
    async def _has_its_own_night_light(phone: Device) -> bool:
        (tinted,) = await observe(phone, TINT)
        return tinted is None

    def restored(self, changes: Sequence[SettingChange], step: Step) -> Sequence[SettingChange]:
        # Back in automatic mode, the phone chooses the brightness itself (AOSP DisplayPowerController).
        automatic = step.before.get(AUTO_BRIGHTNESS.name) == "1"
        return [change for change in changes if not (automatic and change.setting is BRIGHTNESS)]
