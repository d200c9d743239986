"""Every capture of a command that we read parses, or a table here says why not."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

import pytest

from android_bridge import facts
from android_bridge.facts import (
    activities,
    alarms,
    audio,
    battery,
    bluetooth,
    content,
    display,
    hierarchy,
    input_method,
    location,
    media,
    memory,
    network,
    notifications,
    packages,
    power,
    properties,
    settings,
    sleep,
    telephony,
    touch,
    windows,
)
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.facts.text import parser
from tests.proof import examples

Parse = Callable[[str], Any]


def rows_like(capture: str) -> Parse:
    """The parser of the columns that the capture itself names, as a projection would have asked for them."""
    first_row = capture.split("\n", maxsplit=1)[0].lstrip().split(" ", 2)[2]
    columns = [part.split("=")[0] for part in first_row.split(", ") if "=" in part]
    return parser("The rows")(partial(content.split_rows, columns=columns))


PARSERS: dict[str, Parse] = {
    "cmd-uimode-night": display.parse_night_mode,
    "cmd-wifi-status": network.parse_wifi,
    "dumpsys-activity-activities": activities.parse_activities,
    "dumpsys-audio": audio.parse_audio,
    "dumpsys-alarm": alarms.parse_next_alarm,
    "df": memory.parse_storage,
    "dumpsys-battery": battery.parse_battery,
    "dumpsys-bluetooth_manager": bluetooth.parse_bluetooth,
    "dumpsys-connectivity": network.parse_connectivity,
    "dumpsys-display": display.parse_displays,
    "dumpsys-input_method": input_method.parse_input_method,
    "dumpsys-location": location.parse_location,
    "dumpsys-media_session": media.parse_media_sessions,
    "dumpsys-notification": notifications.parse_notifications,
    "dumpsys-notification-zen": notifications.parse_do_not_disturb,
    "dumpsys-package": packages.parse_package,
    "dumpsys-power": power.parse_power,
    "dumpsys-telecom": telephony.parse_calls,
    "dumpsys-telephony.registry": telephony.parse_telephony,
    "dumpsys-window": windows.parse_secure_windows,
    "getevent-lp": touch.parse_touch_panels,
    "getprop": properties.parse_properties,
    "pm-list-packages": packages.parse_packages,
    "proc-meminfo": memory.parse_memory,
    "settings-list-global": settings.parse_settings,
    "settings-list-secure": settings.parse_settings,
    "settings-list-system": settings.parse_settings,
    "wm-size-density": display.parse_screen_size,
}

ALSO_READ: tuple[tuple[str, Parse], ...] = (("dumpsys-battery", sleep.parse_sleep_times),)
"""Further parsers of a command's output."""

ROWS = ("content-query-calendar-events", "content-query-call_log", "content-query-contacts", "content-query-sms")

OF_TABLES = ("airplane_mode", "do_not_disturb", "mobile_data")
"""Readers of one setting, whose values the captures of whole tables show."""

UNCONFIRMED = {
    "clock": "no capture of `date`",
    "input_method": "no capture shows the type of a field",
    "listeners": "no capture of the tables of sockets",
    "secure_windows": "no capture shows a secure window",
}
"""Readers of which captures confirm nothing, or not all."""

UNREADABLE = {
    "dumpsys-battery/android5-nexus-awesome-adb.txt": "a paragraph of documentation, no output of the command",
    **dict.fromkeys(
        (
            "dumpsys-window/appium-adb-multi-display-focus.txt",
            "dumpsys-window/python-androidtv-focus-2.txt",
            "dumpsys-window/python-androidtv-focus-3.txt",
        ),
        "lines on the focus, found with grep; we read the focus in `dumpsys activity activities`",
    ),
    "pm-list-packages/xiaomi-miui-awesome-adb.txt": "ends in a line of documentation",
    "content-query-contacts/android_world-test-multi-row.txt": "two first rows, indented: written by hand for a test",
    "content-query-contacts/legacy-people-uri.txt": "one row cut out of the middle of a list",
    "content-query-calendar-events/projection-title-2026.txt": "one row cut out of the middle of a list",
}
"""Captures of commands that we read which must be refused: they are not what the command printed."""

NOT_READ = {
    "am-start-errors": "errors of a command that acts: see test_shell",
    "getevent-lt": "a stream of events: see test_touch",
    "logcat-events": "a stream of events: see test_log",
    "monkey-errors": "errors of a command that heed does not run",
    "content-query-errors": "errors of a provider: see test_content",
    "dumpsys-accessibility": "no reader needs it",
    "dumpsys-activity": "the sections that we read are captured on their own",
    "dumpsys-activity-recents": "no reader needs it",
    "dumpsys-activity-services": "no reader needs it",
    "dumpsys-activity-starter": "no reader needs it",
    "dumpsys-activity-top": "no reader needs it",
    "dumpsys-appops": "no reader needs it",
    "dumpsys-batterystats-history": "no reader needs it",
    "dumpsys-deviceidle": "no reader needs it",
    "dumpsys-input": "no reader needs it",
    "dumpsys-usagestats": "times follow the phone's language; the events stream and our own log tell the same",
    "dumpsys-wifi": "`cmd wifi status` says it in one line",
    "dumpsys-window-displays": "a paragraph of documentation, no output of the command",
    "uiautomator-dump": "see test_hierarchy, which reads them all",
    "ifconfig": "no reader needs an address",
    "netcfg": "gone since Android 6",
}
"""Captured commands that we do not read."""


