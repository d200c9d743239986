"""A snapshot of the virtual phone, through the real adb: every fact equals the phone's state."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.reader import Reader, UnreadableError
from collectors import phone_reader
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context, Dimension, LogEntry, Trigger, TriggerKind
from collectors.fact_names import FACTS, PROFILE_PREFIX
from collectors.snapshot import Snapshotter
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source, load_sources
from collectors.sources import SOURCES
from collectors.sources.messages import SMS_UNREAD
from collectors.sources.senders import CONTACTS
from heed.clock import ManualClock, PhoneClock
from heed.errors import DeviceError, UsageError
from heed.trust import Trust
from tests.collectors.moody import BABBLES, HANGS, REFUSES, MoodyPhone
from tests.phones import START, connected_device
from tests.proof import PROVING
from virtual_phone import PhoneState, VirtualPhone

Both = tuple[MoodyPhone, Device]
NO_FRAMES = FramesConfig(enabled=False)
PROFILE = """
identity: {full_name: Robin Doe}
locations:
  home: {latitude: 31.2304, longitude: 121.4737}
  work: {wifi: Office-5G}
"""


@pytest.fixture
def config(tmp_path: Path) -> CollectorsConfig:
    profile = tmp_path / "profile.yaml"
    profile.write_text(PROFILE)
    log = BehaviourLog(tmp_path / "log.jsonl")
    log.append(LogEntry(time=START - timedelta(hours=2), location="Office", action="opened Maps"))
    return CollectorsConfig(profile=profile, behaviour_log=log.path, frames_folder=tmp_path / "f", frames=NO_FRAMES)


@pytest.fixture
def host() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def snapshotter(device: Device, config: CollectorsConfig, host: ManualClock) -> Snapshotter:
    return Snapshotter(device, load_sources(config), PhoneClock(host), config)


def values(context: Context) -> dict[str, Any]:
    return {fact.name: fact.value for fact in context.facts()}


def missing(context: Context) -> dict[str, str]:
    return {one.name: str(one.reason) for name in Dimension for one in context.section(name).missing}


def a_busy_day(state: PhoneState) -> None:
    state.battery.set(level=15, plugged=False)
    state.power.set_saver(True)
    state.dnd.set("priority")
    state.audio.set_ringer("vibrate")
    state.display.set_night("yes")
    state.network.join("Office-5G")
    state.bluetooth.connect("Buds")
    state.audio.play("com.spotify.music", "Song", "Band")
    state.alarms.add(6, 30, label="Flight")
    for days, name in ((40, "old1.png"), (90, "old2.png"), (3, "new.png")):
        state.media.add("Pictures/Screenshots", name, START - timedelta(days=days), size=1000)
    state.messages.receive("5550199", "hi, this is Bob, my new number")
    state.notifications.post("com.whatsapp", "Sam", "see you")
    state.open_app("com.android.chrome")


EXPECTED: dict[str, Any] = {
    "profile.identity.full_name": "Robin Doe",
    "phone.model": "Google Pixel 8",
    "phone.android": "14",
    "battery.level": 15,
    "battery.plugged": False,
    "battery.status": "discharging",
    "power_saving.enabled": True,
    "network.kind": "wifi",
    "network.wifi_name": "Office-5G",
    "airplane_mode.enabled": False,
    "wifi.enabled": True,
    "mobile_data.enabled": True,
    "place": "work",
    "screen.on": True,
    "screen.locked": False,
    "foreground.package": "com.android.chrome",
    "foreground.app": "Chrome",
    "call.state": "idle",
    "dnd.mode": "priority",
    "ringer.mode": "vibrate",
    "media.playing": True,
    "media.app": "Spotify",
    "bluetooth.enabled": True,
    "bluetooth.connected": True,
    "dark_mode.enabled": True,
    "time.local": "2026-02-06T14:00:00+08:00",
    "time.weekday": "fri",
    "time.workday": True,
    "sms.unread": [
        {
            "number": "5550199",
            "text": "hi, this is Bob, my new number",
            "time": "2026-02-06T14:00:00+08:00",
            "contact": None,
            "answered": False,
        }
    ],
    "contacts.matching": [{"name": "Bob Li", "numbers": ["+86 139 1122 3344"]}],
    "media.screenshots_old": {"count": 2, "before": "2026-01-07", "oldest": "2025-11-08", "bytes": 2000},
    "log.recent": [{"time": "2026-02-06T12:00:00+08:00", "location": "Office", "action": "opened Maps"}],
}


async def test_every_fact_equals_the_phones_state(phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    a_busy_day(phone.state)
    context = await snapshotter.snapshot()
    found = values(context)
    assert {name: found.get(name) for name in EXPECTED} == EXPECTED
    assert found["alarms.next"]["time"] == "2026-02-07T06:30+08:00"
    assert found["media.title"].startswith("Song, Band")
    messages = [one["text"] for one in found["notifications"] if one["app"] in ("WhatsApp", "Messages")]
    assert messages == ["see you", "hi, this is Bob, my new number"]
    assert (context.place, context.now, context.serial) == ("work", START, snapshotter.serial)
    assert missing(context) == {}


async def test_an_idle_phone_has_no_facts_that_do_not_hold(phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    phone.state.network.set_wifi(False)
    phone.state.alarms.alarms.clear()
    phone.state.power.sleep()
    found = values(await snapshotter.snapshot())
    absent = {"network.wifi_name", "alarms.next", "sms.unread", "contacts.matching", "notifications", "media.app"}
    assert absent.isdisjoint(found)
    assert found["network.kind"] == "mobile" and found["screen.on"] is False and found["place"] == "home"


async def test_every_fact_has_a_documented_name_and_trust(phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    a_busy_day(phone.state)
    context = await snapshotter.snapshot()
    for dimension in Dimension:
        for fact in context.section(dimension).facts:
            assert fact.source and fact.read_at == START
            if fact.name.startswith(PROFILE_PREFIX):
                assert (dimension, fact.trust) == (Dimension.PROFILE, Trust.OWNER)
            else:
                assert FACTS[fact.name][:2] == (dimension, fact.trust), fact.name
    assert Context.model_validate_json(context.model_dump_json()) == context


async def test_secrets_are_nowhere_in_a_context(phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    phone.state.messages.receive("5550199", "Your verification code is 482913")
    phone.state.notifications.post("my.bank", "Card 4111 1111 1111 1111", "OTP 551203", big_text="验证码：770011")
    phone.state.audio.play("com.spotify.music", "password: hunter2!")
    phone.state.network.join("pin is 8842")
    data = {"number": "5550199", "text": "Your verification code is 482913"}
    context = await snapshotter.snapshot(Trigger(kind="sms_received", data=data, trust=Trust.THIRD_PARTY))
    text = context.model_dump_json()
    for secret in ("482913", "4111", "551203", "770011", "hunter2", "8842"):
        assert secret not in text
    assert "5550199" in text and "[code]" in text


async def test_an_excluded_app_is_recorded_as_such_only(
    phone: VirtualPhone, device: Device, config: CollectorsConfig, host: ManualClock
) -> None:
    config = config.model_copy(update={"excluded_apps": frozenset({"com.whatsapp"})})
    phone.state.notifications.post("com.whatsapp", "Sam", "a secret")
    phone.state.open_app("com.whatsapp")
    context = await Snapshotter(device, load_sources(config), PhoneClock(host), config).snapshot()
    found = values(context)
    assert found["foreground.excluded"] is True and found["notifications.withheld"] == 1
    assert "com.whatsapp" not in context.model_dump_json() and "a secret" not in context.model_dump_json()


# --- freshness ----------------------------------------------------------------------------------------------------
async def test_what_is_fresh_is_kept_until_its_event(phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    assert "sms.unread" not in values(await snapshotter.snapshot())
    phone.state.messages.receive("5550199", "hello")
    assert "sms.unread" not in values(await snapshotter.snapshot())
    assert "sms.unread" in values(await snapshotter.snapshot(Trigger(kind="sms_received")))
    phone.state.messages.mark_read("5550199")
    snapshotter.refresh(TriggerKind.SMS_RECEIVED)
    assert "sms.unread" not in values(await snapshotter.snapshot())


async def test_what_is_old_is_read_again(phone: VirtualPhone, snapshotter: Snapshotter, host: ManualClock) -> None:
    await snapshotter.snapshot()
    phone.state.messages.receive("5550199", "hello")
    host.advance(31)
    assert "sms.unread" in values(await snapshotter.snapshot())


async def test_a_fact_says_when_it_was_read(phone: VirtualPhone, snapshotter: Snapshotter, host: ManualClock) -> None:
    await snapshotter.snapshot()
    host.advance(20)
    phone.state.advance(20)
    context = await snapshotter.snapshot()
    fresh, kept = context.fact("battery.level"), context.fact("phone.model")
    assert fresh and kept and fresh.read_at - kept.read_at == timedelta(seconds=20)


async def test_after_a_jump_of_the_phones_clock_nothing_is_fresh(phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    await snapshotter.snapshot()
    phone.state.messages.receive("5550199", "hello")
    phone.state.advance(7200)
    context = await snapshotter.snapshot()
    assert context.now == START + timedelta(hours=2)
    assert "sms.unread" in values(context)


# --- what goes wrong ----------------------------------------------------------------------------------------------
@pytest.fixture
async def moody(adb_server: AdbServer) -> AsyncIterator[Both]:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.messages.receive("5550199", "hello")
    phone = MoodyPhone(state)
    async with connected_device(phone, adb_server) as device:
        yield phone, device


def shorten_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for readers that hang: on a busy machine, others need longer."""
    monkeypatch.setattr(phone_reader, "TOGETHER_S", 2.5)
    monkeypatch.setattr(phone_reader, "ALONE_S", dict.fromkeys(ReadingCost, 2.5))


