"""The daemon's tasks come and go with the phones, one each."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest

from agent.compose import compose
from agent.config import Config
from agent.loop.daemon import Daemon
from agent.loop.phone_status import MonitoringState
from agent.loop.progress import ContextRead, DecisionMade, ProgressEvent
from agent.loop.trigger_queue import TriggerQueue
from agent.loop.watcher import Watcher
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from collectors.context import Trigger
from heed.errors import DeviceLostError
from tests.agent.make import config_of
from tests.phones import connected_device
from tests.proof import examples
from virtual_phone import VirtualPhone


async def test_a_phone_that_goes_while_its_task_is_ended_leaves_no_task_behind(
    heed_home: object, adb_server: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monitored = asyncio.Event()

    async def watch(self: Daemon, serial: str) -> None:
        try:
            monitored.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise DeviceLostError("The connection to the phone broke.") from None

    monkeypatch.setattr(Daemon, "_watch", watch)
    async with compose(Config(bridge=BridgeConfig(port=adb_server.port))) as runtime:
        daemon = Daemon(runtime, wanted=None)
        for _ in range(3):
            daemon._follow(frozenset({"phone-a"}))
            async with asyncio.timeout(60):
                await monitored.wait()
            monitored.clear()
            daemon._follow(frozenset())
            async with asyncio.timeout(60):
                await asyncio.gather(*_monitoring(), return_exceptions=True)
            assert _monitoring() == []
            assert [status.state for status in daemon._status.values()] == [MonitoringState.DISCONNECTED]


class Levels:
    """The battery levels that decisions were made on, in order."""

    def __init__(self) -> None:
        self.decided: list[object] = []
        self._seen: object = None

    def listen(self, stage: ProgressEvent) -> None:
        if isinstance(stage, ContextRead):
            self._seen = stage.context.trigger.data.get("level")
        elif isinstance(stage, DecisionMade) and self._seen is not None:
            self.decided.append(self._seen)

    async def reach(self, level: int) -> None:
        async with asyncio.timeout(60):
            while level not in self.decided:  # noqa: ASYNC110  # the loop tells no signal of its own
                await asyncio.sleep(0.01)


async def test_what_happens_while_the_cable_comes_off_is_looked_at_once_when_it_is_back(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    levels, wanted = Levels(), list(range(79, 79 - examples(6, full=40), -1))
    async with compose(config_of(adb_server, tmp_path)) as runtime, connected_device(phone, adb_server) as device:
        daemon = Daemon(runtime, wanted=[device.serial], listen=levels.listen)
        running = asyncio.create_task(daemon.run())
        async with asyncio.timeout(60):
            while device.serial not in daemon._phones:  # noqa: ASYNC110  # the adb server tells when it likes
                await asyncio.sleep(0.01)
            await daemon._phones[device.serial].events.begun.wait()
        for number, level in enumerate(wanted):
            phone.state.battery.set(level=level, charger="none")
            await asyncio.sleep(number % 6 * 0.006)  # from before it is heard of to after it was decided on
            await phone.unplug()
            await levels.reach(level)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert levels.decided == wanted


async def test_a_look_that_is_cut_off_is_looked_again_when_the_phone_is_back(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    """The daemon may hear of the loss before the look does, and ends it."""
    levels, queue, heard = Levels(), TriggerQueue(), asyncio.Event()
    async with compose(config_of(adb_server, tmp_path)) as runtime, connected_device(phone, adb_server) as device:
        one = runtime.phone(device.serial, await runtime.identify(device.serial), listen=levels.listen)

        async def freezing() -> AsyncIterator[tuple[Trigger | None, datetime | None]]:
            async for trigger in one.triggers():
                phone.faults.freeze()
                yield trigger
                heard.set()

        def watching(
            triggers: Callable[[], AsyncIterator[tuple[Trigger | None, datetime | None]]],
        ) -> asyncio.Task[None]:
            watcher = Watcher(
                one.agent,
                clock=one.clock,
                host=runtime.clock,
                triggers=triggers,
                dues=one.dues,
                queue=queue,
            )
            return asyncio.create_task(watcher.run())

        async with asyncio.timeout(60):
            watcher = watching(freezing)
            await one.events.begun.wait()
            phone.state.battery.set(level=50, charger="none")
            await heard.wait()
            while queue._waiting:  # noqa: ASYNC110  # the look that has begun tells nobody
                await asyncio.sleep(0.01)
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)
            phone.faults.thaw()
            watcher = watching(one.triggers)
            await levels.reach(50)
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)


def _monitoring() -> list[asyncio.Task[object]]:
    return [task for task in asyncio.all_tasks() if task.get_name().startswith("monitor ")]
