"""``heed phone``: a virtual phone for one's own adb server, that can live through a scenario in a hurry."""

import asyncio
import re
import signal

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.facts.battery import BATTERY
from tests.agent.command import start
from virtual_phone import Scenario


async def test_a_phone_lives_through_a_scenario_at_the_speed_that_was_asked_for(adb_server: AdbServer) -> None:
    process = await start("phone", "--scenario", "low-battery", "--speed", "50000", port=adb_server.port)
    assert process.stdout is not None
    told = b""
    try:
        async with asyncio.timeout(60):
            while b"The day is over" not in told:
                told += await process.stdout.readline()
            serial = re.search(r"heed -s\s+(\S+)", told.decode())
            assert serial is not None
            assert (await Device(adb_server, serial[1]).read(BATTERY)).level == 96
            process.send_signal(signal.SIGINT)
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
    moments = [entry.at for entry in Scenario.load("low-battery").timeline]
    assert re.findall(r"^(\d\d:\d\d)  ", told.decode(), re.MULTILINE) == moments


async def test_an_unknown_build_is_a_usage_error(adb_server: AdbServer) -> None:
    process = await start("phone", "--build", "pixel-1", port=adb_server.port)
    async with asyncio.timeout(60):
        output, errors = await process.communicate()
    assert process.returncode == 2
    assert "pixel-14" in (output + (errors or b"")).decode()
