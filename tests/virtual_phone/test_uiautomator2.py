"""The unmodified uiautomator2 client against the virtual phone's own server: every call that the link relies on."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import adbutils
import pytest
import uiautomator2
from uiautomator2.exceptions import RPCUnknownError, UiObjectNotFoundError

from android_bridge.device import Device
from tests.phones import run
from virtual_phone import VirtualPhone
from virtual_phone.state.well_known import LAUNCHER_APP

T = TypeVar("T")
Use = Callable[[Callable[[Any], T]], Coroutine[Any, Any, T]]
CONTACTS = "com.google.android.contacts"
SETTINGS = "com.android.settings"


@pytest.fixture
async def use(device: Device) -> AsyncIterator[Use[Any]]:
    """Runs a function with the client in another thread, as the phone lives in this one."""
    transport = await device.transport_id()

    def connect() -> uiautomator2.Device:
        client = adbutils.AdbClient(host=device.server.host, port=device.server.port)
        return uiautomator2.connect(client.device(transport_id=transport))

    client = await asyncio.to_thread(connect)
    client.settings["wait_timeout"] = 5.0

    async def within_a_deadline(work: Callable[[Any], T]) -> T:
        async with asyncio.timeout(30):
            return await asyncio.to_thread(work, client)

    yield within_a_deadline
    await asyncio.to_thread(client.stop_uiautomator)


async def test_the_server_lives_as_long_as_its_stream(device: Device, phone: VirtualPhone, use: Use[Any]) -> None:
    assert phone.local_service("9008") is not None
    await use(lambda client: client.stop_uiautomator())
    assert phone.local_service("9008") is None
    # The next call starts it again.
    assert (await use(lambda client: client.info))["displayWidth"] == 1080
    assert phone.local_service("9008") is not None


async def test_without_its_jar_or_its_port_the_server_does_not_start(phone: VirtualPhone) -> None:
    line = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    assert (await run(phone, line)).exit_code == 134
    await run(phone, "echo jar > /data/local/tmp/u2.jar")
    assert (await run(phone, line)).exit_code == 129
    with phone.serving_locally(9008, lambda stream: asyncio.sleep(0)):
        assert "Address already in use" in (await run(phone, line)).stderr


async def test_the_device_describes_itself(phone: VirtualPhone, use: Use[Any]) -> None:
    info = await use(lambda client: client.info)
    assert (info["currentPackageName"], info["displayHeight"], info["sdkInt"]) == (LAUNCHER_APP, 2400, 34)
    assert info["screenOn"]
    assert await use(lambda client: client.window_size()) == (1080, 2400)
    assert await use(lambda client: client.app_current()["package"]) == LAUNCHER_APP


async def test_the_hierarchy_and_the_picture_are_those_of_the_screen(phone: VirtualPhone, use: Use[Any]) -> None:
    phone.state.open_app(SETTINGS)
    xml = await use(lambda client: client.dump_hierarchy())
    assert 'package="com.android.settings"' in xml
    assert 'package="com.android.systemui"' in xml
    picture = await use(lambda client: client.screenshot())
    assert picture.size == (1080, 2400)


def found(selector: dict[str, Any], client: Any) -> Any:
    """How the client describes the view."""
    return client(**selector).info


async def test_views_are_found_waited_for_and_described(phone: VirtualPhone, use: Use[Any]) -> None:
    phone.state.open_app(CONTACTS)
    assert await use(lambda client: bool(client(text="Alice Chen").exists))
    assert not await use(lambda client: bool(client(text="alice chen").exists))
    for selector in (
        {"textContains": "alice"}, {"textStartsWith": "alice"}, {"textMatches": "Al.*en"}, {"text": "Alice Chen"},
        {"resourceId": f"{CONTACTS}:id/title", "text": "Alice Chen"}, {"packageName": CONTACTS, "textContains": "Chen"},
        {"className": "android.widget.TextView", "text": "Alice Chen", "enabled": True, "scrollable": False},
    ):  # fmt: skip
        info = await use(partial(found, selector))
        assert info["text"] == "Alice Chen"
    names = await use(lambda client: [info["text"] for info in client(resourceId=f"{CONTACTS}:id/title").info_list()])
    assert {"Alice Chen", "Bob Li", "Mum"} <= set(names)
    assert await use(lambda client: client(resourceId=f"{CONTACTS}:id/title").count) == len(names)
    second = await use(lambda client: client(resourceId=f"{CONTACTS}:id/title")[1].info["text"])
    assert second == names[1]


async def test_children_and_siblings_of_views_are_found(phone: VirtualPhone, use: Use[Any]) -> None:
    phone.state.open_app(CONTACTS)
    rows = "androidx.recyclerview.widget.RecyclerView"
    assert await use(lambda client: bool(client(className=rows).child(text="Bob Li").exists))
    assert not await use(lambda client: bool(client(className=rows).child(packageName="com.android.systemui").exists))
    assert await use(lambda client: client(text="Bob Li").sibling(className="android.widget.TextView").count) >= 1


async def test_a_later_view_is_waited_for_and_a_missing_one_is_not_found(phone: VirtualPhone, use: Use[Any]) -> None:
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(use(lambda client: client(packageName=CONTACTS).wait(timeout=30)))
        await asyncio.sleep(0)
        phone.state.open_app(CONTACTS)
    assert waiting.result()
    assert await use(lambda client: client(packageName=LAUNCHER_APP).wait_gone(timeout=1))
    assert not await use(lambda client: client(text="Nowhere").wait(timeout=0.1))
    with pytest.raises(UiObjectNotFoundError):
        await use(lambda client: client(text="Nowhere").click(timeout=0.1))
    with pytest.raises(UiObjectNotFoundError):
        await use(lambda client: client(text="Nowhere").info)


@pytest.mark.parametrize("text", ["你好，世界 🙂", 'it\'s "quoted" $HOME', "النص العربي"])
async def test_text_of_any_script_goes_into_a_field(phone: VirtualPhone, use: Use[Any], text: str) -> None:
    phone.state.open_app(CONTACTS)
    await use(lambda client: client(description="Create contact").click())
    field = {"className": "android.widget.EditText", "instance": 0}
    await use(lambda client: client(**field).set_text(text))
    assert await use(lambda client: client(**field).get_text()) == text
    assert text in phone.state.apps.foreground.fields.values()
    await use(lambda client: client(**field).clear_text())
    assert text not in phone.state.apps.foreground.fields.values()
    # The hint of an empty field is its text, as on a phone.
    assert await use(lambda client: client(**field).get_text()) == "Name"


async def test_the_clipboard_is_set_read_and_pasted(phone: VirtualPhone, use: Use[Any]) -> None:
    phone.state.open_app(CONTACTS)
    await use(lambda client: client(description="Create contact").click())
    await use(lambda client: client(text="Name").click())
    await use(lambda client: client.set_clipboard("剪贴板"))
    assert phone.state.keyboard.clipboard == "剪贴板"
    assert await use(lambda client: client.clipboard) == "剪贴板"
    await use(lambda client: client.jsonrpc.pasteClipboard())
    assert await use(lambda client: client(focused=True).get_text()) == "剪贴板"
    await use(lambda client: client.jsonrpc.clearInputText())
    assert "剪贴板" not in phone.state.apps.foreground.fields.values()


async def test_touches_and_keys_reach_the_screen(phone: VirtualPhone, use: Use[Any]) -> None:
    state = phone.state

    def panel() -> str:
        return state.panel

    state.open_app(CONTACTS)
    await use(lambda client: client.press("home"))
    assert state.apps.foreground.package == LAUNCHER_APP
    await use(lambda client: client.press("volume_up"))
    await use(lambda client: client.press(25))
    await use(lambda client: client.swipe(540, 10, 540, 1200))
    assert panel() == "shade"
    await use(lambda client: client.press("back"))
    assert panel() == ""
    await use(lambda client: client.open_notification())
    assert panel() == "shade"
    await use(lambda client: client.drag(540, 2000, 540, 300))
    assert panel() == ""
    await use(lambda client: client.swipe_points([(540, 10), (540, 500), (540, 1200)]))
    assert panel() == "shade"
    await use(lambda client: client.touch.down(540, 2000).move(540, 900).up(540, 300))
    assert panel() == ""
    await use(lambda client: client.screen_off())
    asleep = state.power.wakefulness
    assert asleep == "Asleep"
    await use(lambda client: client.screen_on())
    assert state.power.wakefulness == "Awake"
    await use(lambda client: client.long_click(540, 1200))


async def test_lists_are_scrolled(phone: VirtualPhone, use: Use[Any]) -> None:
    phone.state.open_app(SETTINGS)
    assert await use(lambda client: client(scrollable=True).scroll.forward())
    here = phone.state.apps.foreground.scroll
    assert here > 0
    assert await use(lambda client: client(scrollable=True).scroll.backward())
    assert phone.state.apps.foreground.scroll < here
    await use(lambda client: client(scrollable=True).scroll.toEnd())
    end = phone.state.apps.foreground.scroll
    assert not await use(lambda client: client(scrollable=True).scroll.forward())
    assert await use(lambda client: client(scrollable=True).scroll.toBeginning())
    assert phone.state.apps.foreground.scroll == 0
    await use(lambda client: client(scrollable=True).fling.forward())
    assert 0 < phone.state.apps.foreground.scroll <= end
    assert not await use(lambda client: client(scrollable=True).scroll.to(text="Nowhere"))


async def test_a_toast_is_the_last_one_until_it_is_cleared(use: Use[Any]) -> None:
    assert await use(lambda client: client.last_toast) is None
    await use(lambda client: client.toast.show("hello", 1.0))
    assert await use(lambda client: client.last_toast) == "hello"
    await use(lambda client: client.clear_toast())
    assert await use(lambda client: client.last_toast) is None


async def test_a_method_or_pattern_that_is_wrong_is_an_error_and_the_next_call_works(use: Use[Any]) -> None:
    for call in (
        lambda client: client.jsonrpc.noSuchMethod(),
        lambda client: client.jsonrpc.click(),
        lambda client: client.jsonrpc.click("a", "b"),
        lambda client: client(textMatches="(").info,
    ):
        with pytest.raises(RPCUnknownError):
            await use(call)
    assert (await use(lambda client: client.info))["displayWidth"] == 1080


async def test_apps_are_started_listed_and_stopped(phone: VirtualPhone, use: Use[Any]) -> None:
    await use(lambda client: client.app_start(CONTACTS))
    assert phone.state.apps.foreground.package == CONTACTS
    assert (await use(lambda client: client.app_current()))["package"] == CONTACTS
    assert CONTACTS in await use(lambda client: client.app_list())
    assert CONTACTS in await use(lambda client: client.app_list_running())
    assert await use(lambda client: client.app_wait(CONTACTS, timeout=30.0))
    await use(lambda client: client.app_stop(CONTACTS))
    assert CONTACTS not in phone.state.apps.running()


async def test_keys_are_sent_through_the_clipboard_without_another_keyboard(phone: VirtualPhone, use: Use[Any]) -> None:
    keyboard = phone.state.keyboard.current
    phone.state.open_app(CONTACTS)
    await use(lambda client: client(description="Create contact").click())
    await use(lambda client: client(text="Name").click())
    await use(lambda client: client.send_keys("王芳 🙂"))
    assert "王芳 🙂" in phone.state.apps.foreground.fields.values()
    assert phone.state.keyboard.current == keyboard


async def test_xpath_finds_and_clicks_what_the_hierarchy_shows(phone: VirtualPhone, use: Use[Any]) -> None:
    phone.state.open_app(CONTACTS)
    assert await use(lambda client: client.xpath('//*[@text="Bob Li"]').exists)
    await use(lambda client: client.xpath('//*[@text="Bob Li"]').click())
    assert await use(lambda client: client(textContains="139 1122 3344").wait(timeout=30))
