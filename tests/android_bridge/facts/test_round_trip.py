"""What a capture says, put into the virtual phone and printed again, has the same keys and line shapes."""

import re
from collections.abc import Callable

import pytest

from android_bridge.facts.battery import parse_battery
from android_bridge.facts.display import parse_night_mode, parse_screen_size
from android_bridge.facts.notifications import parse_notifications
from android_bridge.facts.properties import parse_properties
from android_bridge.facts.settings import parse_settings
from tests.android_bridge.facts.test_captures import PARSERS
from tests.phones import run
from virtual_phone import VirtualPhone
from virtual_phone.state.settings import NAMESPACES

A14 = "xiaomi-pad6-hyperos2-a14.txt"
PUT_BACK = {
    "cmd-uimode-night", "dumpsys-activity-activities", "dumpsys-alarm", "dumpsys-battery", "dumpsys-display",
    "dumpsys-notification", "dumpsys-power", "getprop", "pm-list-packages", "proc-meminfo", "settings-list-global",
    "settings-list-secure", "settings-list-system", "wm-size-density",
}  # fmt: skip
NOT_PUT_BACK = {
    "cmd-wifi-status": "it prints the sentence on the network, not the link's statistics",
    "dumpsys-audio": "the virtual phone prints the volume of each stream, not its devices",
    "dumpsys-bluetooth_manager": "it prints the adapter and the bonded devices, not the stack's history",
    "dumpsys-connectivity": "it prints the agents' lines, not the requests",
    "df": "it prints one line for /data; the captures name /data/user/0",
    "dumpsys-input_method": "it prints the keyboard's state alone",
    "dumpsys-location": "it prints the providers' last places, not who asked for them",
    "dumpsys-media_session": "it prints one session at most",
    "dumpsys-notification-zen": "it prints the mode and one policy, not the history of changes",
    "dumpsys-package": "it prints what the readers use of one app",
    "dumpsys-telecom": "it prints the call there is, not the log of calls",
    "dumpsys-telephony.registry": "it has one SIM card",
    "dumpsys-window": "it prints the windows' flags and the focus alone",
    "getevent-lp": "its touch panel is another model",
}
"""Captures of commands that we read, checked through their readers alone (test_captures, test_on_a_phone)."""


def test_every_command_that_we_read_is_put_back_or_has_a_reason() -> None:
    assert PUT_BACK.isdisjoint(NOT_PUT_BACK)
    assert PUT_BACK | set(NOT_PUT_BACK) == set(PARSERS)


@pytest.fixture
def of_command(capture: Callable[[str], str]) -> Callable[..., str]:
    """Reads a capture by its command and file, by default that of Android 14."""
    return lambda command, name=A14: capture(f"{command}/{name}")


def shape(line: str) -> str:
    """A line without its numbers, hashes, times and names of components."""
    line = re.sub(r"\{[0-9a-f]{5,8} u(\d+) [\w.]+/[\w.$]+", r"{HASH u\1 COMPONENT", line)
    line = re.sub(r"[+-](?:\d+(?:ms|[dhms]))+", "DURATION", line)
    return re.sub(r"\d+", "0", line).rstrip()


def keys(text: str) -> set[str]:
    """The names that lines begin with, with their indentation."""
    return set(re.findall(r"^( *[A-Za-z][\w ]*?)[=:]", text, re.MULTILINE))


async def test_the_battery_has_every_line_in_its_order(phone: VirtualPhone, of_command: Callable[..., str]) -> None:
    told = parse_battery(of_command("dumpsys-battery"))
    battery = phone.state.battery
    battery.technology = "Li-poly"
    battery.temperature = round((told.temperature or 0) * 10)
    battery.set(level=told.level, charger="ac")
    printed = (await run(phone, "dumpsys battery")).stdout
    assert [shape(line) for line in printed.splitlines()] == [
        shape(line) for line in of_command("dumpsys-battery").splitlines()
    ]
    again = parse_battery(printed)
    assert (again.level, again.plugged, again.status, again.temperature) == (
        *(told.level, told.plugged, told.status, told.temperature),
    )


@pytest.mark.parametrize("namespace", NAMESPACES)
async def test_settings_come_back_as_they_were(
    phone: VirtualPhone, of_command: Callable[..., str], namespace: str
) -> None:
    told = parse_settings(of_command(f"settings-list-{namespace}"))
    for key, _ in list(phone.state.settings.listed(namespace)):
        phone.state.settings.delete(namespace, key)
    for key, value in told.items():
        phone.state.settings.store(namespace, key, value)
    again = parse_settings((await run(phone, f"settings list {namespace}")).stdout)
    assert {**again, **VIEWS} == {**told, **VIEWS}


