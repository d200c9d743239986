"""The daemon's tasks come and go with the phones, one each."""

import asyncio

import pytest

from agent.compose import compose
from agent.config import Config
from agent.daemon import Daemon, PhoneState
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from heed.errors import DeviceLostError


async def test_a_phone_that_goes_while_its_task_is_ended_leaves_no_task_behind(
    heed_home: object, adb_server: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    attended = asyncio.Event()

    async def watch(self: Daemon, serial: str) -> None:
        try:
            attended.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise DeviceLostError("The connection to the phone broke.") from None

    monkeypatch.setattr(Daemon, "_watch", watch)
    async with compose(Config(bridge=BridgeConfig(port=adb_server.port))) as household:
        daemon = Daemon(household, wanted=None)
        for _ in range(3):
            daemon._follow(frozenset({"phone-a"}))
            async with asyncio.timeout(10):
                await attended.wait()
            attended.clear()
            daemon._follow(frozenset())
            async with asyncio.timeout(10):
                await asyncio.gather(*_attending(), return_exceptions=True)
            assert _attending() == []
            assert [status.state for status in daemon._status.values()] == [PhoneState.AWAY]


def _attending() -> list[asyncio.Task[object]]:
    return [task for task in asyncio.all_tasks() if task.get_name().startswith("attend ")]
