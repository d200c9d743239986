"""Pictures are taken only where looking is allowed, and become frames of the context."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from heed.clock import ManualClock, PhoneClock
from tests.collectors.moody import HANGS, MoodyPhone
from tests.collectors.test_frames import png, screen
from tests.phones import START, connected_device
from virtual_phone import PhoneState

SIZE = (270, 600)
Both = tuple[MoodyPhone, Device]


@pytest.fixture
async def phone(adb_server: AdbServer) -> AsyncIterator[Both]:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.open_app("com.android.chrome")
    phone = MoodyPhone(state)
    phone.moods["screencap"] = png(screen(size=SIZE))
    async with connected_device(phone, adb_server) as device:
        yield phone, device


@pytest.fixture
def config(tmp_path: Path) -> CollectorsConfig:
    excluded = frozenset({"com.whatsapp"})
    return CollectorsConfig(frames_folder=tmp_path, excluded_apps=excluded, frames=FramesConfig(per_context=2))


def snapshotter(device: Device, config: CollectorsConfig) -> Snapshotter:
    return Snapshotter(device, load_sources(config), PhoneClock(ManualClock(START)), config)


def why_none(context: Context, folder: Path) -> str:
    assert context.frames == () and not list(folder.rglob("*.jpg"))
    return next(str(one.reason) for one in context.device.missing if one.name == "frame")


async def test_a_snapshot_has_a_frame_of_the_screen(phone: Both, config: CollectorsConfig) -> None:
    context = await snapshotter(phone[1], config).snapshot()
    (frame,) = context.frames
    with Image.open(frame.path) as picture:
        assert picture.size == SIZE
    assert frame.taken_at == START
    assert config.frames_folder in Path(frame.path).parents


async def test_the_last_frames_of_ten_minutes_are_kept_without_doubles(phone: Both, config: CollectorsConfig) -> None:
    moody, device = phone
    taker = snapshotter(device, config)
    shown = []
    for seed, minutes in ((0, 0), (0, 1), (1, 1), (2, 1), (3, 20)):
        moody.state.advance(60 * minutes)
        moody.moods["screencap"] = png(screen(seed, SIZE))
        context = await taker.snapshot()
        shown.append([frame.taken_at - START for frame in context.frames])
    minute = timedelta(minutes=1)
    assert shown == [[0 * minute], [0 * minute], [0 * minute, 2 * minute], [2 * minute, 3 * minute], [23 * minute]]


async def test_no_picture_of_an_excluded_app(phone: Both, config: CollectorsConfig) -> None:
    phone[0].state.open_app("com.whatsapp")
    context = await snapshotter(phone[1], config).snapshot()
    assert "is excluded" in why_none(context, config.frames_folder)


async def test_no_picture_of_a_locked_or_dark_phone(phone: Both, config: CollectorsConfig) -> None:
    state, taker = phone[0].state, snapshotter(phone[1], config)
    state.power.sleep()
    assert "off" in why_none(await taker.snapshot(), config.frames_folder)
    state.power.wake()
    assert "locked" in why_none(await taker.snapshot(), config.frames_folder)


async def test_a_black_screen_is_told_and_not_stored(phone: Both, config: CollectorsConfig) -> None:
    phone[0].moods["screencap"] = png(Image.new("RGB", SIZE, "black"))
    context = await snapshotter(phone[1], config).snapshot()
    assert "protects" in why_none(context, config.frames_folder)


@pytest.mark.parametrize("mood", [b"", b"Failed to take screenshot.", HANGS], ids=["nothing", "words", "a hang"])
async def test_a_failed_picture_costs_only_itself(
    phone: Both, config: CollectorsConfig, mood: str | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collectors.frames.SCREENSHOT_S", 1.0)
    phone[0].moods["screencap"] = mood
    context = await snapshotter(phone[1], config).snapshot()
    assert why_none(context, config.frames_folder)
    assert context.value("battery.level") == 80


async def test_without_frames_nothing_is_taken_and_nothing_is_missing(phone: Both, config: CollectorsConfig) -> None:
    config = config.model_copy(update={"frames": FramesConfig(enabled=False)})
    context = await snapshotter(phone[1], config).snapshot()
    assert context.frames == () and "frame" not in {one.name for one in context.device.missing}


# --- private apps over other apps ---------------------------------------------------------------------------------
async def test_no_picture_while_a_private_apps_notification_may_hang_over_the_screen(
    phone: Both, config: CollectorsConfig
) -> None:
    state, taker = phone[0].state, snapshotter(phone[1], config)
    state.notifications.post("com.whatsapp", "Sam", "see you", importance=4)
    assert "notification" in why_none(await taker.snapshot(), config.frames_folder)
    state.clock.advance(16)
    assert len((await taker.snapshot()).frames) == 1


async def test_no_picture_of_the_shade_that_lists_a_private_notification(phone: Both, config: CollectorsConfig) -> None:
    state, taker = phone[0].state, snapshotter(phone[1], config)
    state.notifications.post("com.whatsapp", "Sam", "see you")
    state.clock.advance(60)
    state.show_panel("shade")
    assert "notification" in why_none(await taker.snapshot(), config.frames_folder)


async def test_no_picture_while_a_notification_may_show_a_code(phone: Both, config: CollectorsConfig) -> None:
    config = config.model_copy(update={"excluded_apps": frozenset()})
    state, taker = phone[0].state, snapshotter(phone[1], config)
    state.messages.receive("5550199", "Your verification code is 482913")
    assert "notification" in why_none(await taker.snapshot(), config.frames_folder)
    state.clock.advance(16)
    assert len((await taker.snapshot()).frames) == 1


async def test_no_picture_while_a_private_app_rings(phone: Both, config: CollectorsConfig) -> None:
    state, taker = phone[0].state, snapshotter(phone[1], config)
    state.notifications.post("com.whatsapp", "Sam", "calling", category="call", importance=4)
    state.clock.advance(60)
    assert "notification" in why_none(await taker.snapshot(), config.frames_folder)


async def test_no_picture_while_a_password_is_typed(phone: Both, config: CollectorsConfig) -> None:
    state = phone[0].state
    state.apps.install("a.shop", "Shop", screen="sign_in")
    state.open_app("a.shop")
    state.apps.focus("password")
    assert "password" in why_none(await snapshotter(phone[1], config).snapshot(), config.frames_folder)
