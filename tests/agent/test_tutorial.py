"""docs/tutorial.md, step by step: from the configuration to a suggestion that is allowed, verified and undone."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed.language import Language
from tests.agent.command import heed
from tests.agent.console.browser import browsing, opened
from tests.proof import PROVING

DEADLINE = 120.0
PLAIN = {"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"}
"""So that the terminal neither wraps nor colours what is searched in it."""
AWAKE = {"HEED_POLICY__QUIET_FROM": "07:00", "HEED_POLICY__QUIET_UNTIL": "07:00"}
"""No quiet hours: the phone's clock shows the host's time."""
WALKS = [(language, place) for language in Language for place in ("terminal", "browser")]
"""In which language, and where the question is answered."""
SOME = [(Language.EN, "terminal"), (Language.ZH, "browser")]


class Terminal:
    """A terminal in which one command runs, and what it has shown."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._changed = asyncio.Event()
        self.shown = ""

    def read(self) -> None:
        try:
            self.shown += os.read(self._descriptor, 65536).decode(errors="replace")
        except OSError:  # Linux tells so that the command has ended
            asyncio.get_running_loop().remove_reader(self._descriptor)
        self._changed.set()

    async def until(self, pattern: str) -> re.Match[str]:
        """Wait until the terminal shows this."""
        try:
            async with asyncio.timeout(DEADLINE):
                while (found := re.search(pattern, self.shown)) is None:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            pytest.fail(f"{pattern} did not appear in: {self.shown}")
        return found

    def type(self, line: str) -> None:
        os.write(self._descriptor, f"{line}\n".encode())


@asynccontextmanager
async def terminal(*arguments: str, **environment: str) -> AsyncIterator[Terminal]:
    """A terminal in which ``heed`` runs with these arguments; Ctrl-C ends it."""
    person, inside = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heed", *arguments),
        env={**os.environ, **PLAIN, **environment},
        stdin=inside,
        stdout=inside,
        stderr=inside,
    )
    os.close(inside)
    shown, loop = Terminal(person), asyncio.get_running_loop()
    loop.add_reader(person, shown.read)
    try:
        yield shown
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(DEADLINE):
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        loop.remove_reader(person)
        os.close(person)


@pytest.mark.parametrize(("language", "place"), WALKS if PROVING else SOME)
async def test_the_steps_of_the_tutorial_lead_to_a_suggestion_and_back(
    adb_server: AdbServer, language: Language, place: str
) -> None:
    port, is_chinese = adb_server.port, language is Language.ZH
    adb = {"ANDROID_ADB_SERVER_PORT": str(port)}
    begun = await heed("init", "--language", language, "--situations", "recommended", "--try", "low_battery")
    assert begun.code == 0, begun.err
    assert ("要打开省电模式吗" if is_chinese else "shall I turn on battery saver?") in begun.out

    async with terminal("phone", **adb) as phone:
        serial = (await phone.until(r"127\.0\.0\.1:\d+"))[0]
        listed = await heed("devices", "--json", port=port)
        assert serial in listed.out
        checked = await heed("doctor", "-s", serial, port=port)
        assert checked.code == 0, checked.out
        collected = await heed("collect", "-s", serial, "--dimension", "device", port=port)
        assert ("电量80%" if is_chinese else "Battery 80%") in collected.out

        device = Device(adb_server, serial)
        async with terminal("run", "-s", serial, **AWAKE, **adb) as daemon:
            link = (await daemon.until(r"http://127\.0\.0\.1:\d+/#\S+"))[0]
            async with running_low(device):
                await daemon.until(r"\[o\]")
            if place == "terminal":
                daemon.type("o")
            else:
                async with browsing() as browser, opened(browser, link) as page:
                    await page.locator(".answers [data-answer=once]").click()
                    await daemon.until("✓")
            await daemon.until("✓")
            assert await saver(device) == "1"
            (entry,) = [entry for entry in (await heed("journal", "--json", port=port)).data if entry["plan"]]
            assert entry["plan"]["answer"] == "once"
            undone = await heed("undo", "1", port=port)
            assert undone.code == 0, undone.err
            assert await saver(device) == "0"


@asynccontextmanager
async def running_low(device: Device) -> AsyncIterator[None]:
    """Meanwhile the battery loses a percent every second, some of them perhaps before heed listens."""

    async def lose() -> None:
        for level in range(14, 0, -1):
            await device.shell(f"dumpsys battery set level {level}")
            await asyncio.sleep(1)

    losing = asyncio.create_task(lose())
    try:
        yield
    finally:
        losing.cancel()


async def saver(device: Device) -> str:
    """Whether battery saver is on, as the phone has it."""
    return (await device.shell("settings get global low_power")).stdout.strip()