def all_readers() -> list[Reader[Any]]:
    """The readers of ``android_bridge.facts``, by name."""
    modules = (import_module(f"{facts.__name__}.{module.name}") for module in iter_modules(facts.__path__))
    found = {value for module in modules for value in vars(module).values() if isinstance(value, Reader)}
    return sorted(found, key=lambda reader: reader.name)


class Capture(NamedTuple):
    name: str
    text: str
    parse: Parse


@pytest.fixture(scope="session")
def folder(captures_folder: Path) -> Path:
    return captures_folder


def captures(folder: Path) -> Iterator[Capture]:
    for command, parse in (*PARSERS.items(), *ALSO_READ, *((command, None) for command in ROWS)):
        for path in sorted((folder / command).glob("*.*")):
            text = path.read_text(encoding="utf-8", errors="replace")
            yield Capture(f"{command}/{path.name}", text, parse or rows_like(text))


def test_a_reader_is_called_verified_exactly_where_captures_confirm_it() -> None:
    confirmed = {*PARSERS.values(), *(parse for _, parse in ALSO_READ), hierarchy.parse_hierarchy}
    for reader in all_readers():
        shown = reader.parse in confirmed or reader.name in OF_TABLES or reader.name.startswith("rows:")
        assert reader.verified == (shown and reader.name not in UNCONFIRMED), reader.name
    assert {reader.name for reader in all_readers() if not reader.verified} == set(UNCONFIRMED)


def test_every_captured_command_is_read_or_listed_with_a_reason(folder: Path) -> None:
    assert {path.name for path in folder.iterdir() if path.is_dir()} <= {*PARSERS, *ROWS, *NOT_READ}


def test_every_listed_command_has_a_capture(shared: Path) -> None:
    missing = [name for name in (*PARSERS, *ROWS, *NOT_READ) if not (shared / "fixtures" / "android" / name).is_dir()]
    assert missing == []


def test_every_capture_of_a_command_that_we_read_parses(folder: Path) -> None:
    refused = set()
    for capture in captures(folder):
        try:
            capture.parse(capture.text)
        except UnreadableError:
            refused.add(capture.name)
    assert refused == {name for name in UNREADABLE if (folder / name).is_file()}


def test_captures_with_windows_line_ends_and_a_byte_order_mark_say_the_same(folder: Path) -> None:
    for capture in captures(folder):
        if capture.name not in UNREADABLE and "content" not in capture.name:
            marked = "\ufeff" + capture.text.replace("\r", "").replace("\n", "\r\n")
            assert capture.parse(marked) == capture.parse(capture.text.replace("\r", "")), capture.name


def test_a_mutilated_capture_raises_nothing_but_unreadable(folder: Path) -> None:
    chance = random.Random(4)
    of_command = Counter(capture.name.partition("/")[0] for capture in captures(folder))
    for capture in captures(folder):
        # 10,000 for each command, over all its captures.
        full = -(-10_000 // of_command[capture.name.partition("/")[0]])
        for _ in range(examples(4, full)):
            try:
                capture.parse(mutilated(capture.text, chance))
            except UnreadableError:
                continue


def test_nothing_is_read_from_garbage(folder: Path) -> None:
    chance = random.Random(5)
    # A table of settings is any lines with an `=`: nothing tells garbage from it.
    structured = (capture for capture in captures(folder) if not capture.name.startswith("settings-list"))
    for capture in structured:
        letters = capture.text[:20_000]
        for _ in range(examples(2, 50)):
            with pytest.raises(UnreadableError):
                capture.parse("".join(chance.sample(letters, len(letters))))


def mutilated(text: str, chance: random.Random) -> str:
    """``text`` cut, spliced, with digits blown up and characters lost: what a broken link or a foreign ROM prints."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(lines))
        lines[at] = chance.choice(WOUNDS)(lines[at], chance)[:LONGEST_LINE]
    if chance.random() < 0.3:
        del lines[chance.randrange(len(lines)) :]
    if chance.random() < 0.3:
        chance.shuffle(lines)
    return "\n".join(lines)


LONGEST_LINE = 100_000
"""Characters; digits that are blown up again and again would fill the machine's memory."""

WOUNDS: list[Callable[[str, random.Random], str]] = [
    lambda line, chance: line[: chance.randint(0, len(line))],
    lambda line, chance: line[chance.randint(0, len(line)) :],
    lambda line, chance: line.replace(str(chance.randint(0, 9)), "9" * 5000),
    lambda line, chance: line.replace("=", "=-"),
    lambda line, chance: line.replace(" ", "\u00a0"),
    lambda line, chance: "".join(chance.sample(line, len(line))),
    lambda line, _: line + "\x00�٣",
    lambda _, __: "cmd: Can't find service: battery",
]
