"""What no event of the phone tells is entered in the agenda and attended to when it is due."""

import asyncio
from datetime import timedelta

from agent.compose import compose
from agent.config import Config
from agent.stages import Saw, Stage
from agent.watch import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from android_bridge.virtual import VirtualPhone
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Trigger
from tests.phones import START


async def test_an_event_of_the_calendar_is_attended_to_before_it_starts(
    phone: VirtualPhone, device: Device, adb_server: AdbServer
) -> None:
    phone.state.calendar.events.clear()
    phone.state.calendar.add("Review", START + timedelta(minutes=12))
    seeing = CollectorsConfig(frames=FramesConfig(enabled=False))
    config = Config(bridge=BridgeConfig(port=adb_server.port), collectors=seeing)
    saw: asyncio.Queue[Trigger] = asyncio.Queue()

    def listen(stage: Stage) -> None:
        if isinstance(stage, Saw):
            saw.put_nowait(stage.context.trigger)

    async with compose(config) as household:
        one = household.phone(device.serial, listen=listen)
        watcher = Watcher(
            one.attendant,
            clock=one.clock,
            host=household.clock,
            triggers=one.triggers,
            dues=one.dues,
            upcoming=one.upcoming.dues,
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
