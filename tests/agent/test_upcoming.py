"""Expected triggers are entered in the agenda and decided on when they are due."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent.compose import compose
from agent.journal import AgendaKind
from agent.loop.deferred import DeferredTriggers
from agent.loop.progress import ContextRead, ProgressEvent
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.context import Trigger, TriggerKind
from heed.errors import DeviceError
from heed.trust import Trust
from tests.agent.make import config_of
from tests.phones import START
from virtual_phone import VirtualPhone


class Triggers(asyncio.Queue[Trigger]):
    """What the agent has looked at the phone for."""

    def listen(self, stage: ProgressEvent) -> None:
        if isinstance(stage, ContextRead):
            self.put_nowait(stage.context.trigger)


async def test_a_calendar_event_is_a_trigger_before_it_starts(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path
) -> None:
    phone.state.calendar.events.clear()
    phone.state.calendar.add("Review", START + timedelta(minutes=12))
    saw = Triggers()
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        one = runtime.phone(device.serial, await runtime.identify(device.serial), listen=saw.listen)
        watcher = Watcher(
            one.agent,
            clock=one.clock,
            host=runtime.clock,
            triggers=one.triggers,
            dues=one.dues,
            upcoming=one.upcoming.due_triggers,
        )
        task = asyncio.create_task(watcher.run())
        async with asyncio.timeout(30):
            await phone.state.log.followed()
            phone.state.battery.set(level=50)
            assert (await saw.get()).kind == "battery_level"
            await watcher.idle()
            phone.state.clock.advance(150)
            phone.state.battery.set(level=49)
            kinds = {(trigger := await saw.get()).kind, (other := await saw.get()).kind}
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert kinds == {"battery_level", "calendar_event"}
    event = next(one for one in (trigger, other) if one.kind == "calendar_event")
    assert event.data["title"] == "Review" and event.trust == "third_party"


async def test_a_deferred_trigger_is_decided_on_when_the_screen_goes_on(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path
) -> None:
    """Nobody waits for its turn: that is five minutes away."""
    held = Trigger(kind=TriggerKind.SMS_RECEIVED, data={"text": "my new number"}, trust=Trust.THIRD_PARTY)
    saw = Triggers()
    phone.state.power.sleep()
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        one = runtime.phone(device.serial, await runtime.identify(device.serial), listen=saw.listen)
        one.clock.set(START)
        DeferredTriggers(runtime.stores, one.agent.phone.id).defer(held)
        watcher = Watcher(
            one.agent, clock=one.clock, host=runtime.clock, triggers=one.triggers, dues=one.dues
        )  # fmt: skip
        task = asyncio.create_task(watcher.run())
        async with asyncio.timeout(30):
            await phone.state.log.followed()
            phone.state.power.wake()
            assert [(await saw.get()).kind, await saw.get()] == ["screen", held]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("late", [timedelta(0), timedelta(minutes=20)])
async def test_a_deferred_trigger_is_decided_on_again(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path, late: timedelta
) -> None:
    """Also when the phone was away as it came due."""
    held = Trigger(kind=TriggerKind.SMS_RECEIVED, data={"text": "my new number"}, trust=Trust.THIRD_PARTY)
    saw = Triggers()
    async with compose(config_of(adb_server, tmp_path)) as runtime:
        one = runtime.phone(device.serial, await runtime.identify(device.serial), listen=saw.listen)
        one.clock.set(START)
        runtime.stores.agenda.add_after(-late, one.agent.phone.id, AgendaKind.DEFERRED, held.model_dump(mode="json"))
        watcher = Watcher(
            one.agent, clock=one.clock, host=runtime.clock, triggers=one.triggers, dues=one.dues
        )  # fmt: skip
        task = asyncio.create_task(watcher.run())
        async with asyncio.timeout(30):
            assert await saw.get() == held
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_who_waits_for_an_idle_watch_learns_that_it_has_ended(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path
) -> None:
    async def lost() -> AsyncIterator[tuple[Trigger | None, datetime | None]]:
        yield Trigger(kind=TriggerKind.SMS_RECEIVED, data={"text": "hello"}), None
        raise DeviceError("The phone is gone.")

    async with compose(config_of(adb_server, tmp_path)) as runtime:
        one = runtime.phone(device.serial, await runtime.identify(device.serial))
        watcher = Watcher(one.agent, clock=one.clock, host=runtime.clock, triggers=lost, dues=one.dues)
        task = asyncio.create_task(watcher.run())
        await asyncio.gather(task, return_exceptions=True)
        async with asyncio.timeout(30):
            with pytest.raises(DeviceError, match="gone"):
                await watcher.idle()
