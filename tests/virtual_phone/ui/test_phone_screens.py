"""Screens: pixels, UI dump, taps and typing are views of one tree."""

import io
import struct
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from android_bridge.device import Device
from tests.phones import START, run
from tests.proof import examples
from virtual_phone import PhoneState, VirtualPhone, fonts
from virtual_phone.state.intents import Intent
from virtual_phone.ui import touch
from virtual_phone.ui.dump import hierarchy


async def nodes(phone: VirtualPhone) -> list[ElementTree.Element]:
    """Every node of the UI dump."""
    xml = (await run(phone, "uiautomator dump /dev/tty")).stdout
    return list(ElementTree.fromstring(xml.removesuffix("UI hierchary dumped to: /dev/tty\n")).iter("node"))


async def texts(phone: VirtualPhone) -> list[str]:
    """The texts of the UI dump."""
    return [node.get("text", "") for node in await nodes(phone) if node.get("text")]


async def tap(phone: VirtualPhone, label: str) -> None:
    """Tap the node with this text, description or resource id, through ``input tap``."""
    found = [node for node in await nodes(phone) if label in (node.get("text"), node.get("content-desc"))]
    found += [node for node in await nodes(phone) if (node.get("resource-id") or "").endswith(f":id/{label}")]
    left, top, right, bottom = map(int, found[0].get("bounds", "").replace("][", ",").strip("[]").split(","))
    await run(phone, f"input tap {(left + right) // 2} {(top + bottom) // 2}")


async def test_a_screenshot_is_a_picture_of_the_screen(device: Device) -> None:
    shot = await device.screenshot()
    assert (shot.width, shot.height) == (1080, 2400)
    picture = Image.open(io.BytesIO(shot.png))
    assert len(picture.convert("RGB").getcolors(maxcolors=2**24) or []) > 100
    raw = await device.exec_out("screencap")
    assert struct.unpack("<4I", raw[:16]) == (1080, 2400, 1, 1)
    assert raw[16:] == picture.convert("RGBA").tobytes()


async def test_a_frame_is_drawn_again_only_when_something_changed(phone: VirtualPhone) -> None:
    first = phone.screen.png()
    assert phone.screen.png() is first
    phone.state.battery.set(level=9)
    assert phone.screen.png() != first
    second = phone.screen.png()
    phone.state.clock.advance(61)
    assert phone.screen.png() != second


async def test_a_sleeping_screen_is_black_and_takes_no_taps(phone: VirtualPhone) -> None:
    phone.state.power.sleep()
    assert Image.open(io.BytesIO(phone.screen.png())).getextrema() == ((0, 0), (0, 0), (0, 0))
    assert not touch.tap(phone.screen, phone.state, 500, 700)


async def test_a_message_is_written_shown_and_sent_by_tapping_send(phone: VirtualPhone) -> None:
    line = "am start -W -a android.intent.action.SENDTO -d 'smsto:+86 138 0013 8000' --es sms_body 'On my way'"
    await run(phone, line)
    shown = await texts(phone)
    assert {"Alice Chen", "+86 138 0013 8000", "On my way", "Lunch tomorrow?"} <= set(shown)
    assert [message.kind for message in phone.state.messages.stored] == [1, 1]
    await tap(phone, "send_message_button")
    assert phone.state.messages.stored[-1].body == "On my way"
    sent = await run(phone, "content query --uri content://sms/sent --projection address:body")
    assert sent.stdout == "Row: 0 address=+86 138 0013 8000, body=On my way\n"
    assert "On my way" in await texts(phone)


async def test_text_is_typed_into_the_field_in_focus(phone: VirtualPhone) -> None:
    await run(phone, "am start -a android.intent.action.INSERT -t vnd.android.cursor.dir/contact --es phone 123")
    await tap(phone, "name")
    await run(phone, "input text 'Ann%sLi'")
    assert "Ann Li" in await texts(phone)
    assert touch.type_text(phone.state, "李")
    await run(phone, "input keyevent 67")
    await tap(phone, "save")
    assert [contact.name for contact in phone.state.contacts.raw][-1] == "Ann Li"


async def test_input_text_knows_ascii_only(phone: VirtualPhone) -> None:
    result = await run(phone, "input text 你好")
    assert (result.exit_code, "NullPointerException" in result.stderr) == (255, True)


async def test_an_alarm_is_toggled_by_its_switch(phone: VirtualPhone) -> None:
    phone.state.open_app("com.google.android.deskclock")
    await tap(phone, "onoff")
    assert not phone.state.alarms.alarms[0].enabled
    switch = next(node for node in await nodes(phone) if node.get("class") == "android.widget.Switch")
    assert (switch.get("checkable"), switch.get("checked")) == ("true", "false")


