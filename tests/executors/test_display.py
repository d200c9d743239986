"""Brightness, dark mode, night light, font size, screen timeout, rotation."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from function_pool.validation import InvalidCallError
from tests.executors.acting import Acting, difference

SYSTEM, SECURE = "settings.stored.system", "settings.stored.secure"


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("brightness", "20%", {f"{SYSTEM}.screen_brightness": ("102", "51")}),
        ("brightness", "0", {f"{SYSTEM}.screen_brightness": ("102", "1")}),
        ("brightness", "最亮", {f"{SYSTEM}.screen_brightness": ("102", "255")}),
        ("auto_brightness", "on", {f"{SYSTEM}.screen_brightness_mode": ("0", "1")}),
        ("dark_mode", "on", {"display.night": ("no", "yes")}),
        ("dark_mode", "auto", {"display.night": ("no", "auto")}),
        ("night_light", "开启", {f"{SECURE}.night_display_activated": ("0", "1")}),
        ("font_scale", "1.3", {f"{SYSTEM}.font_scale": ("1.0", "1.3")}),
        ("font_scale", "115%", {f"{SYSTEM}.font_scale": ("1.0", "1.15")}),
        ("screen_timeout", "5 minutes", {f"{SYSTEM}.screen_off_timeout": ("60000", "300000")}),
        ("screen_timeout", "30", {f"{SYSTEM}.screen_off_timeout": ("60000", "30000")}),
        ("auto_rotate", "off", {f"{SYSTEM}.accelerometer_rotation": ("1", "0")}),
    ],
)
async def test_each_setting_is_set_and_restored(
    acting: Acting, setting: str, value: str, expected: dict[str, tuple[str, str]]
) -> None:
    before = acting.state()
    assert (await acting.do("set_display", setting=setting, value=value)).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == expected
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_brightness_takes_the_automatic_mode_off_and_gives_it_back(acting: Acting) -> None:
    acting.phone.state.settings.put("system", "screen_brightness_mode", "1")
    before = acting.state()
    (step,) = (await acting.prepare("set_display", setting="brightness", value="80")).steps
    assert [effect.kind for effect in step.effects] == ["auto_brightness_off", "brightness"]
    await acting.do("set_display", setting="brightness", value="80")
    assert acting.phone.state.settings.get("system", "screen_brightness_mode") == "0"
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_a_setting_that_was_not_set_is_unset_again(acting: Acting) -> None:
    acting.phone.state.settings.delete("system", "font_scale")
    before = acting.state()
    await acting.do("set_display", setting="font_scale", value="1.3")
    assert acting.phone.state.settings.get("system", "font_scale") == "1.3"
    assert [effect.kind for effect in acting.step.undo] == ["setting_unset"]
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("brightness", "bright", "set_display: value must be a percentage from 0 to 100 for brightness, not 'bright'"),
        ("brightness", "120", "from 0 to 100"),
        ("brightness", "nan", "from 0 to 100"),
        ("dark_mode", "maybe", "on, off or auto"),
        ("font_scale", "9", "a factor from 0.8 to 2"),
        ("screen_timeout", "soon", "5 seconds to a day"),
        ("screen_timeout", "1", "5 seconds to a day"),
        ("auto_rotate", "1; reboot", "on or off"),
    ],
)
async def test_a_value_that_does_not_fit_is_told(acting: Acting, setting: str, value: str, told: str) -> None:
    with pytest.raises(InvalidCallError, match=told):
        await acting.prepare("set_display", setting=setting, value=value)


async def test_a_vendors_own_brightness_scale_is_left_alone(acting: Acting) -> None:
    acting.phone.state.settings.put("system", "screen_brightness", "2047")
    with pytest.raises(RefusedError, match="scale of its own"):
        await acting.prepare("set_display", setting="brightness", value="50")


async def test_an_equal_number_in_other_digits_is_nothing_to_do(acting: Acting) -> None:
    assert (await acting.do("set_display", setting="font_scale", value="1")).kind is OutcomeKind.ALREADY
