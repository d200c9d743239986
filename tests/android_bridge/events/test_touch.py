"""Gestures from the kernel's events, and from a phone through the real adb."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from android_bridge.device import Device
from android_bridge.events.touch import Gesture, GestureBuilder, gestures
from android_bridge.facts.display import ScreenSize
from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.touch import TOUCH_PANELS, Axis, TouchPanel, parse_raw_event, parse_touch_panels
from virtual_phone import VirtualPhone

SCREEN = ScreenSize(width=1080, height=2400, density=420)
PANEL = TouchPanel(path="/dev/input/event5", x=Axis(0, 1079), y=Axis(0, 2399))

TAP = """
[   63150.111000] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   00000abc
[   63150.111000] /dev/input/event5: EV_ABS       ABS_MT_POSITION_X    000001f4
[   63150.111000] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    000003e8
[   63150.111000] /dev/input/event5: EV_KEY       BTN_TOUCH            DOWN
[   63150.111000] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
[   63150.191000] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
[   63150.191000] /dev/input/event5: EV_KEY       BTN_TOUCH            UP
[   63150.191000] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
"""
DEVICES = """add device 1: /dev/input/event0
  name:     "gpio_keys"
  events:
    KEY (0001): KEY_POWER
  input props:
    <none>
add device 2: /dev/input/event5
  name:     "sec_touchscreen"
  events:
    KEY (0001): BTN_TOOL_FINGER       BTN_TOUCH
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
add device 3: /dev/input/event6
  name:     "touchpad"
  events:
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_POINTER
"""


EMULATOR = "getevent-lt/emulator-api36-same-place-twice.txt"


def fed(text: str, fingers: GestureBuilder | None = None) -> list[Gesture]:
    fingers = fingers or GestureBuilder(PANEL, SCREEN)
    events = [event for line in text.splitlines() if (event := parse_raw_event(line))]
    return [gesture for event in events if (gesture := fingers.feed(event))]


def test_two_taps_of_a_capture_at_one_place_are_two_gestures(capture: Callable[[str], str]) -> None:
    panel = TouchPanel(path="", x=Axis(0, 32767), y=Axis(0, 32767))
    first, second = fed(capture(EMULATOR), GestureBuilder(panel, SCREEN))
    assert first.start == second.start == second.end


def test_a_tap_has_a_place_and_a_length() -> None:
    (tap,) = fed(TAP)
    assert (tap.start, tap.end, tap.fingers, round(tap.seconds, 3)) == ((500, 1000), (500, 1000), 1, 0.08)


def test_a_finger_where_the_last_one_was_says_nothing_of_its_place() -> None:
    fingers = GestureBuilder(PANEL, SCREEN)
    fed(TAP, fingers)
    (second,) = fed("\n".join(line for line in TAP.splitlines() if "POSITION" not in line), fingers)
    assert second.start == (500, 1000)


def test_a_finger_whose_place_was_never_told_is_no_gesture() -> None:
    assert fed("\n".join(line for line in TAP.splitlines() if "POSITION_X" not in line)) == []


def test_one_finger_without_tracking_is_understood() -> None:
    (tap,) = fed("\n".join(line for line in TAP.splitlines() if "TRACKING" not in line))
    assert tap.start == (500, 1000)


def test_two_fingers_are_one_gesture() -> None:
    down = TAP[: TAP.index("[   63150.191000]")]
    slot = "[   63150.1{}0000] EV_ABS       ABS_MT_SLOT   0000000{}\n"
    second = slot.format(5, 1) + "".join(line + "\n" for line in down.splitlines() if "EV_ABS" in line)
    lifted = slot.format(7, 1) + TAP[TAP.index("[   63150.191000]") :].replace("EV_KEY", "EV_XXX")
    one_left = fed(down + second + lifted)
    assert one_left == []
    (both,) = fed(down + second + lifted + slot.format(8, 0) + TAP[TAP.index("[   63150.191000]") :])
    assert both.fingers == 2


@given(st.text(alphabet="[]0123456789. abcdefEV_ABSMTPOSIXYTRACKINGDUWN:/\n", max_size=300))
def test_nothing_makes_it_fail(text: str) -> None:
    fed(text)
    fed(TAP + text + TAP)


def test_a_turned_screen_is_seen_turned() -> None:
    (tap,) = fed(TAP)
    assert [tap.turned(quarters).start for quarters in range(4)] == [(500, 1000), (1000, 579), (579, 1399), (1399, 500)]


def test_only_panels_on_a_screen_count() -> None:
    assert parse_touch_panels(DEVICES) == (TouchPanel(path="/dev/input/event5", x=Axis(0, 4095), y=Axis(0, 4095)),)
    with pytest.raises(UnreadableError, match="touch panels"):
        parse_touch_panels("getevent: Permission denied\n")


async def test_what_a_finger_does_on_the_phone_is_told_and_what_input_does_is_not(
    phone: VirtualPhone, device: Device
) -> None:
    assert [panel.path for panel in await device.read(TOUCH_PANELS)] == ["/dev/input/event2"]
    heard: list[Gesture] = []

    async def listen() -> None:
        async with aclosing(gestures(device)) as stream:
            async for gesture in stream:
                heard.append(gesture)
                if len(heard) == 2:
                    return

    task = asyncio.create_task(listen())
    async with asyncio.timeout(20):
        await phone.state.touchscreen.followed()
        await device.shell("input tap 10 10")
        phone.state.touchscreen.touch((540, 1200))
        phone.state.touchscreen.touch((540, 2000), (540, 300), seconds=0.4)
        await task
    assert [(gesture.start, gesture.end) for gesture in heard] == [((540, 1200),) * 2, ((540, 2000), (540, 300))]
