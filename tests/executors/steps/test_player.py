"""Runs on the virtual phone: over real adb and the real uiautomator2 client, with the owner and hostile screens."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from android_bridge.device import Device
from executors.steps.drivers import ShellDriver, open_driver
from executors.steps.guards import HaltReason
from executors.steps.owner_touch import OwnerTouch, watch_touches
from executors.steps.player import Leave, Player, Progress
from executors.steps.vocabulary import STEPS
from function_pool.risk import Risk
from tests.executors.acting import WatchedPhone
from tests.executors.steps import hostile
from virtual_phone.state.intents import Intent
from virtual_phone.ui.screens import SCREENS

MEITUAN = "com.sankuai.meituan"
NAME = {"en": "it", "zh": "它"}
TO_THE_MENU = {
    "do": "tap",
    "view": {"id": "restaurant", "first": True},
    "name": NAME,
    "after": [{"id": "line", "first": True}],
}
ORDER = [
    {"do": "type", "view": {"id": "search"}, "name": NAME, "text": "Noodle House"},
    TO_THE_MENU,
    {"do": "tap", "view": {"contains": ["More Beef noodles"]}, "name": NAME, "after": [{"id": "go_to_cart"}]},
    {"do": "tap", "view": {"id": "go_to_cart"}, "name": NAME, "after": [{"id": "checkout"}]},
    {"do": "read", "view": {"id": "summary", "first": True}, "into": "line"},
    {"do": "tap", "view": {"id": "checkout"}, "name": NAME, "after": [{"id": "place_order"}]},
]  # fmt: skip
PLACE_ORDER = {"do": "tap", "view": {"id": "place_order"}, "name": NAME, "after": [{"text": ["Confirm order"]}]}


@asynccontextmanager
async def playing(
    device: Device, *, shell: bool = False, app: str = MEITUAN, leave: Leave = Leave.STAY
) -> AsyncIterator[tuple[Player, OwnerTouch, list[Progress]]]:
    """A player on the phone, what it sees of the owner, and the progress that it stored."""
    noted: list[Progress] = []
    async with watch_touches(device) as touch, open_driver(device) as driver:
        chosen = ShellDriver(device) if shell else driver
        yield Player(device, chosen, touch, noted.append, app=app, risk=Risk.R3, leave=leave), touch, noted


def open_meituan(phone: WatchedPhone) -> None:
    assert phone.state.apps.open(MEITUAN)


async def test_a_run_goes_on_to_the_last_button_and_not_beyond(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    async with playing(device) as (player, _, noted):
        ended = await player.play(STEPS.validate_python([*ORDER, PLACE_ORDER]))
    assert ended.halt is not None
    assert (ended.step, ended.of, ended.halt.reason) == (7, 7, HaltReason.LAST_BUTTON)
    assert "Place order" in str(ended.halt.message)
    assert phone.state.apps.foreground.screen == "checkout"
    assert [(one.step, one.ended) for one in noted] == [(number, False) for number in range(1, 8)]
    assert ended.values == {"line": "¥32 · Hand-pulled, with coriander"}


async def test_without_the_helper_the_phones_own_commands_do_the_same(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    async with watch_touches(device) as touch:
        player = Player(device, ShellDriver(device), touch, lambda _: None, app=MEITUAN, risk=Risk.R3)
        ended = await player.play(STEPS.validate_python(ORDER))
    assert ended.halt is None
    assert phone.state.baskets.of(MEITUAN) == {"beef_noodles": 1}


async def test_what_the_phones_own_commands_cannot_type_is_not_typed(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    step = {"do": "type", "view": {"id": "search"}, "name": NAME, "text": "牛肉面"}
    async with watch_touches(device) as touch:
        player = Player(device, ShellDriver(device), touch, lambda _: None, app=MEITUAN, risk=Risk.R3)
        ended = await player.play(STEPS.validate_python([step]))
    assert ended.halt is not None
    assert ended.halt.reason is HaltReason.REFUSED
    assert not phone.state.apps.foreground.fields


async def test_the_owners_touch_wins(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    async with playing(device) as (player, touch, _):
        await phone.state.touchscreen.followed()
        phone.state.touchscreen.touch((540, 2000))
        while not touch.touched:
            await device.shell("true")
        ended = await player.play(STEPS.validate_python(ORDER))
    assert ended.halt is not None
    assert (ended.step, ended.halt.reason) == (1, HaltReason.TOUCHED)
    assert phone.state.apps.foreground.screen == "restaurants"


async def test_what_heed_does_itself_is_no_touch_of_the_owner(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    async with playing(device) as (player, touch, _):
        assert (await player.play(STEPS.validate_python([TO_THE_MENU]))).halt is None
        assert not touch.touched


async def test_nothing_is_done_where_touches_cannot_be_read(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    phone.refuse("getevent", "getevent: Permission denied")
    async with playing(device) as (player, _, _noted):
        ended = await player.play(STEPS.validate_python(ORDER))
    assert ended.halt is not None
    assert ended.halt.reason is HaltReason.UNWATCHED
    assert phone.state.apps.foreground.screen == "restaurants"


async def test_a_run_that_stops_goes_back_where_it_says_so(phone: WatchedPhone, device: Device) -> None:
    open_meituan(phone)
    missing = {"do": "find", "view": {"id": "nowhere"}, "seconds": 0.5}
    async with playing(device, leave=Leave.BACK) as (player, _, _noted):
        ended = await player.play(STEPS.validate_python([TO_THE_MENU, missing]))
    assert ended.halt is not None
    assert (ended.step, ended.halt.reason) == (2, HaltReason.MISSING)
    assert phone.state.apps.foreground.screen == "restaurants"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda state: state.power.sleep(), HaltReason.ASLEEP),
        (lambda state: state.apps.home(), HaltReason.OTHER_APP),
        (lambda state: state.apps.open("com.eg.android.AlipayGphone"), HaltReason.PAYMENT),
        (lambda state: state.show_panel("shade"), HaltReason.OTHER_APP),
    ],
)
async def test_nothing_is_done_while_something_else_has_the_screen(
    phone: WatchedPhone, device: Device, change: Callable[..., object], reason: HaltReason
) -> None:
    open_meituan(phone)
    change(phone.state)
    async with playing(device) as (player, _, _noted):
        ended = await player.play(STEPS.validate_python([TO_THE_MENU | {"seconds": 0.5}]))
    assert ended.halt is not None
    assert ended.halt.reason is reason
    assert not any(activity.screen == "menu" for task in phone.state.apps.tasks for activity in task.activities)


async def test_a_protected_window_is_not_touched(phone: WatchedPhone, device: Device) -> None:
    phone.state.apps.install("com.example.secret", "Secret", screen="sign_in", secure=True)
    phone.state.apps.open("com.example.secret")
    step = {"do": "type", "view": {"id": "user_name"}, "name": NAME, "text": "me", "seconds": 0.5}
    async with playing(device, app="com.example.secret") as (player, _, _noted):
        ended = await player.play(STEPS.validate_python([step]))
    assert ended.halt is not None
    assert ended.halt.reason is HaltReason.PROTECTED


async def test_nothing_is_typed_into_a_password_field(phone: WatchedPhone, device: Device) -> None:
    phone.state.apps.install("com.example.login", "Login", screen="sign_in")
    phone.state.apps.open("com.example.login")
    step = {"do": "type", "view": {"id": "password"}, "name": NAME, "text": "secret", "seconds": 0.5}
    async with playing(device, app="com.example.login") as (player, _, _noted):
        ended = await player.play(STEPS.validate_python([step]))
    assert ended.halt is not None
    assert ended.halt.reason is HaltReason.SECRET
    assert not phone.state.apps.foreground.fields


async def test_an_app_is_launched_and_left(phone: WatchedPhone, device: Device) -> None:
    steps = [{"do": "launch"}, {"do": "wait_for", "after": [{"id": "search"}]}, {"do": "home"}]
    async with playing(device) as (player, _, _noted):
        assert (await player.play(STEPS.validate_python(steps))).halt is None
    assert phone.state.apps.foreground.screen == "launcher"


async def test_on_hostile_screens_of_a_phone_nothing_is_tapped(
    phone: WatchedPhone, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens = [one for one in hostile.screens() if len(one.windows) == 1 and one.windows[0].package == hostile.APP]
    shown = [one for one in screens if one.awake and not one.locked and not one.protected and hostile.APP in one.front]
    current: list[hostile.HostileScreen] = []
    monkeypatch.setitem(SCREENS, "hostile", lambda *_: current[-1].windows[0].root)
    phone.state.apps.install(hostile.APP, "Shop", screen="hostile")
    hostile.PRESSED.clear()
    done = []
    async with playing(device, app=hostile.APP) as (player, _, _noted):
        for screen in shown[:: max(1, len(shown) // 12)]:
            current.append(screen)
            phone.state.apps.start(Intent(component=f"{hostile.APP}/.MainActivity"))
            ended = await player.play((screen.step,))
            done += [screen.name] if ended.halt is None else []
    assert len(current) >= 12
    assert done == []
    assert hostile.PRESSED == []