VIEWS = {"ui_night_mode": "", "next_alarm_formatted": ""}
"""Keys that Android computes: they say how the phone is, not what was stored."""


async def test_the_size_of_the_screen_and_its_colours_come_back(
    phone: VirtualPhone, of_command: Callable[..., str]
) -> None:
    text = of_command("wm-size-density", "awesome-adb.txt")
    told = parse_screen_size(text)
    display = phone.state.display
    display.width, display.height, display.density = told.width, told.height, told.density
    printed = (await run(phone, "wm size; wm density")).stdout
    assert parse_screen_size(printed) == told
    assert {shape(line) for line in printed.splitlines()} <= {shape(line) for line in text.splitlines()}
    for name, mode in (("dark.txt", "yes"), ("light.txt", "no")):
        await run(phone, f"cmd uimode night {mode}")
        printed = (await run(phone, "cmd uimode night")).stdout
        assert parse_night_mode(printed) == parse_night_mode(of_command("cmd-uimode-night", name))


async def test_the_activity_in_front_is_printed_in_the_same_two_lines(
    phone: VirtualPhone, of_command: Callable[..., str]
) -> None:
    text, printed = of_command("dumpsys-activity-activities"), (await run(phone, "dumpsys activity activities")).stdout
    for name in ("topResumedActivity", "  ResumedActivity"):
        lines = [next(line for line in source.splitlines() if name in line) for source in (text, printed)]
        assert shape(lines[0]) == shape(lines[1])


@pytest.mark.parametrize("command", ["dumpsys-power", "dumpsys-alarm", "dumpsys-display"])
async def test_a_dump_has_no_key_that_a_phone_has_not(
    phone: VirtualPhone, of_command: Callable[..., str], command: str
) -> None:
    printed = (await run(phone, command.replace("-", " ", 1))).stdout
    assert len(keys(printed)) > 2
    assert keys(printed) - keys(of_command(command)) == EXTRA.get(command, set())


EXTRA = {"dumpsys-alarm": {"    user", "      Alarm clock", "        triggerTime", "        showIntent"}}
"""Keys that the captures have not: no alarm was set on the tablet."""


async def test_notifications_come_back_with_the_same_keys(phone: VirtualPhone, of_command: Callable[..., str]) -> None:
    text = of_command("dumpsys-notification", "xiaomi-pad6-hyperos2-a14-redacted.txt")
    told = parse_notifications(text).items
    for note in told:
        phone.state.apps.install(note.package, note.package)
    for note in reversed(told):
        phone.state.notifications.post(
            note.package, "T", "t", identifier=note.id, tag=note.tag, channel=note.channel, category=note.category
        )
    printed = (await run(phone, "dumpsys notification --noredact")).stdout
    again = parse_notifications(printed).items
    assert [(note.package, note.id, note.tag, note.channel, note.category) for note in again] == [
        (note.package, note.id, note.tag, note.channel, note.category) for note in told
    ]
    begin = r"    NotificationRecord\(0x[0-9a-f]{8}: pkg=\S+ user=UserHandle\{\d+\} id=-?\d+ tag=\S+ importance=\d key="
    assert len(re.findall(begin, printed)) == len(re.findall(begin, text)) == len(told)
    records = printed[: printed.index("mUseAttentionLight")]
    assert keys(records) <= keys(text)


async def test_properties_come_back_as_they_were(phone: VirtualPhone, of_command: Callable[..., str]) -> None:
    told = parse_properties(of_command("getprop"))
    phone.state.identity.properties = dict(told)
    again = parse_properties((await run(phone, "getprop")).stdout)
    assert {name: again[name] for name in told} == dict(told)


async def test_packages_are_listed_in_the_same_shape(phone: VirtualPhone, of_command: Callable[..., str]) -> None:
    names = re.findall(
        r"^package:(\S+)$", of_command("pm-list-packages", "xiaomi-pad6-hyperos2-a14-3.txt"), re.MULTILINE
    )
    assert names
    for package in list(phone.state.apps.packages):
        package.system = True
    for name in names:
        phone.state.apps.install(name, name)
    printed = (await run(phone, "pm list packages -3")).stdout
    assert sorted(printed.splitlines()) == sorted(f"package:{name}" for name in names)


async def test_memory_is_told_in_lines_that_a_phone_has(phone: VirtualPhone, of_command: Callable[..., str]) -> None:
    text = of_command("proc-meminfo", "emulator-sdk_gphone64.txt")
    printed = (await run(phone, "cat /proc/meminfo")).stdout
    shapes = [{shape(line).replace(" ", "") for line in source.splitlines()} for source in (printed, text)]
    assert shapes[0] <= shapes[1]
