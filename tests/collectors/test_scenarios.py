"""On each scenario that heed ships, at each of its moments, every collected fact equals the phone's state."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from android_bridge.adb import AdbServer
from android_bridge.phone_numbers import same_number
from collectors import apps
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context, Dimension
from collectors.fact_names import FACTS
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from collectors.wording import render
from heed.clock import ManualClock, PhoneClock
from heed.language import Language
from tests.agent.command import heed
from tests.phones import connected_device
from virtual_phone import PhoneState, Scenario, ScenarioPlayer, VirtualPhone
from virtual_phone.scenario.document import FOLDER

SCENARIOS = sorted(path.stem for path in FOLDER.glob("*.yaml"))
ELSEWHERE = {
    # Facts that rest on more than the phone's state, with where they are tested.
    **dict.fromkeys(("time.holiday", "time.workday"), "test_world"),
    **dict.fromkeys(("sun.up", "sun.rises", "sun.sets"), "test_sky"),
    **dict.fromkeys(("weather.now", "weather.today", "rates", "news.headlines"), "test_services"),
    **dict.fromkeys(("trajectory.steps", "log.recent", "apps.used"), "test_recorder, test_log, test_apps"),
    **dict.fromkeys(("foreground.excluded", "notifications.withheld"), "test_snapshot"),
    "motion.speed": "test_attention",
    "calendar.first": "test_agenda",
    "heed.done": "test_own_actions",
    **dict.fromkeys(("contacts.matching", "location"), "test_messages, test_owner"),
    **dict.fromkeys(("phone.languages", "phone.locale"), "test_device"),
    **dict.fromkeys(
        ("people.called", "people.messaged", "apps.installed", "calendar.regular", "sleep.usual"),
        "their sources' tests",
    ),
}


def iso(milliseconds: float, now: datetime) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, now.tzinfo).isoformat(timespec="seconds")


def percent(state: PhoneState, stream: int, top: int) -> int:
    return round(100 * state.audio.volumes[stream] / top)


def name_of(state: PhoneState, number: str) -> str | None:
    rows = [(row.values.get("data1") or "", raw.name) for raw in state.contacts.raw for row in raw.data]
    return next((name for own, name in rows if own and same_number(own, number)), None)


def expected(state: PhoneState) -> Mapping[str, Any]:
    """What a person who knows the phone's state would say; a fact that does not hold is absent."""
    return {
        name: value
        for name, value in {**_device(state), **_screen(state), **_people(state)}.items()
        if value is not None
    }


def _device(state: PhoneState) -> dict[str, Any]:
    now, battery, network = state.clock.wall(), state.battery, state.network
    alarm = state.alarms.next_time()
    session = state.audio.session if state.audio.session and state.audio.session.playing else None
    old = [item for item in state.media.items if "Screenshots" in item.folder and not item.trashed]
    limit = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=30)
    old = [item for item in old if item.added < limit.timestamp()]
    return {
        "phone.model": "Google Pixel 8",
        "phone.android": "14",
        "battery.level": battery.level,
        "battery.plugged": battery.plugged,
        "power_saving.enabled": state.power.saver,
        "network.kind": "wifi" if network.wifi_connected else "mobile" if network.mobile_connected else "none",
        "network.wifi_name": network.ssid if network.wifi_connected else None,
        "airplane_mode.enabled": network.airplane,
        "wifi.enabled": network.wifi,
        "mobile_data.enabled": network.mobile_data,
        "place": "home" if state.location.place == "home" else None,
        "dnd.mode": state.dnd.mode,
        "ringer.mode": state.audio.ringer,
        "media.volume": percent(state, 3, 25),
        "alarms.volume": percent(state, 4, 7),
        "media.playing": session is not None,
        "media.app": apps.name(session.package, Language.EN) if session else None,
        "bluetooth.enabled": state.bluetooth.enabled,
        "bluetooth.connected": any(device.connected for device in state.bluetooth.devices),
        "dark_mode.enabled": state.display.dark,
        "alarms.next": alarm.isoformat(timespec="minutes") if alarm else None,
        "media.screenshots_old": (len(old), sum(item.size for item in old)) if old else None,
        "time.local": now.isoformat(timespec="seconds"),
        "time.weekday": f"{now:%a}".lower(),
    }


def _screen(state: PhoneState) -> dict[str, Any]:
    awake, front = state.power.wakefulness == "Awake", state.apps.foreground
    return {
        "screen.on": awake,
        "screen.locked": state.power.locked,
        "foreground.package": front.package if awake else None,
        "foreground.activity": front.full_class if awake else None,
        "foreground.app": apps.name(front.package, Language.EN) if awake else None,
        "keyboard.shown": bool(front.focus),
        "call.state": {0: "idle", 1: "ringing", 2: "off_hook"}[state.calls.number_state],
        "call.has_sound": state.calls.current is not None,
    }


