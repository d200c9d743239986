"""Alarms by intent with DeskClock's semantics, and the log streams."""

import asyncio
from datetime import timedelta

from android_bridge.device import Device
from tests.phones import START, run
from virtual_phone import VirtualPhone

ALARM = "android.intent.extra.alarm"


def dismiss(mode: str, extras: str = "") -> str:
    """A DISMISS_ALARM command line."""
    search = f"--es {ALARM}.SEARCH_MODE android.{mode}"
    return f"am start -W -a android.intent.action.DISMISS_ALARM {search} {extras}"


def set_alarm(hour: int, minute: int, extras: str = "") -> str:
    """A SET_ALARM command line without UI."""
    when = f"--ei {ALARM}.HOUR {hour} --ei {ALARM}.MINUTES {minute} --ez {ALARM}.SKIP_UI true"
    return f"am start -W -a android.intent.action.SET_ALARM {when} {extras}"


async def next_alarm(phone: VirtualPhone) -> str:
    return (await run(phone, "settings get system next_alarm_formatted")).stdout.strip()


async def test_the_next_alarm_shows_in_settings_and_dump(phone: VirtualPhone) -> None:
    assert await next_alarm(phone) == "Mon 7:00 AM"
    dump = (await run(phone, "dumpsys alarm")).stdout
    assert "    user:0 pendingSend:false time:1770591600000 = 2026-02-09 07:00:00.000 = +2d17h0m0s0ms\n" in dump
    await run(phone, "settings put system time_12_24 24")
    assert await next_alarm(phone) == "Mon 07:00"


async def test_an_alarm_is_set_without_opening_the_clock(phone: VirtualPhone) -> None:
    result = await run(phone, set_alarm(6, 30, f"--es {ALARM}.MESSAGE 'Trip' --eial {ALARM}.DAYS 7,1"))
    assert "Status: ok" in result.stdout
    assert phone.state.apps.foreground.package != "com.google.android.deskclock"
    alarm = phone.state.alarms.alarms[-1]
    assert (alarm.hour, alarm.minute, alarm.label, alarm.days) == (6, 30, "Trip", ["sat", "sun"])
    assert await next_alarm(phone) == "Sat 6:30 AM"


async def test_an_identical_alarm_is_enabled_instead_of_doubled(phone: VirtualPhone) -> None:
    (work,) = phone.state.alarms.alarms
    phone.state.alarms.enable(work, False)
    assert await next_alarm(phone) == ""
    await run(phone, set_alarm(7, 0, f"--es {ALARM}.MESSAGE Work --eial {ALARM}.DAYS 2,3,4,5,6"))
    assert phone.state.alarms.alarms == [work]
    assert work.enabled


async def test_a_one_off_alarm_is_switched_off(phone: VirtualPhone) -> None:
    saturday = phone.state.alarms.add(8, 0, label="Saturday")
    assert await next_alarm(phone) == "Sat 8:00 AM"
    await run(phone, dismiss("label", f"--es {ALARM}.MESSAGE Satur"))
    assert not saturday.enabled
    assert phone.state.apps.foreground.package == "com.google.android.deskclock"


async def test_a_repeating_alarm_is_skipped_once(phone: VirtualPhone) -> None:
    phone.state.clock.set(START + timedelta(days=2, hours=8))  # Sunday 22:00
    await run(phone, dismiss("time", f"--ei {ALARM}.HOUR 7 --ei {ALARM}.MINUTES 0"))
    assert await next_alarm(phone) == "Tue 7:00 AM"
    phone.state.clock.advance(86400)
    assert phone.state.alarms.fired == []


async def test_an_alarm_more_than_a_day_ahead_is_not_dismissed(phone: VirtualPhone) -> None:
    await run(phone, dismiss("next"))
    assert await next_alarm(phone) == "Mon 7:00 AM"


async def test_alarms_and_timers_ring_at_their_own_moment(phone: VirtualPhone) -> None:
    phone.state.log.clear()
    await run(phone, f"am start -W -a android.intent.action.SET_TIMER --ei {ALARM}.LENGTH 90 --es {ALARM}.MESSAGE Tea")
    phone.state.alarms.add(14, 5, label="Call")
    phone.state.clock.advance(3600)
    posted = [entry for entry in phone.state.log.entries(frozenset(["events"])) if entry.tag == "notification_enqueue"]
    assert [entry.moment - START for entry in posted] == [timedelta(), timedelta(seconds=90), timedelta(minutes=5)]
    dump = (await run(phone, "dumpsys notification --noredact")).stdout
    assert "android.title=String (Call)" in dump
    assert "android.title=String (Tea)" in dump


async def test_an_alarm_rings_without_any_command(phone: VirtualPhone) -> None:
    phone.state.alarms.add(14, 5)
    async with phone.listening(), asyncio.timeout(20):
        await asyncio.sleep(0)  # the heartbeat now sleeps on a clock that stands still, and has to notice
        phone.state.clock.speed(3000)
        await phone.state.log.grown(phone.state.log.sequence)
    assert [identifier for identifier, _ in phone.state.alarms.fired] == [2]


async def test_the_event_log_streams_over_adb(phone: VirtualPhone, device: Device) -> None:
    phone.state.log.clear()
    async with asyncio.timeout(20), device.stream("logcat -b events -v threadtime -T 1") as stream:
        await phone.state.log.followed()
        phone.state.battery.set(level=33)
        phone.state.battery.set(plugged=True)
        phone.state.power.sleep()
        text = ""
        while "screen_toggled" not in text or not text.endswith("\n"):
            text += (await stream.read()).decode()
    lines = [line.split(" I ")[1] for line in text.splitlines() if " I " in line and "wm_set_resumed" not in line]
    assert lines == [
        "battery_level: [33,3697,290]",
        "battery_status: [2,2,1,2,Li-ion]",
        "power_screen_state: [0,2,0,0,0]",
        "screen_toggled: 0",
    ]


async def test_the_log_can_be_cut_by_count_time_and_tag(phone: VirtualPhone) -> None:
    await run(phone, "logcat -c; log -t one first; log -p w -t two second")
    phone.state.clock.advance(60)
    await run(phone, "log -t one third")
    assert (await run(phone, "logcat -d -v raw")).stdout.splitlines()[1:] == ["first", "second", "third"]
    assert (await run(phone, "logcat -d -t 1 -v raw")).stdout.splitlines()[1:] == ["third"]
    assert (await run(phone, "logcat -d -v raw -T '02-06 14:00:30.000'")).stdout.splitlines()[1:] == ["third"]
    assert (await run(phone, "logcat -d -v brief -s two")).stdout.splitlines()[1:] == ["W/two     ( 2000): second"]
    await run(phone, "logcat -c")
    assert (await run(phone, "logcat -d")).stdout == ""
