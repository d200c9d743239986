"""The wake-up timer fires after the time that passed, whatever the clocks show."""

import asyncio
from datetime import timedelta

import pytest

from agent.loop import wakeup
from agent.loop.wakeup import HostWakeupTimer
from heed.clock import ManualClock
from tests.agent.make import NOON


async def _fired_within(fired: asyncio.Event, seconds: float = 0.05) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await fired.wait()
    except TimeoutError:
        return False


async def _set(clock: ManualClock, seconds: float) -> tuple[HostWakeupTimer, asyncio.Event]:
    timer, fired = HostWakeupTimer(clock), asyncio.Event()

    async def fire() -> None:
        fired.set()

    timer.set(seconds, fire)
    await asyncio.sleep(0)
    return timer, fired


async def test_turning_the_clock_neither_hurries_nor_delays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeup, "LONGEST_SLEEP", 0.01)
    clock = ManualClock(NOON)
    timer, fired = await _set(clock, 3600)
    clock.turn(timedelta(days=365))
    assert not await _fired_within(fired)
    clock.turn(timedelta(days=-730))
    clock.advance(3600)
    assert await _fired_within(fired, 10)
    timer.stop()


async def test_a_time_that_passed_while_the_host_slept_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeup, "LONGEST_SLEEP", 0.01)
    clock = ManualClock(NOON)
    timer, fired = await _set(clock, 8 * 3600)
    assert not await _fired_within(fired)
    clock.advance(9 * 3600)
    assert await _fired_within(fired, 10)
    timer.stop()


async def test_setting_it_anew_replaces_what_was_set_also_from_within() -> None:
    clock, fired = ManualClock(NOON), asyncio.Event()
    timer = HostWakeupTimer(clock)
    calls: list[str] = []

    async def second() -> None:
        calls.append("second")
        fired.set()

    async def first() -> None:
        calls.append("first")
        timer.set(0, second)
        await asyncio.sleep(0)
        calls.append("first ended")

    timer.set(3600, second)
    timer.set(0, first)
    assert await _fired_within(fired, 10)
    assert sorted(calls) == ["first", "first ended", "second"]
    timer.stop()


async def test_an_error_of_what_is_due_does_not_end_it() -> None:
    clock = ManualClock(NOON)
    timer, fired = HostWakeupTimer(clock), asyncio.Event()

    async def fail() -> None:
        raise RuntimeError("no")

    async def fire() -> None:
        fired.set()

    timer.set(0, fail)
    await asyncio.sleep(0.01)
    timer.set(0, fire)
    assert await _fired_within(fired, 10)
    timer.stop()
