"""After any sequence of commands, taps and events, all views of the state agree."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.alarms import NEXT_ALARM
from android_bridge.facts.audio import AUDIO
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.bluetooth import BLUETOOTH
from android_bridge.facts.display import NIGHT_MODE
from android_bridge.facts.hierarchy import HIERARCHY
from android_bridge.facts.media import MEDIA_SESSIONS
from android_bridge.facts.network import AIRPLANE_MODE, WIFI
from android_bridge.facts.notifications import DO_NOT_DISTURB, DO_NOT_DISTURB_DUMP, NOTIFICATIONS
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import Reader, UnreadableError
from heed.errors import UsageError
from tests.phones import run
from tests.proof import examples
from virtual_phone import VirtualPhone
from virtual_phone.scenario import device_events, events, message_events, touch_events
from virtual_phone.ui import touch
from virtual_phone.ui.screen import Screen

STEPS = examples(60, 500)
SEQUENCES = range(examples(3, 12))

COMMANDS = (
    "settings put system screen_brightness {n}",
    "cmd connectivity airplane-mode {switch}",
    "cmd notification set_dnd {dnd}",
    "svc wifi {switch}",
    "svc data {switch}",
    "svc bluetooth {switch}",
    "cmd uimode night {yes}",
    "cmd battery set level {n}",
    "cmd battery unplug",
    "cmd battery reset",
    "cmd power set-mode {bit}",
    "cmd media_session volume --stream 3 --set {small}",
    "cmd statusbar expand-notifications",
    "cmd statusbar collapse",
    "input keyevent {key}",
    "input swipe 540 1800 540 400 200",
    "input text hello",
    "am start -n com.android.settings/.Settings",
    "am start -a android.intent.action.SET_ALARM --ei android.intent.extra.alarm.HOUR 6",
    "am start -a android.intent.action.SENDTO -d smsto:+8613900000000 --es sms_body hi",
    "am start -a android.intent.action.VIEW -d https://example.org/{n}",
    "am force-stop com.android.settings",
    "monkey -p com.google.android.calendar 1",
    "content insert --uri content://com.android.contacts/raw_contacts --bind account_type:n: --bind account_name:n:",
    "content delete --uri content://call_log/calls",
    "cmd notification post -t Note tag{small} text{n}",
    "echo $(date) > /sdcard/Download/f{small}.txt; rm -f /sdcard/Download/f{n}.txt",
    "reboot nonsense",
)
KEYS = (
    "HOME",
    "BACK",
    "POWER",
    "WAKEUP",
    "SLEEP",
    "VOLUME_UP",
    "VOLUME_DOWN",
    "APP_SWITCH",
    "ENTER",
    "MEDIA_PLAY_PAUSE",
)


def some_command(chance: random.Random) -> str:
    return chance.choice(COMMANDS).format(
        n=chance.randint(0, 100),
        small=chance.randint(0, 9),
        bit=chance.randint(0, 1),
        switch=chance.choice(["enable", "disable"]),
        dnd=chance.choice(["off", "priority", "alarms", "none"]),
        yes=chance.choice(["yes", "no"]),
        key=chance.choice(KEYS),
    )


def some_event(chance: random.Random) -> events.ScenarioEvent:
    number = f"+86139{chance.randint(10**7, 10**8 - 1)}"
    makers: list[Callable[[], events.ScenarioEvent]] = [
        lambda: device_events.BatteryEvent(level=chance.randint(1, 100), charger=chance.choice(["none", "usb", "ac"])),
        lambda: message_events.SmsEvent(
            sender=number, text=chance.choice(["hi", "你好", "a; b='c' & <d>", "x" * 300, "😀\ntwo"])
        ),
        lambda: message_events.NotificationEvent(
            app="com.android.chrome", title=f"T{chance.random()}", text="a | b, c=d"
        ),
        lambda: touch_events.OpenAppEvent(app=chance.choice(["com.android.settings", "com.google.android.calendar"])),
        lambda: device_events.ScreenEvent(to=chance.choice(["on", "off", "unlocked"])),
        lambda: device_events.PlaceEvent(
            name="there", latitude=1.5, longitude=-2.5, wifi=chance.choice(["", "Home-5G"])
        ),
        lambda: message_events.CallEvent(sender=number, action=chance.choice(["ring", "answer", "hang_up"])),
        lambda: device_events.BluetoothEvent(device="Buds", connected=chance.random() < 0.5),
        lambda: device_events.MediaEvent(name=f"Screenshot_{chance.randint(1, 50)}.png"),
        lambda: device_events.MusicEvent(title=chance.choice(["", "Song"])),
    ]
    return chance.choice(makers)()


async def step(phone: VirtualPhone, chance: random.Random) -> str:
    """One thing happens; in words for the report."""
    kind = chance.random()
    if kind < 0.45:
        line = some_command(chance)
        await run(phone, line)
        return line
    if kind < 0.75:
        return tap_something(phone, chance)
    if kind < 0.78:
        minutes = chance.choice([0.1, 5, 600])
        phone.state.advance(60 * minutes)
        return f"{minutes:g} minutes pass"
    event = some_event(chance)
    try:
        event.apply(phone.state)
    except UsageError:
        return f"refused {event!r}"
    return repr(event)


def tap_something(phone: VirtualPhone, chance: random.Random) -> str:
    screen = Screen(phone.state)
    nodes = [node for window in screen.windows() for node in window.root.walk() if node.tap is not None]
    place = chance.choice(nodes).box.center if nodes else (chance.randrange(1080), chance.randrange(2400))
    touch.tap(screen, phone.state, *place)
    return f"tap {place}"


async def read(phone: VirtualPhone, reader: Reader[Any]) -> Any:
    return reader.parse((await run(phone, reader.command)).text)


async def lines_of(phone: VirtualPhone, line: str) -> int:
    return (await run(phone, line)).stdout.count("Row: ")


async def views_agree(phone: VirtualPhone) -> None:
    """The same fact through every window that shows it."""
    state = phone.state
    for one in (_device, _screen, _records):
        await one(phone)
    before = state.to_json()
    Screen(state).image()
    assert state.to_json() == before, "drawing changed the state"


async def _device(phone: VirtualPhone) -> None:
    state = phone.state
    battery = await read(phone, BATTERY)
    assert (battery.level, battery.powered) == (state.battery.level, state.battery.plugged)
    wifi = await read(phone, WIFI)
    assert wifi.enabled == state.network.wifi == ((await _setting(phone, "global wifi_on")) not in ("0", "3"))
    assert (wifi.ssid is not None) == state.network.wifi_connected
    assert await read(phone, AIRPLANE_MODE) == state.network.airplane
    assert (await read(phone, BLUETOOTH)).enabled == state.bluetooth.enabled
    assert await read(phone, DO_NOT_DISTURB) == await read(phone, DO_NOT_DISTURB_DUMP)
    assert (await read(phone, DO_NOT_DISTURB)).value == {"alarms": "alarms_only", "none": "total_silence"}.get(
        state.dnd.mode, state.dnd.mode
    )
    assert ((await read(phone, NIGHT_MODE)).value == "yes") == state.display.dark or state.display.night == "auto"
    assert (await read(phone, AUDIO)).streams["MUSIC"].volume == state.audio.volumes[3]
    playing = any(session.playing for session in await read(phone, MEDIA_SESSIONS))
    assert playing == bool(state.audio.session and state.audio.session.playing)
    alarm = await read(phone, NEXT_ALARM)
    assert (alarm.at if alarm else None) == state.alarms.next_time()


async def _setting(phone: VirtualPhone, key: str) -> str:
    return (await run(phone, f"settings get {key}")).stdout.strip()


async def _screen(phone: VirtualPhone) -> None:
    state = phone.state
    power = await read(phone, POWER)
    assert power.wakefulness.value == state.power.wakefulness.lower()
    screen = Screen(state)
    shown = [
        (node.text, node.description, node.hint) for window in screen.reachable_windows() for node in window.root.walk()
    ]
    try:
        dumped = {word for node in (await read(phone, HIERARCHY)).nodes() for word in (node.text, node.description)}
    except UnreadableError:
        assert not power.awake, "a phone that is on can be dumped"
        return
    # The dump is of the window in focus: whatever it says is drawn.
    words = {word for pair in shown for word in pair}
    assert {word for word in dumped if word.strip()} <= words
    if power.awake and not state.power.locked:
        front = (await read(phone, ACTIVITIES)).foreground
        assert front is not None and front.package == state.apps.foreground.package


async def _records(phone: VirtualPhone) -> None:
    state = phone.state
    listed = (await run(phone, "cmd notification list")).stdout.split()
    dumped = (await read(phone, NOTIFICATIONS)).items
    assert len(listed) == len(dumped) == len(state.notifications.active)
    assert [one.title for one in dumped] == [one.title for one in reversed(state.notifications.active)] or {
        one.title for one in dumped
    } == {one.title for one in state.notifications.active}
    assert await lines_of(phone, "content query --uri content://sms --projection _id") == len(state.messages.stored)
    assert await lines_of(phone, "content query --uri content://call_log/calls --projection _id") == len(
        state.calls.log
    )
    raw = await lines_of(phone, "content query --uri content://com.android.contacts/raw_contacts --projection _id")
    assert raw == len(state.contacts.raw)


@pytest.mark.parametrize("seed", SEQUENCES)
async def test_after_any_sequence_every_view_agrees(phone: VirtualPhone, seed: int) -> None:
    chance = random.Random(seed)
    done: list[str] = []
    for _ in range(STEPS):
        done.append(await step(phone, chance))
        phone.state.clock.advance(timedelta(seconds=chance.choice([0, 1, 40])).total_seconds())
        try:
            await views_agree(phone)
        except (AssertionError, UnreadableError) as error:
            error.add_note(f"seed {seed}, after {len(done)} steps, the last: " + " | ".join(done[-6:]))
            raise


async def test_after_any_sequence_a_snapshot_restores_everything(phone: VirtualPhone) -> None:
    chance = random.Random(99)
    kept, before = phone.state.snapshot(), phone.state.to_json()
    for _ in range(STEPS):
        await step(phone, chance)
    assert phone.state.to_json() != before
    phone.state.restore(kept)
    assert phone.state.to_json() == before
