from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from android_bridge.adb import AdbServer
from tests.agent.console.house import House, monitored
from virtual_phone import VirtualPhone


@pytest_asyncio.fixture
async def house(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> AsyncIterator[House]:
    """A daemon with its console and one virtual phone."""
    async with monitored(tmp_path, adb_server, phone) as house:
        yield house
