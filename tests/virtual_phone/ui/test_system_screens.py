"""Drawer, recents and dialogs: the system's screens."""

import pytest
from PIL import ImageStat

from tests.phones import run
from virtual_phone import VirtualPhone
from virtual_phone.state.intents import Intent
from virtual_phone.state.well_known import LAUNCHER_APP
from virtual_phone.ui import touch
from virtual_phone.ui.screen import Screen

CLOCK, SETTINGS = "com.google.android.deskclock", "com.android.settings"


def words(phone: VirtualPhone) -> set[str]:
    """All texts of the focused window."""
    nodes = list(phone.screen.active_window().root.walk())
    return {word for node in nodes for word in (node.text, node.description)}


def tap(phone: VirtualPhone, text: str) -> None:
    place = phone.screen.find(text)
    assert place is not None, text
    touch.tap(phone.screen, phone.state, *place)


async def test_the_drawer_is_opened_by_a_swipe_and_closed_by_back(phone: VirtualPhone) -> None:
    assert "Taobao" not in words(phone)
    await run(phone, "input swipe 540 1800 540 600")
    assert "Taobao" in words(phone)
    await run(phone, "input keyevent BACK")
    assert "Taobao" not in words(phone)
    assert phone.state.apps.foreground.package == LAUNCHER_APP


async def test_recents_show_the_latest_app_first_and_a_tap_beside_them_goes_home(phone: VirtualPhone) -> None:
    for package in (CLOCK, SETTINGS):
        phone.state.open_app(package)
    await run(phone, "input keyevent APP_SWITCH")
    cards = [node for node in phone.screen.active_window().root.children if node.resource == "task"]
    assert [card.description for card in cards] == ["Settings", "Clock"]
    assert phone.screen.active_window().package == LAUNCHER_APP
    await run(phone, "input tap 20 2000")
    assert (phone.state.panel, phone.state.apps.foreground.package) == ("", LAUNCHER_APP)


async def test_clearing_recents_ends_every_task(phone: VirtualPhone) -> None:
    for package in (CLOCK, SETTINGS):
        phone.state.open_app(package)
    await run(phone, "input keyevent APP_SWITCH")
    tap(phone, "Clear all")
    assert phone.state.apps.recent() == []
    assert phone.state.apps.foreground.package == LAUNCHER_APP
    await run(phone, "input keyevent APP_SWITCH")
    assert "No recent items" in words(phone)


async def test_a_dialog_darkens_its_app_and_blocks_its_taps(phone: VirtualPhone) -> None:
    phone.state.open_app(SETTINGS)
    before = ImageStat.Stat(phone.screen.image().crop((0, 300, 60, 2000))).mean
    phone.state.apps.start(Intent(action="android.intent.action.DELETE", data="package:tv.danmaku.bili"))
    after = ImageStat.Stat(phone.screen.image().crop((0, 300, 60, 2000))).mean
    assert all(low < high / 2 for low, high in zip(after, before, strict=True))
    assert "Wi-Fi" not in words(phone)
    wifi = phone.state.network.wifi
    touch.tap(phone.screen, phone.state, 950, 360)
    assert phone.state.network.wifi is wifi
    tap(phone, "Cancel")
    assert phone.state.apps.find("tv.danmaku.bili") is not None


async def test_a_tap_above_the_sheet_closes_the_chooser(phone: VirtualPhone) -> None:
    phone.state.apps.start(Intent(action="android.intent.action.SEND", mime="text/plain"))
    assert phone.state.apps.foreground.screen == "chooser"
    touch.tap(phone.screen, phone.state, 540, 300)
    assert phone.state.apps.foreground.package == LAUNCHER_APP


async def test_a_protected_app_stays_black_behind_a_dialog(phone: VirtualPhone) -> None:
    phone.state.apps.install("my.bank", "Bank", screen="sign_in", secure=True)
    phone.state.open_app("my.bank")
    phone.state.apps.start(Intent(action="android.intent.action.SEND", mime="text/plain"))
    assert ImageStat.Stat(phone.screen.image().crop((0, 130, 1080, 900))).sum == [0, 0, 0]