async def test_an_app_is_picked_in_the_chooser(phone: VirtualPhone) -> None:
    await run(phone, "am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT 'a secret'")
    await tap(phone, "WhatsApp")
    assert phone.state.apps.foreground.package == "com.whatsapp"
    assert "a secret" in await texts(phone)


async def test_a_landing_page_shows_the_parameters_it_received(phone: VirtualPhone) -> None:
    uri = "bilibili://www.bilibili.com/search?q=%E7%89%9B%E8%82%89%E9%9D%A2&n=2"
    await run(phone, f"am start -a android.intent.action.VIEW -d '{uri}' --es note 'less salt'")
    assert {"www.bilibili.com", "/search", "牛肉面", "2", "less salt"} <= set(await texts(phone))


async def test_the_shade_opens_shows_and_clears_notifications(phone: VirtualPhone) -> None:
    phone.state.messages.receive("10086", "Your bill is ready")
    await run(phone, "input swipe 540 10 540 1200")
    assert "Your bill is ready" in await texts(phone)
    assert "mCurrentFocus=Window{1651cd4 u0 NotificationShade}" in (await run(phone, "dumpsys window")).stdout
    await tap(phone, "Clear all")
    assert phone.state.notifications.active == []
    await run(phone, "input keyevent BACK")
    assert phone.state.panel == ""


async def test_a_tap_on_a_notification_opens_its_conversation(phone: VirtualPhone) -> None:
    phone.state.messages.receive("10086", "Your bill is ready")
    touch.tap(phone.screen, phone.state, 540, 240)  # the heads-up
    assert phone.state.apps.foreground.screen == "conversation"
    assert "Your bill is ready" in await texts(phone)
    assert phone.state.notifications.active == []


async def test_a_locked_phone_opens_by_a_swipe_unless_it_is_secured(phone: VirtualPhone) -> None:
    phone.state.power.sleep()
    await run(phone, "input keyevent WAKEUP")
    assert "Swipe up to unlock" in await texts(phone)
    phone.state.power.secure_lock = True
    await run(phone, "input swipe 540 2000 540 800")
    assert phone.state.power.locked
    phone.state.power.secure_lock = False
    await run(phone, "input swipe 540 2000 540 800")
    assert not phone.state.power.locked


async def test_a_long_list_scrolls(phone: VirtualPhone) -> None:
    for number in range(40):
        phone.state.contacts.add(f"Person {number:02}", str(100 + number))
    phone.state.open_app("com.google.android.contacts")
    assert "Person 30" not in await texts(phone)
    for _ in range(8):
        await run(phone, "input swipe 540 1800 540 600")
    assert "Person 39" in await texts(phone)
    for node in await nodes(phone):
        left, top, right, bottom = map(int, node.get("bounds", "").replace("][", ",").strip("[]").split(","))
        assert 0 <= left < right <= 1080
        assert 0 <= top < bottom <= 2400


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("night", ["no", "yes"])
@pytest.mark.parametrize("package", [app.package for app in PhoneState.standard(START).apps.packages if app.launcher])
async def test_every_app_draws_and_dumps(phone: VirtualPhone, package: str, language: str, night: str) -> None:
    phone.state.identity.language = language  # type: ignore[assignment]
    phone.state.display.set_night(night)  # type: ignore[arg-type]
    assert phone.state.open_app(package)
    assert phone.screen.image().size == (1080, 2400)
    assert {node.get("package") for node in await nodes(phone)} == {package}


@settings(max_examples=examples(25))
@given(st.text(max_size=300))
def test_any_text_is_shown_and_dumped(text: str) -> None:
    phone = VirtualPhone(PhoneState.standard(START))
    extras = {"sms_body": text}
    phone.state.apps.start(Intent(action="android.intent.action.SENDTO", data="smsto:1", extras=extras))
    phone.screen.image()
    window = phone.screen.active_window()
    ElementTree.fromstring(hierarchy([window]).encode("utf-8", "replace"))


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=80), st.integers(200, 900))
def test_wrapped_lines_fit_and_lose_nothing(text: str, limit: int) -> None:
    lines = fonts.wrap(text, 40, limit)
    assert all(len(line) <= 1 or fonts.width(line, 40) <= limit for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_notification_leaves_the_screen_after_five_seconds_and_a_call_does_not(phone: VirtualPhone) -> None:
    state = phone.state
    state.messages.receive("10086", "Your bill is ready")
    assert phone.screen.find("Your bill is ready")
    with_it = phone.screen.png()
    state.clock.advance(6)
    assert phone.screen.find("Your bill is ready") is None
    assert phone.screen.png() != with_it
    state.notifications.post("com.android.dialer", "Alice", "Incoming call", importance=4, category="call")
    state.clock.advance(60)
    assert phone.screen.find("Alice")