def _people(state: PhoneState) -> dict[str, Any]:
    now = state.clock.wall()
    unread = [one for one in state.messages.stored if one.kind == 1 and not one.read]
    guiding = any(one.ongoing and one.category == "navigation" for one in state.notifications.active)
    shown = [one for one in state.notifications.active if not one.ongoing and one.category not in ("sys", "service")]
    missed = [one for one in state.calls.log if one.kind == 3]
    millis = state.clock.milliseconds()
    coming = [
        (event.title, iso(begin, now))
        for event, begin, end in state.calendar.instances(millis, millis + 12 * 3_600_000)
        if end > millis
    ]
    sms = [(one.address, one.body, name_of(state, one.address)) for one in sorted(unread, key=lambda one: -one.date)]
    return {
        "sms.unread": [(number, text, who) for number, text, who in sms] or None,
        "notifications": sorted((one.package, one.title) for one in shown) or None,
        "navigation.guiding": guiding or None,
        "calls.missed": [(one.number, iso(one.date, now)) for one in reversed(missed)] or None,
        "calendar.next": coming or None,
    }


SHAPED: Mapping[str, Callable[[Any], object]] = {
    "alarms.next": lambda value: value["time"],
    "media.screenshots_old": lambda value: (value["count"], value["bytes"]),
    "sms.unread": lambda value: [(one["number"], one["text"], one["contact"]) for one in value],
    "notifications": lambda value: sorted((one["package"], one["title"]) for one in value),
    "calls.missed": lambda value: [(one["number"], one["time"]) for one in value],
    "calendar.next": lambda value: [(one["title"], one["start"]) for one in value],
}
UNTOLD = {
    "battery.status",
    "ringer.volume",
    "media.title",
    "bluetooth.sound",
    "bluetooth.kind",
    "storage.free",
    "storage.free_gb",
}
"""Facts whose value the state does not hold in these words."""


def collected(context: Context) -> dict[str, Any]:
    facts = {fact.name: fact.value for fact in context.facts() if not fact.name.startswith("profile.")}
    told = {name: value for name, value in facts.items() if name not in ELSEWHERE and name not in UNTOLD}
    return {name: SHAPED[name](value) if name in SHAPED else value for name, value in told.items()}


def redacted(value: Any) -> Any:
    """The demo's one secret, a one-time code."""
    if isinstance(value, str):
        return value.replace("482913", "[code]")
    return type(value)(map(redacted, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("name", SCENARIOS)
async def test_at_each_moment_every_fact_equals_the_state(name: str, adb_server: AdbServer, tmp_path: Path) -> None:
    scenario = Scenario.load(name)
    state = scenario.new_state()
    state.clock.freeze()
    profile = tmp_path / "profile.yaml"
    profile.write_text("locations: {home: {latitude: 31.2304, longitude: 121.4737, wifi: Home-5G}}")
    config = CollectorsConfig(
        profile=profile, behaviour_log=tmp_path / "none.jsonl", frames=FramesConfig(enabled=False)
    )
    player = ScenarioPlayer(scenario, state)
    async with connected_device(VirtualPhone(state), adb_server) as device:
        while True:
            # A new one each time: nothing is kept from before.
            clock = PhoneClock(ManualClock(state.clock.wall()))
            context = await Snapshotter(device, load_sources(config), clock, config).snapshot()
            assert [one for name in Dimension for one in context.section(name).missing] == []
            wanted = {key: redacted(value) for key, value in expected(state).items()}
            assert collected(context) == wanted, f"{name} at {state.clock.wall()}"
            if player.step() is None:
                break


def test_every_fact_is_compared_or_tested_elsewhere() -> None:
    state = PhoneState.standard(datetime.fromisoformat("2026-02-06T14:00:00+08:00"))
    told = {*_device(state), *_screen(state), *_people(state)}
    assert set(FACTS) == told | set(ELSEWHERE) | UNTOLD


async def test_collect_prints_the_four_dimensions(adb_server: AdbServer, heed_home: Path) -> None:
    state = Scenario.load("demo").new_state()
    state.clock.freeze()
    async with connected_device(VirtualPhone(state), adb_server) as device:
        arguments = ("collect", "--serial", device.serial)
        whole, chinese, world = [
            await heed(*arguments, *more, port=adb_server.port)
            for more in (["--json"], ["--language", "zh"], ["--dimension", "world"])
        ]
    assert (whole.code, chinese.code, world.code) == (0, 0, 0)
    context = Context.model_validate(whole.data)
    assert context.value("battery.level") == 42 and context.value("calendar.next")
    assert render(context, Language.EN).phone.startswith("It is Friday 6 February 2026, 14:00.")
    assert "电量42%" in chinese.out and "日程：“Team meeting”" in chinese.out
    assert world.out.startswith("world\n") and "battery" not in world.out