@pytest.mark.parametrize(
    ("uri", "screen", "says"),
    [
        ("geo:0,0?q=library", "maps", "City Library"),
        ("google.navigation:q=Central%20Station", "maps", "Fastest way by car"),
        ("androidamap://poi?sourceApplication=x&keywords=coffee&dev=0", "maps", "Corner Coffee"),
        ("amapuri://route/plan/?dname=Home&dev=0&t=0", "maps", "Fastest way by car"),
        ("taobao://s.taobao.com/search?q=umbrella", "shop", "Folding umbrella"),
        ("taobao://cart.taobao.com/my_cart.htm", "shop", "Your cart is empty"),
        ("imeituan://www.meituan.com/search?q=%E7%89%9B%E8%82%89%E9%9D%A2", "restaurants", "Noodle House"),
        ("mailto:a@example.org?subject=Hello", "mail_compose", "Hello"),
        ("https://example.org/a?b=c", "browser", "example.org"),
        ("https://wa.me/8613800138000?text=hi", "chat", "Alice Chen"),
        ("tel:10086", "dialer", "10086"),
    ],
)
async def test_a_link_opens_the_page_that_it_is_about(phone: VirtualPhone, uri: str, screen: str, says: str) -> None:
    await run(phone, f"am start -a android.intent.action.VIEW -d '{uri}'")
    assert phone.state.apps.foreground.screen == screen
    assert says in words(phone)


NONSENSE = (
    "--es contact x --es event -1 --es letter 99999 --es note '' --es goods ? --es store ? --es alarm z"
    " --es beginTime soon --es endTime never --es rrule 'FREQ=DAILY;COUNT=x;INTERVAL=-;UNTIL=1'"
)


async def test_pages_opened_with_invalid_parameters_are_drawn(phone: VirtualPhone) -> None:
    for app in phone.state.apps.packages:
        for name in app.activities:
            await run(phone, f"am start -n '{app.component(name)}' {NONSENSE}")
            Screen(phone.state).image()


async def test_an_event_with_a_broken_rule_is_saved_without_it(phone: VirtualPhone) -> None:
    line = "am start -a android.intent.action.INSERT -t vnd.android.cursor.dir/event --es title Run --es rrule"
    for rule in ("FREQ=DAILY;COUNT=x", "FREQ=DAILY"):
        await run(phone, f"{line} '{rule}'")
        tap(phone, "Save")
    assert [event.rrule for event in phone.state.calendar.events] == [None, "FREQ=DAILY"]


async def test_the_keyboard_opens_with_the_focus_and_back_closes_it_first(phone: VirtualPhone) -> None:
    await run(phone, "am start -a android.intent.action.VIEW -d sms:10086")
    windows = [window.name for window in phone.screen.windows()]
    tap(phone, "Text message")
    assert [window.name for window in phone.screen.windows() if window.name not in windows] == ["InputMethod"]
    send = next(node for node in phone.screen.app_window().root.walk() if node.resource == "send_message_button")
    keys = next(window for window in phone.screen.windows() if window.name == "InputMethod")
    assert send.box.bottom <= keys.root.box.top
    assert not {"q", "w"} & words(phone), "it is a window of its own"
    await run(phone, "input keyevent BACK")
    assert (phone.state.apps.foreground.screen, phone.state.apps.foreground.focus) == ("conversation", "")
    await run(phone, "input keyevent BACK")
    assert phone.state.apps.foreground.package == LAUNCHER_APP


async def test_a_tap_between_the_keys_does_not_reach_the_app(phone: VirtualPhone) -> None:
    phone.state.open_app("com.google.android.apps.nbu.files")
    await run(phone, "am start -a android.intent.action.INSERT -t vnd.android.cursor.dir/contact")
    tap(phone, "Name")
    before = phone.state.to_json()
    for y in range(1640, 2330, 40):
        touch.tap(phone.screen, phone.state, 1079, y)
    assert phone.state.to_json()["apps"] == before["apps"]
