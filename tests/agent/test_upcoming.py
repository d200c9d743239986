"""What no event of the phone tells is entered in the agenda and attended to when it is due."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from agent.compose import compose
from agent.loop.deferred import HELD_APPOINTMENT, Held
from agent.loop.progress import Saw, Stage
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.context import Trigger
from heed.trust import Trust
from tests.agent.make import config_of
from tests.phones import START
from virtual_phone import VirtualPhone


class Triggers(asyncio.Queue[Trigger]):
    """What the attendant has looked at the phone for."""

    def listen(self, stage: Stage) -> None:
        if isinstance(stage, Saw):
            self.put_nowait(stage.context.trigger)


async def test_an_event_of_the_calendar_is_attended_to_before_it_starts(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path
) -> None:
    phone.state.calendar.events.clear()
    phone.state.calendar.add("Review", START + timedelta(minutes=12))
    saw = Triggers()
    async with compose(config_of(adb_server, tmp_path)) as household:
        one = household.phone(device.serial, listen=saw.listen)
        watcher = Watcher(
            one.attendant,
            clock=one.clock,
            host=household.clock,
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


async def test_what_was_held_back_is_attended_to_when_somebody_looks_at_the_phone(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path
) -> None:
    """Nobody waits for its turn: that is five minutes away on the phone's clock, which hardly moves here."""
    held = Trigger(kind="sms_received", data={"text": "my new number"}, trust=Trust.THIRD_PARTY)
    saw = Triggers()
    phone.state.power.sleep()
    async with compose(config_of(adb_server, tmp_path)) as household:
        one = household.phone(device.serial, listen=saw.listen)
        one.clock.set(START)
        Held(household.books.agenda, device.serial).hold(held, START)
        watcher = Watcher(
            one.attendant, clock=one.clock, host=household.clock, triggers=one.triggers, dues=one.dues
        )  # fmt: skip
        task = asyncio.create_task(watcher.run())
        async with asyncio.timeout(30):
            await phone.state.log.followed()
            phone.state.power.wake()
            assert [(await saw.get()).kind, await saw.get()] == ["screen", held]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("late", [timedelta(0), timedelta(minutes=20)])
async def test_what_was_held_back_is_attended_to_again(
    phone: VirtualPhone, device: Device, adb_server: AdbServer, tmp_path: Path, late: timedelta
) -> None:
    """Also when the phone was away as it came due."""
    held = Trigger(kind="sms_received", data={"text": "my new number"}, trust=Trust.THIRD_PARTY)
    saw = Triggers()
    async with compose(config_of(adb_server, tmp_path)) as household:
        one = household.phone(device.serial, listen=saw.listen)
        one.clock.set(START)
        household.books.agenda.add(START - late, device.serial, HELD_APPOINTMENT, held.model_dump(mode="json"))
        watcher = Watcher(
            one.attendant, clock=one.clock, host=household.clock, triggers=one.triggers, dues=one.dues
        )  # fmt: skip
        task = asyncio.create_task(watcher.run())
        async with asyncio.timeout(30):
            assert await saw.get() == held
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
