"""``heed run``, ``heed console`` and the demo's console as a person starts them."""

import asyncio
import signal
import stat
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from agent.console.browser import open_page
from agent.demo import play_day
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed import paths
from tests.agent.command import TIMEOUT, heed, monitors, start


@asynccontextmanager
async def running(port: int, *options: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, list[str]]]:
    """``heed run`` until the block ends, and the lines that it says first."""
    process = await start("run", *options, port=port, PYTHONUNBUFFERED="1")
    assert process.stdout is not None
    lines = 1 if "--no-console" in options else 2
    try:
        async with asyncio.timeout(TIMEOUT):
            said = [(await process.stdout.readline()).decode() for _ in range(lines)]
            while not await monitors():
                await asyncio.sleep(0.05)
                assert process.returncode is None
        yield process, said
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def sign_in(client: httpx.AsyncClient, link: str) -> None:
    page, _, token = link.strip().partition("/#")
    client.base_url = httpx.URL(page)
    client.headers["Origin"] = page
    client.headers["X-Heed-Key"] = (await client.post("/api/session", json={"token": token})).json()["key"]


async def test_run_prints_a_link_console_gives_another_and_sigterm_ends_it_with_pages_open(
    adb_server: AdbServer, device: Device
) -> None:
    async with running(adb_server.port) as (process, said):
        first = said[1].removeprefix("Console: ")
        second = (await heed("console", "--print", port=adb_server.port)).out
        assert first != second
        for link in (first, second):
            async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
                await sign_in(client, link)
                assert (await client.get("/api/phones")).json()[0]["serial"] == device.serial
                async with client.stream("GET", "/api/events") as events:
                    assert "questions" in await anext(events.aiter_text())
                    if link == second:
                        process.send_signal(signal.SIGTERM)
                        async with asyncio.timeout(TIMEOUT):
                            assert await process.wait() == 0


async def test_without_the_console_there_is_no_server_and_the_command_says_what_to_do(
    adb_server: AdbServer, device: Device
) -> None:
    async with running(adb_server.port, "--no-console"):
        refused = await heed("console", "--print", port=adb_server.port)
        assert refused.code == 2
        assert "--console" in refused.err


async def test_a_link_is_handed_to_the_browser_through_a_file_that_only_its_owner_can_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []

    def opens(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", opens)
    assert open_page("http://127.0.0.1:1/#token")
    path = paths.runtime_dir() / "console.html"
    assert opened == [path.as_uri()]
    assert "token" not in opened[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "http://127.0.0.1:1/#token" in path.read_text()


async def test_the_demos_day_shows_in_a_console_of_its_own(tmp_path: Path) -> None:
    links: list[str] = []
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        async for moment in play_day(tmp_path, show_console=links.append):
            if not client.headers.get("Origin"):
                await sign_in(client, links[0])
            if moment.sentence:
                entries = (await client.get("/api/journal")).json()["rows"]
                assert moment.sentence in [entry["sentence"] for entry in entries if entry["kind"] == "entry"]


async def test_revoke_signs_browsers_out_with_and_without_a_daemon(adb_server: AdbServer, device: Device) -> None:
    async with running(adb_server.port) as (_, said), httpx.AsyncClient(trust_env=False, timeout=30) as client:
        await sign_in(client, said[1].removeprefix("Console: "))
        assert "signed out: 1" in (await heed("console", "--revoke", port=adb_server.port)).out
        assert (await client.get("/api/phones")).status_code == 401
        link = (await heed("console", "--print", port=adb_server.port)).out
        await sign_in(client, link)
    assert "signed out: 1" in (await heed("console", "--revoke", port=adb_server.port)).out
    assert "signed out: 0" in (await heed("console", "--revoke", port=adb_server.port)).out
