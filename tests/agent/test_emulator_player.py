"""A scenario on an emulator (here: the virtual phone that plays one): every event arrives, or is said not to."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from agent.demo.emulator_commands import COMMANDS_BY_EVENT, emulator_scenes, limitations
from agent.demo.emulator_console import emulator_console
from agent.demo.emulator_player import EmulatorPlayer
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed.errors import DeviceError, UsageError
from tests.phones import connected_device
from virtual_phone import PhoneState, Scenario, VirtualPhone
from virtual_phone.scenario import shipped
from virtual_phone.scenario.events import EVENTS
from virtual_phone.text_picture import encoded

HEAD = "name: x\nstart: 2026-02-06T14:00:00+08:00\ntimeline:\n"


def scenario(folder: Path, *events: str) -> Scenario:
    path = folder / "scenario.yaml"
    path.write_text(HEAD + "".join(f"  - {{at: '15:00', {event}}}\n" for event in events), "utf-8")
    return Scenario.load(path)


@pytest.fixture
async def emulator(phone: VirtualPhone, adb_server: AdbServer) -> AsyncIterator[Device]:
    async with connected_device(phone, adb_server, emulated=True) as device:
        yield device


@pytest.fixture
async def player(emulator: Device) -> AsyncIterator[EmulatorPlayer]:
    async with emulator_console(emulator.serial) as console:
        yield EmulatorPlayer(emulator, console)


SEEN: list[tuple[str, Callable[[PhoneState], object]]] = [
    ("battery: {level: 15, charger: usb}", lambda s: (s.battery.level, s.battery.plugged) == (15, True)),
    ("battery: {charger: none}", lambda s: not s.battery.plugged),
    (
        'sms: {from: \'+86 150 2233 4455\', text: "hi,\\nit\'s \\\\ \\"me\\" 你好"}',
        lambda s: s.messages.stored[-1].body == 'hi,\nit\'s \\ "me" 你好' and "2233" in s.messages.stored[-1].address,
    ),
    (
        "notification: {app: com.android.vending, title: \"It's on\", text: 'a; b $(c) 你好'}",
        lambda s: (s.notifications.active[0].title, s.notifications.active[0].text) == ("It's on", "a; b $(c) 你好"),
    ),
    ("open_app: {app: com.android.settings}", lambda s: s.apps.foreground.package == "com.android.settings"),
    ("screen: {to: 'off'}", lambda s: s.power.wakefulness != "Awake"),
    (
        "place: {name: there, latitude: 31.2, longitude: 121.5, wifi: ''}",
        lambda s: (s.location.latitude, s.network.wifi) == (31.2, False),
    ),
    ("call: {from: '10086'}", lambda s: s.calls.number_state == 1),
    ("bluetooth: {enabled: false}", lambda s: not s.bluetooth.enabled),
    (
        "setting: {namespace: system, key: screen_brightness, value: '9'}",
        lambda s: s.settings.get("system", "screen_brightness") == "9",
    ),
    (
        "media: {folder: Pictures/Some one, name: it's.png, size: 1234}",
        lambda s: [one.size for one in s.media.items if one.name == "it's.png"] == [1234],
    ),
    (
        "media: {folder: Pictures, name: note.png, shows: Hall B}",
        lambda s: (
            [s.files.read(one.path).read() for one in s.media.items if one.name == "note.png"]
            == [encoded("Hall B", ".png")]
        ),
    ),
    ("do_not_disturb: alarms", lambda s: s.dnd.mode == "alarms"),
    ("ringer: vibrate", lambda s: s.audio.ringer == "vibrate"),
    (
        "radio: {airplane: false, wifi: false, mobile_data: false, bluetooth: false, nfc: false, location: false}",
        lambda s: (
            not any((s.network.wifi, s.network.mobile_data, s.bluetooth.enabled, s.network.nfc, s.location.enabled))
        ),
    ),
    ("chat: {app: com.whatsapp, with: Dave, text: ok}", lambda s: s.notifications.active[0].title == "Dave"),
    ("mail: {from: Craig, subject: Rev C, text: x}", lambda s: "Rev C" in s.notifications.active[0].text),
    ("timezone: Europe/Lisbon", lambda s: s.identity.timezone == "Europe/Lisbon"),
    ("call: {to: '10086', action: dial}", lambda s: s.calls.number_state == 2),
    ("music: {}", lambda s: True),
    ("key: HOME", lambda s: "launcher" in s.apps.foreground.package),
    ("swipe: {start: [540, 1800], end: [540, 400]}", lambda s: True),
    ("tap: {x: 540, y: 1200}", lambda s: True),
    ("advance: {minutes: 5}", lambda s: True),
]


@pytest.mark.parametrize(("event", "seen"), SEEN, ids=[event.partition(":")[0] for event, _ in SEEN])
async def test_an_event_arrives_on_the_emulator(
    tmp_path: Path, phone: VirtualPhone, player: EmulatorPlayer, event: str, seen: Callable[[PhoneState], object]
) -> None:
    (scene,) = emulator_scenes(scenario(tmp_path, event))
    assert scene.unsupported == ""
    await player.play(scene)
    assert seen(phone.state)


async def test_a_call_goes_on_with_the_number_that_rang(
    tmp_path: Path, phone: VirtualPhone, player: EmulatorPlayer
) -> None:
    calls = scenario(tmp_path, "call: {from: '10086'}", "call: {action: answer}", "call: {action: hang_up}")
    states = []
    for scene in emulator_scenes(calls):
        await player.play(scene)
        states.append(phone.state.calls.number_state)
    assert states == [1, 2, 0]


async def test_the_person_taps_what_the_screen_says_and_types(
    tmp_path: Path, phone: VirtualPhone, player: EmulatorPlayer
) -> None:
    steps = scenario(
        tmp_path, "open_app: {app: com.google.android.contacts}", "tap: {text: Create contact}", "tap: {text: Name}",
        "type: Zoe Ray", "tap: {text: Save}",
    )  # fmt: skip
    for scene in emulator_scenes(steps):
        await player.play(scene)
    assert "Zoe Ray" in [contact.name for contact in phone.state.contacts.raw]


def test_what_cannot_happen_on_an_emulator_is_named_with_its_reason_before_it_begins(tmp_path: Path) -> None:
    told = limitations(
        scenario(
            tmp_path, "bluetooth: {device: Buds, connected: false}", "type: 你好", "music: {title: Song}",
            "sms: {from: Bank, text: hi}", "calendar: {title: x, start: 2026-02-06T18:00:00+08:00}",
            "notification: {app: a.b, title: t, text: u}", "send_sms: {to: '1', text: a}",
            "chat: {app: a.b, with: c, text: d, own: true}", "calendar_delete: {title: x}", "radio: {hotspot: true}",
        )
    )  # fmt: skip
    assert [sentence.partition(" is left out")[0] for sentence in told if "left out" in sentence] == [
        "15:00 bluetooth", "15:00 type", "15:00 music", "15:00 sms", "15:00 calendar",
        "15:00 send_sms", "15:00 chat", "15:00 calendar_delete", "15:00 radio",
    ]  # fmt: skip
    assert any("Android's shell" in sentence for sentence in told)
    assert "its own clock" in told[0]


async def test_what_the_emulator_refuses_is_an_error_that_names_it(tmp_path: Path, player: EmulatorPlayer) -> None:
    for event, what in (("open_app: {app: no.such.app}", "monkey"), ("tap: {text: Nowhere}", "'Nowhere'")):
        (scene,) = emulator_scenes(scenario(tmp_path, event))
        with pytest.raises(DeviceError, match=what):
            await player.play(scene)


async def test_a_console_that_asks_for_its_token_is_shown_it(
    tmp_path: Path, phone: VirtualPhone, emulator: Device
) -> None:
    phone.console.token = "s3cret"
    token = tmp_path / "token"
    with pytest.raises(DeviceError, match="cannot be read"):
        async with emulator_console(emulator.serial, token=token):
            pass
    token.write_text("wrong\n")
    with pytest.raises(DeviceError, match="does not match"):
        async with emulator_console(emulator.serial, token=token):
            pass
    token.write_text("s3cret\n")
    async with emulator_console(emulator.serial, token=token) as console:
        await console.run("power capacity 7")
        with pytest.raises(DeviceError, match="refused 'power capacity 700'"):
            await console.run("power capacity 700")
    assert phone.state.battery.level == 7


@pytest.mark.parametrize("serial", ["R5CT1234", "127.0.0.1:5555", "emulator-x"])
async def test_a_real_phone_is_never_played_on(serial: str) -> None:
    with pytest.raises(UsageError, match="not an emulator"):
        async with emulator_console(serial):
            pass


def test_every_shipped_scenario_but_the_one_with_headphones_can_be_sent_whole() -> None:
    left_out = {name for name in shipped() if any(scene.unsupported for scene in emulator_scenes(Scenario.load(name)))}
    assert left_out == {"headphones"}


def test_every_event_has_its_commands() -> None:
    assert COMMANDS_BY_EVENT.keys() == set(EVENTS)
