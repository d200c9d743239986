"""Time on the virtual phone: however it passes, everything happens in order, at its own virtual time."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from android_bridge.device import Device
from heed.clock import ManualClock
from heed.errors import UsageError
from tests.phones import START
from virtual_phone import PhoneState, Scenario, ScenarioPlayer, VirtualPhone

DAY = """
name: a full day
start: 2026-02-06T00:00:00+08:00
state:
  messages: []
  alarms:
    - {time: "06:40", days: [mon, tue, wed, thu, fri], label: Work}
    - {time: "12:30", label: Lunch}
  calendar:
    - {title: Stand-up, start: 2026-02-02T09:30:00+08:00, rrule: FREQ=DAILY, reminder: 10, location: Room 4}
    - {title: Dentist, start: 2026-02-06T17:00:00+08:00, reminder: 60}
timeline:
  - {at: "06:50", sms: {from: "10086", text: first}}
  - {at: "09:20", sms: {from: "10086", text: at the same moment as a reminder}}
  - {at: "11:00", calendar: {title: Call, start: 2026-02-06T15:00:00+08:00, reminder: 5}}
  - {at: "20:00", advance: {minutes: 90}}
  - {at: "22:00", sms: {from: "10086", text: last}}
"""
HAPPENED = [
    ("06:40", "Work"), ("06:50", "first"), ("09:20", "Stand-up"), ("09:20", "at the same moment as a reminder"),
    ("10:00", "Tea"), ("12:30", "Lunch"), ("14:55", "Call"), ("16:00", "Dentist"), ("22:00", "last"),
]  # fmt: skip


def whole_day(folder: Path, host: ManualClock | None = None) -> tuple[PhoneState, ScenarioPlayer]:
    path = folder / "day.yaml"
    path.write_text(DAY, "utf-8")
    scenario = Scenario.load(path)
    state = scenario.new_state(host=host)
    state.clock.freeze()
    state.clock.jump(scenario.start)
    state.alarms.set_timer(10 * 3600, "Tea")
    state.log.clear()
    player = ScenarioPlayer(scenario, state)
    player.follow()
    return state, player


def happened(state: PhoneState) -> list[tuple[str, str]]:
    """The notifications, with their times in the phone's log."""
    posts = [entry for entry in state.log.entries(frozenset(["events"])) if entry.tag == "notification_enqueue"]
    titles = {note.key: note for note in state.notifications.active}
    assert [entry.moment for entry in posts] == sorted(entry.moment for entry in posts)
    messages = iter(message.body for message in state.messages.stored)
    shown = []
    for entry in posts:
        _, _, package, identifier, tag, *_ = entry.message.strip("[]").split(",")
        key = next(key for key in titles if f"|{package}|{identifier}|{tag}|".replace("NULL", "null") in key)
        title = next(messages) if "messaging" in package else titles[key].title
        shown.append((f"{entry.moment:%H:%M}", title))
    return shown


def jump(state: PhoneState, host: ManualClock) -> None:
    state.advance(86_400)


def hurry(state: PhoneState, host: ManualClock) -> None:
    """A day in two minutes, with a query now and then."""
    state.clock.speed(720)
    for seconds in (1, 40, 0.01, 30, 48.99):
        host.advance(seconds)
        state.catch_up()


@pytest.mark.parametrize("pass_the_day", [jump, hurry])
def test_the_entries_of_a_day_happen_in_order_at_their_times(
    tmp_path: Path, pass_the_day: Callable[[PhoneState, ManualClock], None]
) -> None:
    host = ManualClock(START)
    state, player = whole_day(tmp_path, host)
    pass_the_day(state, host)
    assert happened(state) == HAPPENED
    assert player.next is None
    assert f"{state.clock.wall():%d %H:%M}" == "07 00:00"


async def test_a_day_passes_without_any_command(tmp_path: Path) -> None:
    state, player = whole_day(tmp_path)
    async with VirtualPhone(state).listening(), asyncio.timeout(20):
        state.clock.speed(200_000)
        await player.over()
        state.clock.freeze()
    assert happened(state)[: len(HAPPENED)] == HAPPENED


async def test_an_entry_that_fails_ends_the_scenario_with_the_reason(tmp_path: Path, phone: VirtualPhone) -> None:
    path = tmp_path / "day.yaml"
    path.write_text("name: x\nstart: 2026-02-06T14:00:00+08:00\ntimeline: [{at: '15:00', tap: {text: Nowhere}}]\n")
    player = ScenarioPlayer(Scenario.load(path), phone.state)
    player.follow()
    phone.state.advance(7200)
    with pytest.raises(UsageError, match="says 'Nowhere'"):
        await player.over()


async def test_due_events_have_happened_when_adb_queries_a_fast_phone(phone: VirtualPhone, device: Device) -> None:
    phone.state.alarms.add(14, 5, label="Tea")
    phone.state.clock.speed(100_000)
    async with asyncio.timeout(20):
        while "Tea" not in (await device.shell("dumpsys notification --noredact")).stdout:
            await phone.state.until_changed()
    assert phone.state.alarms.fired[0][1] == START + timedelta(minutes=5)


def test_a_month_of_thirty_alarms_passes_at_once() -> None:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.alarms.alarms = []
    state.alarms.add(6, 0, ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "Every day")
    state.advance(30 * 86_400)
    assert len(state.alarms.fired) == 30
    assert {f"{moment:%H:%M:%S}" for _, moment in state.alarms.fired} == {"06:00:00"}
    assert len({moment.date() for _, moment in state.alarms.fired}) == 30


@given(steps=st.lists(st.integers(min_value=1, max_value=40_000), max_size=12))
def test_one_jump_or_many_make_no_difference(steps: list[int]) -> None:
    def fired(jumps: list[int]) -> list[tuple[int, datetime]]:
        state = PhoneState.standard(now=START)
        state.clock.freeze()
        state.clock.jump(START)
        state.alarms.add(5, 30, ["sat", "sun", "mon"])
        state.alarms.add(15, 0)
        for seconds in jumps:
            state.advance(seconds)
        return state.alarms.fired

    assert fired(steps) == fired([sum(steps)])


def test_a_clock_set_back_lets_an_alarm_ring_again() -> None:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.clock.jump(START)
    state.alarms.add(15, 0, ["fri"])
    state.advance(7200)
    state.clock.set(START)
    state.advance(7200)
    assert [moment for _, moment in state.alarms.fired] == [START + timedelta(hours=1)] * 2
