"""What phones print becomes facts with documented names, or a reason."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from android_bridge.facts.activities import ACTIVITIES, Activities, ForegroundApp
from android_bridge.facts.alarms import NEXT_ALARM, NextAlarm
from android_bridge.facts.audio import AUDIO
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.bluetooth import BLUETOOTH
from android_bridge.facts.display import NIGHT_MODE, NightMode
from android_bridge.facts.media import MEDIA_SESSIONS
from android_bridge.facts.memory import STORAGE, Space
from android_bridge.facts.network import AIRPLANE_MODE, CONNECTIVITY, WIFI
from android_bridge.facts.notifications import DO_NOT_DISTURB, DoNotDisturb
from android_bridge.facts.power import POWER
from android_bridge.facts.properties import PROPERTIES
from android_bridge.facts.sleep import SLEEP_TIMES, parse_sleep_times
from android_bridge.facts.telephony import TELEPHONY
from collectors.config import CollectorsConfig
from collectors.fact_names import FACTS
from collectors.source import Source
from collectors.sources import device
from heed.errors import DeviceError
from tests.collectors.sources.phone_values import readings

CONFIG = CollectorsConfig()
FOLDERS = {
    ACTIVITIES: "dumpsys-activity-activities",
    NEXT_ALARM: "dumpsys-alarm",
    AUDIO: "dumpsys-audio",
    BATTERY: "dumpsys-battery",
    BLUETOOTH: "dumpsys-bluetooth_manager",
    NIGHT_MODE: "cmd-uimode-night",
    MEDIA_SESSIONS: "dumpsys-media_session",
    CONNECTIVITY: "dumpsys-connectivity",
    WIFI: "cmd-wifi-status",
    POWER: "dumpsys-power",
    PROPERTIES: "getprop",
    SLEEP_TIMES: "dumpsys-battery",
    TELEPHONY: "dumpsys-telephony.registry",
}
SETTINGS: dict[Any, Any] = {
    AIRPLANE_MODE: False,
    DO_NOT_DISTURB: DoNotDisturb.OFF,
    device.LOCALES: "zh-Hans-CN,en-GB",
    STORAGE: Space(total=128_000_000_000, available=16_000_000_000),
}
SOURCES = [value for value in vars(device).values() if isinstance(value, type) and value.__module__ == device.__name__]


def captures(shared: Path, source: type[Source]) -> Iterator[dict[Any, Any]]:
    """The outputs that a source needs, from one phone after another; several needs are combined."""
    needed = {need.reader: shared / "fixtures/android" / FOLDERS.get(need.reader, "") for need in source.needs}
    found = {r: sorted(folder.glob("*.txt")) for r, folder in needed.items() if r in FOLDERS}
    for index in range(max((len(files) for files in found.values()), default=1)):
        texts = {r: files[index % len(files)].read_text("utf-8", "replace") for r, files in found.items()}
        yield {r: SETTINGS[r] for r in needed if r in SETTINGS} | texts


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
async def test_every_capture_gives_documented_facts_or_a_reason(shared: Path, source: type[Source]) -> None:
    understood = 0
    for values in captures(shared, source):
        try:
            found = await readings(source(CONFIG), values)
        except DeviceError as error:
            assert str(error)
            continue
        understood += 1
        for name, reading in found.items():
            assert FACTS[name].trust is reading.trust and FACTS[name].dimension is source.dimension
    assert understood


async def test_an_android_14_phone_in_facts(shared: Path) -> None:
    def capture(command: str) -> str:
        return (shared / "fixtures/android" / command / "xiaomi-pad6-hyperos2-a14.txt").read_text("utf-8", "replace")

    phone = await readings(device.PhoneSource(CONFIG), {PROPERTIES: capture("getprop"), device.LOCALES: "en-US"})
    battery = await readings(device.BatterySource(CONFIG), {BATTERY: capture("dumpsys-battery")})
    assert {name: one.value for name, one in (phone | battery).items()} == {
        "phone.model": "Xiaomi 23043RP34G",
        "phone.android": "14",
        "phone.locale": "es-US",
        "battery.level": 22,
        "battery.plugged": True,
        "battery.status": "charging",
    }


def activities(package: str) -> Activities:
    return Activities(foreground=ForegroundApp(package=package, activity=f"{package}.Main"), locked=False)


async def test_the_app_in_front_is_named_as_people_name_it() -> None:
    found = await readings(device.ForegroundSource(CONFIG), {ACTIVITIES: activities("com.android.chrome")})
    assert found["foreground.app"].value == "Chrome"
    unknown = await readings(device.ForegroundSource(CONFIG), {ACTIVITIES: activities("org.example.app")})
    assert set(unknown) == {"foreground.package", "foreground.activity"}


async def test_of_an_excluded_app_in_front_nothing_is_told() -> None:
    source = device.ForegroundSource(CollectorsConfig(excluded_apps=frozenset({"my.bank"})))
    found = await readings(source, {ACTIVITIES: activities("my.bank")})
    assert {name: one.value for name, one in found.items()} == {"foreground.excluded": True}


async def test_a_scheduled_dark_mode_is_not_guessed() -> None:
    assert await readings(device.AppearanceSource(CONFIG), {NIGHT_MODE: NightMode.AUTO}) == {}


async def test_the_next_alarm_is_told_on_the_phones_clock() -> None:
    alarm = datetime.fromisoformat("2026-02-06T23:00:00+00:00")
    found = await readings(device.AlarmSource(CONFIG), {NEXT_ALARM: NextAlarm(at=alarm)})
    assert found["alarms.next"].value == {
        "time": "2026-02-07T07:00+08:00",
        "date": "2026-02-07",
        "clock": "07:00",
        "weekday": "sat",
        "minutes_ahead": 890,
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("My BMW", "car"),
        ("Tesla Model 3", "car"),
        ("SYNC", "car"),
        ("比亚迪 汉", "car"),
        ("VW BT 4821", "car"),
        ("Galaxy Buds2", "headphones"),
        ("Car Buds", "headphones"),
        ("JBL Soundbar", "speaker"),
        ("Saudi Audio", None),
        ("Oscar", None),
        ("Autumn", None),
        ("Asynchronous", None),
    ],
)
def test_what_sound_goes_to_is_told_by_the_makers_name_only(name: str, kind: str | None) -> None:
    assert device.heard_through(name) == kind


async def test_the_sleeping_times_that_a_samsung_is_confident_of_are_told(capture: Callable[[str], str]) -> None:
    times = parse_sleep_times(capture("dumpsys-battery/samsung-oneui-2026.txt"))
    usual = (await readings(device.SleepSource(CONFIG), {SLEEP_TIMES: times}))["sleep.usual"]
    assert usual.value == {"mon": "07:32-22:20", "fri": "00:48-18:52", "sat": "17:04-04:32"}
    assert usual.confidence == 0.525


async def test_a_phone_that_learns_no_sleeping_times_has_no_such_fact(capture: Callable[[str], str]) -> None:
    times = parse_sleep_times(capture("dumpsys-battery/xiaomi-pad6-hyperos2-a14.txt"))
    assert await readings(device.SleepSource(CONFIG), {SLEEP_TIMES: times}) == {}
