"""Triggers that no event of the phone tells: they are due at a time."""

from datetime import timedelta

from android_bridge.device import Device
from android_bridge.events import AppForeground, ScreenChanged, ScreenState
from collectors.config import CollectorsConfig
from collectors.upcoming import Upcoming
from heed.clock import ManualClock
from heed.trust import Trust
from tests.phones import START
from virtual_phone import VirtualPhone

CONFIG = CollectorsConfig(excluded_apps=frozenset({"my.diary"}))


def upcoming(device: Device, config: CollectorsConfig = CONFIG) -> Upcoming:
    return Upcoming(device, ManualClock(START), config)


async def test_an_event_is_due_some_minutes_before_its_start(phone: VirtualPhone, device: Device) -> None:
    phone.state.calendar.events.clear()
    phone.state.calendar.add("Review, code is 482913", START + timedelta(hours=1), location="Room 4")
    phone.state.calendar.add("Begins at once", START + timedelta(minutes=5))
    (due,) = await upcoming(device).due_triggers(START)
    assert due.at == START + timedelta(minutes=50)
    assert (due.trigger.kind, due.trigger.trust) == ("calendar_event", Trust.THIRD_PARTY)
    assert due.trigger.data == {
        "title": "Review, code is [code]",
        "location": "Room 4",
        "start": "2026-02-06T15:00:00+08:00",
        "end": "2026-02-06T16:00:00+08:00",
    }


async def test_use_without_a_break_is_due_every_half_hour(phone: VirtualPhone, device: Device) -> None:
    phone.state.calendar.events.clear()
    one = upcoming(device)
    assert await one.due_triggers(START) == []
    one.handle(ScreenChanged(at=START, state=ScreenState.UNLOCKED))
    one.handle(AppForeground(at=START, package="com.android.chrome", activity="x"))
    (first,) = await one.due_triggers(START + timedelta(minutes=1))
    assert (first.at, first.trigger.kind) == (START + timedelta(minutes=30), "screen_time")
    assert first.trigger.data == {"minutes": 30, "package": "com.android.chrome", "app": "Chrome"}
    one.handle(AppForeground(at=START, package="my.diary", activity="x"))
    (second,) = await one.due_triggers(START + timedelta(minutes=30))
    assert (second.at, second.trigger.data) == (START + timedelta(minutes=60), {"minutes": 60})
    one.handle(ScreenChanged(at=START, state=ScreenState.OFF))
    assert await one.due_triggers(START) == []


async def test_screen_time_can_be_switched_off(phone: VirtualPhone, device: Device) -> None:
    phone.state.calendar.events.clear()
    one = upcoming(device, CONFIG.model_copy(update={"screen_time_minutes": 0}))
    one.handle(ScreenChanged(at=START, state=ScreenState.UNLOCKED))
    assert await one.due_triggers(START) == []