NEEDED: Mapping[Reader[Any], list[type[Source]]] = {
    need.reader: [source for source in SOURCES if need.reader in {other.reader for other in source.needs}]
    for source in SOURCES
    for need in source.needs
}
FEW = 4


def first_words(reader: Reader[Any]) -> str:
    """The words that no other reader's command begins with, as far as the phone's shell leaves them as they are."""
    return re.split(r"""["']""", reader.command.split(";")[-1], maxsplit=1)[0].strip()


@pytest.mark.parametrize("mood", [HANGS, REFUSES, BABBLES])
async def test_each_reading_in_turn_costs_only_the_facts_that_rest_on_it(
    moody: Both, config: CollectorsConfig, mood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if mood == HANGS:
        shorten_deadlines(monkeypatch)
    phone, device = moody
    readers = list(NEEDED) if PROVING or mood != HANGS else [*list(NEEDED)[:FEW], SMS_UNREAD]
    whole = values(await Snapshotter(device, load_sources(config), PhoneClock(ManualClock(START)), config).snapshot())
    for reader in readers:
        snapshotter = Snapshotter(device, load_sources(config), PhoneClock(ManualClock(START)), config)
        phone.moods, phone.met = {first_words(reader): mood}, False
        context = await snapshotter.snapshot()
        assert phone.met, reader.command
        alike = [other for other in NEEDED if other.command == reader.command]
        touched = {source.name for other in alike for source in NEEDED[other]}
        assert set(missing(context)) <= touched, (reader.name, missing(context))
        found = values(context)
        if reader is CONTACTS:  # messages are still told, without a word on whose they are
            assert not any("contact" in one for name in ("sms.unread", "notifications") for one in found.pop(name))
        assert {name: whole.get(name) for name in found} == found, reader.name


async def test_without_the_phones_clock_ours_goes_on(moody: Both, config: CollectorsConfig) -> None:
    phone, device = moody
    phone.moods = {"date": BABBLES}
    host = ManualClock(START + timedelta(seconds=3))
    context = await Snapshotter(device, load_sources(config), PhoneClock(host), config).snapshot()
    assert "clock" in missing(context) and context.now == host.wall()
    assert values(context)["battery.level"] == phone.state.battery.level


async def test_a_phone_that_is_gone_raises(device: Device, phone: VirtualPhone, snapshotter: Snapshotter) -> None:
    await device.server.disconnect(device.serial)
    with pytest.raises(DeviceError):
        await snapshotter.snapshot()


# --- plug-ins -----------------------------------------------------------------------------------------------------
class Plugin(Source):
    name = "plugin"
    dimension = Dimension.WORLD
    needs = (ReaderNeed(CLOCK),)
    deadline = 0.2

    async def read(self, seen: PhoneValues) -> Iterable[Reading]:
        return [Reading("tide.height", 2.5, origin="tide table"), Reading("tide.at", seen[CLOCK].isoformat())]


class Slow(Plugin):
    async def read(self, seen: PhoneValues) -> Iterable[Reading]:
        await asyncio.sleep(60)
        return []


class Wrong(Plugin):
    async def read(self, seen: PhoneValues) -> Iterable[Reading]:
        nothing: dict[str, str] = {}
        return [Reading("x", nothing["missing"])]


class NoJson(Plugin):
    async def read(self, seen: PhoneValues) -> Iterable[Reading]:
        return [Reading("x", object())]


class Raises(Plugin):
    async def read(self, seen: PhoneValues) -> Iterable[Reading]:
        raise UnreadableError("The tide could not be read: your code is 482913")


async def world_of(device: Device, config: CollectorsConfig, source: type[Source]) -> Context:
    sources = [*load_sources(config), source(config)]
    return await Snapshotter(device, sources, PhoneClock(ManualClock(START)), config).snapshot()


async def test_a_plugin_is_a_source_like_the_others(device: Device, config: CollectorsConfig) -> None:
    context = await world_of(device, config, Plugin)
    fact = context.fact("tide.height")
    assert fact and (fact.value, fact.source) == (2.5, "tide table")
    other = context.fact("tide.at")
    assert other and other.source == CLOCK.command


@pytest.mark.parametrize(
    ("source", "reason"),
    [(Slow, "not ready within"), (Wrong, "mistake"), (NoJson, "mistake"), (Raises, r"\[code\]")],
)
async def test_a_bad_plugin_is_missing_and_hurts_nobody(
    device: Device, config: CollectorsConfig, source: type[Source], reason: str
) -> None:
    context = await world_of(device, config, source)
    (one,) = context.world.missing
    assert one.name == "plugin"
    assert re.search(reason, str(one.reason))
    assert context.value("battery.level") == 80


def test_a_source_can_be_switched_off(config: CollectorsConfig) -> None:
    config = config.model_copy(update={"disabled": frozenset({"sms"})})
    assert {source.name for source in SOURCES} - {source.name for source in load_sources(config)} == {"sms"}


def test_switching_off_what_is_not_there_says_so(config: CollectorsConfig) -> None:
    with pytest.raises(UsageError, match="no source called 'smss'"):
        load_sources(config.model_copy(update={"disabled": frozenset({"smss"})}))


def test_source_names_are_unique() -> None:
    assert len({source.name for source in SOURCES}) == len(SOURCES)
