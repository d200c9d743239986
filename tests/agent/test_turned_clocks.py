"""A clock that is turned, of the phone or of this machine, neither deletes nor hurries nor mutes anything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent.compose import Phone, Runtime, compose
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.demo.virtual_time import VirtualTimer
from agent.loop.watcher import Watcher
from agent.policy.rules import check_moment
from agent.policy.verdict import Decision, Rule
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from function_pool.call import FunctionCall
from heed.clock import ManualClock
from tests.agent.make import config_of, context, recommendation
from tests.phones import START
from virtual_phone import VirtualPhone

JUMPS = [timedelta(days=days) for days in (-3650, -120, 120, 365)] + [timedelta(minutes=-70), timedelta(hours=13)]
QUIET_TIME = FunctionCall(name="set_do_not_disturb", parameters={"mode": "priority", "duration_minutes": 60})


class Yes:
    name = ChannelName.SCRIPT

    async def ask(self, request: ConsentRequest) -> Answer:
        return Answer.ONCE


class Watched:
    """A phone that is watched; time passes in ``sleep`` alone."""

    def __init__(self, runtime: Runtime, phone: Phone, watcher: Watcher, state: VirtualPhone, host: ManualClock):
        self.runtime, self.phone, self.watcher, self.virtual, self.host = runtime, phone, watcher, state, host

    @property
    def quiet(self) -> bool:
        return self.virtual.state.dnd.mode == "priority"

    async def sleep(self, time: timedelta) -> None:
        self.host.advance(time.total_seconds())
        self.virtual.state.clock.set(self.virtual.state.clock.wall() + time)
        await self.watcher.process_due()
        await self.watcher.idle()

    def turn_phone(self, by: timedelta) -> None:
        self.virtual.state.clock.set(self.virtual.state.clock.wall() + by)
        self.phone.clock.set(self.virtual.state.clock.wall())


@asynccontextmanager
async def watched(
    home: Path, server: AdbServer, phone: VirtualPhone, device: Device, host: ManualClock
) -> AsyncIterator[Watched]:
    phone.state.clock.freeze()
    async with compose(config_of(server, home), host) as runtime:
        one = runtime.phone(device.serial, await runtime.identify(device.serial), channels=[Yes()])
        one.clock.set(phone.state.clock.wall())
        watcher = Watcher(
            one.agent, clock=one.clock, host=host, triggers=one.triggers, dues=one.dues, timer=VirtualTimer()
        )
        task = asyncio.create_task(watcher.run())
        try:
            async with asyncio.timeout(60):
                await phone.state.log.followed()
            yield Watched(runtime, one, watcher, phone, host)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _act(one: Watched) -> None:
    agent = one.phone.agent
    outcomes = await agent.carry_out(await agent.plan(QUIET_TIME), consented=True)
    assert [outcome.ok for outcome in outcomes] == [True], outcomes


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_phone_whose_clock_is_wrong_over_one_night_loses_nothing(
    tmp_path: Path, phone: VirtualPhone, device: Device, adb_server: AdbServer, jump: timedelta
) -> None:
    async with watched(tmp_path, adb_server, phone, device, ManualClock(START)) as one:
        await _act(one)
        one.turn_phone(jump)
        await one.sleep(timedelta(hours=20))
        await one.sleep(timedelta(hours=20))
        assert one.runtime.stores.journal.timeline()[-1].decision.id == 1
        one.turn_phone(-jump)
        await one.sleep(timedelta(hours=20))
        assert one.runtime.stores.journal.timeline()[-1].decision.id == 1


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_wrong_clock_of_this_machine_and_a_restart_delete_and_hurry_nothing(
    tmp_path: Path, phone: VirtualPhone, device: Device, adb_server: AdbServer, jump: timedelta
) -> None:
    host = ManualClock(START)
    async with watched(tmp_path, adb_server, phone, device, host) as one:
        await _act(one)
    host.turn(jump)
    async with watched(tmp_path, adb_server, phone, device, host) as one:
        # The first moments of a command know the host's clock alone.
        one.phone.clock.set(host.wall())
        await one.watcher.process_due()
        assert one.phone.agent.delete_expired() == 0
        assert one.quiet
        await one.sleep(timedelta(minutes=59))
        assert one.quiet
        await one.sleep(timedelta(minutes=2))
        assert not one.quiet


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_timed_undo_is_neither_early_nor_late_when_the_phone_is_turned(
    tmp_path: Path, phone: VirtualPhone, device: Device, adb_server: AdbServer, jump: timedelta
) -> None:
    async with watched(tmp_path, adb_server, phone, device, ManualClock(START)) as one:
        await _act(one)
        one.turn_phone(jump)
        await one.sleep(timedelta(minutes=59))
        assert one.quiet
        await one.sleep(timedelta(minutes=2))
        assert not one.quiet


@pytest.mark.parametrize("jump", JUMPS)
async def test_suggestions_are_limited_by_the_time_that_passed(
    tmp_path: Path, phone: VirtualPhone, device: Device, adb_server: AdbServer, jump: timedelta
) -> None:
    async with watched(tmp_path, adb_server, phone, device, ManualClock(START)) as one:
        config = one.runtime.config.policy.model_copy(update={"quiet_until": one.runtime.config.policy.quiet_from})

        def verdict(now: datetime) -> Rule | None:
            found = check_moment(context(now=now), one.runtime.stores, config)
            return found.rule if found else None

        for _ in range(config.per_hour):
            _suggest(one, START + jump)
        # Wrong then, right now, and the other way round: as many as are allowed were made a moment ago.
        shown = START.replace(hour=12)
        assert verdict(shown) == verdict(shown + jump) == Rule.RATE_LIMIT_HOUR
        await one.sleep(timedelta(minutes=61))
        assert verdict(shown) is None


def _suggest(one: Watched, at: datetime) -> None:
    journal = one.runtime.stores.journal
    journal.record_decision(
        journal.record_context(context(now=at)),
        at,
        recommendation(),
        decision=Decision.ASK,
        rule=Rule.ASK_FIRST,
        reason="",
    )


class YesAfterTheNight(Yes):
    """Answers in the morning a question of the evening; the machine slept in between."""

    def __init__(self, host: ManualClock) -> None:
        self._host = host

    async def ask(self, request: ConsentRequest) -> Answer:
        self._host.advance(8 * 3600)
        return Answer.ONCE


async def test_an_answer_after_the_machine_slept_comes_too_late(
    tmp_path: Path, phone: VirtualPhone, device: Device, adb_server: AdbServer
) -> None:
    host = ManualClock(START)
    async with compose(config_of(adb_server, tmp_path), host) as runtime:
        agent = runtime.phone(
            device.serial, await runtime.identify(device.serial), channels=[YesAfterTheNight(host)]
        ).agent
        assert await agent.carry_out(await agent.plan(QUIET_TIME), consented=False) == ()
        (entry,) = runtime.stores.journal.timeline()
        assert entry.plan is not None and entry.plan.channel == ChannelName.NOBODY
    assert phone.state.dnd.mode == "off"
