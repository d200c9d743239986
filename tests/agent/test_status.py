"""``heed status`` and ``heed logs`` tell what the daemon is, what it did last, and what it wrote."""

import asyncio
import signal

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from tests.agent.command import heed, monitors, start
from virtual_phone import VirtualPhone


async def test_the_status_of_a_daemon_and_its_log(adb_server: AdbServer, device: Device, phone: VirtualPhone) -> None:
    assert "no log yet" in (await heed("logs")).err
    port = adb_server.port
    daemon = await start("run", port=port)
    following = None
    try:
        async with asyncio.timeout(60):
            while not await monitors():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert (await heed("now", port=port)).code == 0
        await heed("pause", "--until-resumed")
        status = (await heed("status", "--json")).data
        info = status["daemon"]
        assert info["reasoner"] == "routines"
        assert info["console"].startswith("http://127.0.0.1:")
        assert info["last_decision"]["decision"] == "silent"
        assert info["pause"]["paused"] and info["uptime_seconds"] > 0
        assert [one["state"] for one in status["phones"]] == ["monitored"]
        shown = (await heed("status", HEED_LANGUAGE="en")).out
        for words in (
            "has run for",
            "paused until you resume it",
            "Decides by: routines",
            "Last decision:",
            "monitored",
        ):
            assert words in shown

        written = (await heed("logs", "-n", "2")).out
        assert len(written.splitlines()) == 2
        assert "decision 1: silent" in (await heed("logs")).out
        following = await start("logs", "--follow", "-n", "0")
        await heed("now", port=port)
        assert following.stdout is not None
        async with asyncio.timeout(60):
            while b"decision 2" not in await following.stdout.readline():
                pass
    finally:
        if following is not None:
            following.send_signal(signal.SIGINT)
            await following.communicate()
        daemon.send_signal(signal.SIGTERM)
        await daemon.communicate()
