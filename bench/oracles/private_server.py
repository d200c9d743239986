"""An adb server of its own, which sees no other phones."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from tests.phones import free_port


@asynccontextmanager
async def private_server() -> AsyncIterator[AdbServer]:
    """The real adb server on a port and with a home of its own, while in the block."""
    with tempfile.TemporaryDirectory() as home:
        before = dict(os.environ)
        os.environ |= {"HOME": home, "ADB_LOCAL_TRANSPORT_MAX_PORT": "5554", "ADB_MDNS": "0", "ADB_USB": "0"}
        server = AdbServer(BridgeConfig(port=await asyncio.to_thread(free_port)))
        await server.ensure_running()
        try:
            yield server
        finally:
            await server.kill()
            os.environ.clear()
            os.environ.update(before)
