"""Triggers that no event of the phone tells: they are due at a time."""

from datetime import timedelta

import pytest

from android_bridge.device import Device
from android_bridge.events import AppForeground, DataSynced, PhoneEvent, ScreenChanged, ScreenState
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
    overdue, *dues = await upcoming(device).due_triggers(START)
    assert (overdue.at, overdue.trigger.data["title"]) == (START - timedelta(minutes=5), "Begins at once")
    assert [(due.at - START) / timedelta(minutes=1) for due in dues] == [2, 4, 50, 57, 59]
    due = dues[2]
    assert (due.trigger.kind, due.trigger.trust) == ("calendar_event", Trust.THIRD_PARTY)
    assert due.trigger.data == {
        "title": "Review, code is [code]",
        "location": "Room 4",
        "start": "2026-02-06T15:00:00+08:00",
        "end": "2026-02-06T16:00:00+08:00",
        "length_minutes": 60,
    }


async def test_an_appointment_is_due_again_shortly_before_it_begins(phone: VirtualPhone, device: Device) -> None:
    phone.state.calendar.events.clear()
    link = "https://meet.google.com/abc-defg-hij"
    phone.state.calendar.add("Sync", START + timedelta(hours=1), description=f"Join: {link}")
    dues = await upcoming(device).due_triggers(START)
    assert [due.at - START for due in dues] == [timedelta(minutes=minutes) for minutes in (50, 57, 59)]
    assert all(due.trigger.data["meeting_url"] == link for due in dues)
    (late,) = await upcoming(device).due_triggers(START + timedelta(minutes=59))
    assert late.at == START + timedelta(minutes=59)


@pytest.mark.parametrize(
    ("events", "changed"),
    [
        ([DataSynced(at=START, provider="com.android.calendar")], True),
        ([DataSynced(at=START, provider="com.android.contacts")], False),
        ([ScreenChanged(at=START, state=ScreenState.UNLOCKED)], True),
        ([ScreenChanged(at=START, state=ScreenState.OFF)], False),
        ([AppForeground(at=START, package="com.google.android.calendar", activity="x")], False),
        (
            [
                AppForeground(at=START, package="com.google.android.calendar", activity="x"),
                AppForeground(at=START, package="com.android.chrome", activity="x"),
            ],
            True,
        ),
    ],
    ids=["calendar synced", "contacts synced", "unlocked", "screen off", "calendar opened", "calendar left"],
)
async def test_the_calendar_is_read_again_after_a_sign_that_it_changed(
    phone: VirtualPhone, device: Device, events: list[PhoneEvent], changed: bool
) -> None:
    phone.state.calendar.events.clear()
    one = upcoming(device, CONFIG.model_copy(update={"screen_time_minutes": 0}))
    assert await one.due_triggers(START) == []
    phone.state.calendar.add("Review", START + timedelta(hours=1))
    assert [one.handle(event) for event in events][-1] is changed
    assert bool(await one.due_triggers(START)) is changed


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
