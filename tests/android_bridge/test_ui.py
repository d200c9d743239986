"""The screen through the unmodified uiautomator2 client."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from importlib.resources import files

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.screen_helper import JAR
from android_bridge.ui import Direction, Key, Selector, Ui
from heed.errors import DeviceError, DeviceLostError
from tests.android_bridge.uiautomator import MiniServer
from tests.phones import connected_device
from virtual_phone import VirtualPhone

HELLO = Selector(text="Hello")


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> MiniServer:
    server = MiniServer()
    server.installed(monkeypatch)
    return server


@pytest.fixture
async def ui(device: Device, screen: MiniServer) -> AsyncIterator[Ui]:
    ui = Ui(device, timeout=30)
    yield ui
    await ui.close()


async def test_the_helper_is_copied_to_the_phone_and_the_tree_is_read(ui: Ui, device: Device) -> None:
    tree = await ui.hierarchy()
    assert tree.texts() == ("Hello",)
    jar = (files("uiautomator2") / "assets" / "u2.jar").read_bytes()
    copied = await device.pull(JAR)
    assert hashlib.sha256(copied).digest() == hashlib.sha256(jar).digest()
    await ui.close()
    assert not (await device.shell("ls /data/local/tmp")).stdout


async def test_fingers_and_keys_reach_the_phone(ui: Ui, screen: MiniServer) -> None:
    await ui.tap(5, 6)
    await ui.long_tap(5, 6)
    await ui.tap_on(HELLO)
    await ui.press(Key.BACK)
    await ui.scroll(Direction.DOWN)
    assert [call for call in screen.calls if call in ("click", "swipe", "pressKey")] == [
        *("click", "click", "click", "pressKey", "swipe")
    ]


async def test_a_view_that_is_not_there_is_an_error_and_waiting_for_it_is_false(ui: Ui) -> None:
    nowhere = Selector(text="Nowhere")
    assert await ui.wait_for(HELLO, 0.1)
    assert not await ui.wait_for(nowhere, 0.1)
    with pytest.raises(DeviceError, match="shows no such view"):
        await ui.tap_on(nowhere, wait=0.1)


@pytest.mark.parametrize("text", ["你好，世界 🙂", 'it\'s "quoted" $HOME\nsecond line', "", "النص العربي"])
@pytest.mark.parametrize("accepts", [True, False])
async def test_text_of_any_script_goes_in_and_the_clipboard_stays_the_persons(
    ui: Ui, screen: MiniServer, device: Device, text: str, accepts: bool
) -> None:
    screen.accepts_text = accepts
    keyboard = await device.shell("settings get secure default_input_method")
    await ui.enter_text(text)
    assert screen.field == text
    assert screen.clipboard == "mine"
    assert await device.shell("settings get secure default_input_method") == keyboard
    assert not [call for call in screen.calls if "ime" in call.lower()]


async def test_a_field_that_shows_something_else_afterwards_is_an_error(ui: Ui, screen: MiniServer) -> None:
    screen.methods["getText"] = lambda _: "••••"
    with pytest.raises(DeviceError, match="the field shows another text"):
        await ui.enter_text("1234")
    assert screen.clipboard == "mine"


async def test_a_keyboard_that_another_tool_left_behind_meanwhile_is_switched_back(
    ui: Ui, screen: MiniServer, device: Device, phone: VirtualPhone
) -> None:
    keyboard = (await device.shell("settings get secure default_input_method")).stdout

    def switching(_: object, text: str) -> bool:
        phone.state.settings.put("secure", "default_input_method", "com.github.uiautomator/.AdbKeyboard")
        screen.field = text
        return True

    screen.methods["setText"] = switching
    await ui.enter_text("x")
    assert (await device.shell("settings get secure default_input_method")).stdout == keyboard


async def test_a_screen_that_does_not_answer_costs_its_deadline_and_works_again_afterwards(
    device: Device, screen: MiniServer
) -> None:
    ui = Ui(device, timeout=0.5)
    await ui.hierarchy()
    screen.answers = False
    with pytest.raises(DeviceLostError, match=r"did not answer within 0\.5 s"):
        await ui.tap(1, 1)
    screen.answers = True
    await ui.tap(1, 1)
    await ui.close()


async def test_the_next_action_begins_only_when_the_last_has_returned_although_it_was_given_up(
    ui: Ui, screen: MiniServer
) -> None:
    await ui.hierarchy()
    given_up = asyncio.ensure_future(ui.tap(1, 1))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(*(ui.tap(2, 2) for _ in range(5)), given_up, return_exceptions=True)
    assert screen.calls.count("click") in (5, 6)


async def test_a_phone_that_was_away_is_driven_again(
    phone: VirtualPhone, screen: MiniServer, adb_server: AdbServer
) -> None:
    async with connected_device(phone, adb_server) as device:
        ui = Ui(device, timeout=30)
        await ui.tap(1, 1)
        before = await device.transport_id()
        await adb_server.disconnect(device.serial)
        with pytest.raises(DeviceError):
            await ui.tap(1, 1)
        await adb_server.connect(device.serial)
        async with asyncio.timeout(20):
            async for entries in adb_server.track():
                if (device.serial, "device") in entries:
                    break
        assert await device.transport_id() != before
        await ui.tap(1, 1)
        await ui.close()
    assert screen.calls.count("click") == 2


async def test_a_page_of_the_virtual_phone_is_filled_in_through_its_own_server(
    device: Device, phone: VirtualPhone
) -> None:
    phone.state.open_app("com.google.android.contacts")
    ui = Ui(device, timeout=30)
    await ui.tap_on(Selector(description="Create contact"))
    await ui.tap_on(Selector(text="Name"))
    for name in ("王芳", "", "李娜"):
        await ui.enter_text(name)
        assert (name or "Name") in (await ui.hierarchy()).texts()
    await ui.tap_on(Selector(text="Save"))
    assert phone.state.contacts.raw[-1].name == "李娜"
    await ui.press(Key.HOME)
    await ui.close()
    async with asyncio.timeout(60):
        # The phone learns of the closed line a moment later than we do.
        while phone.local_service("9008") is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
