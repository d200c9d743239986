"""Signed-in browsers over tabs and restarts, and what must be refused: real requests to a real server."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from agent.console.browser_sessions import read_sessions, sessions_path
from android_bridge.adb import AdbServer
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House, monitored
from virtual_phone import VirtualPhone

expect.set_options(timeout=60_000)


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


async def resume(client: httpx.AsyncClient, proof_key: str, host: str) -> httpx.Response:
    """What the page does when it is opened again."""
    challenge = (await client.get("/api/session/challenge")).json()["challenge"]
    proof = hmac.new(bytes.fromhex(proof_key), f"{host} {challenge}".encode(), hashlib.sha256).hexdigest()
    return await client.post("/api/session/resume", json={"challenge": challenge, "proof": proof})


async def sign_in(house: House, client: httpx.AsyncClient) -> str:
    """Open a link as the page does; the proof key."""
    token = house.console.link().partition("#")[2]
    said = (await client.post("/api/session", json={"token": token})).json()
    client.headers["X-Heed-Key"] = said["key"]
    return str(said["proof_key"])


async def test_a_browser_stays_signed_in_when_heed_restarts_and_its_bookmark_opens_the_same_page(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone, browser: Browser
) -> None:
    async with monitored(tmp_path, adb_server, phone) as house:
        address = house.address
        link = house.console.link()
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(link)
        await expect(page.locator("#screen")).to_be_visible(timeout=60_000)
    await expect(page.get_by_text("heed is not running")).to_be_visible()
    async with monitored(tmp_path, adb_server, phone) as house:
        assert house.address == address
        await expect(page.get_by_text("heed is not running")).to_be_hidden()
        bookmark = await context.new_page()
        await bookmark.goto(f"{address}/#/memory")
        await expect(bookmark.get_by_text("heed always asks")).to_be_visible()
        await context.close()


async def test_signing_out_ends_every_open_page(house: House, browser: Browser) -> None:
    async with opened(browser, house.console.link()) as page:
        await page.get_by_role("link", name="Settings").click()
        await page.get_by_role("button", name="Sign every browser out").click()
        await expect(page.get_by_role("heading", name="This page needs a link from heed")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("heading", name="This page needs a link from heed")).to_be_visible()
    assert read_sessions(sessions_path(house.runtime.config.journal.path)).sessions == ()


async def test_ending_the_sessions_closes_open_connections_and_is_final(house: House) -> None:
    async with house.client() as client:
        proof_key = await sign_in(house, client)
        async with client.stream("GET", "/api/events") as events:
            lines = events.aiter_lines()
            assert await anext(lines)
            assert house.console.end_sessions() == 1
            async with asyncio.timeout(30):
                async for _ in lines:
                    pass
        assert (await client.get("/api/journal")).status_code == 401
        assert (await resume(client, proof_key, house.host)).status_code == 401


async def test_a_proof_counts_once_for_this_address_and_needs_the_cookie(house: House) -> None:
    async with house.client() as client, house.client() as thief:
        proof_key = await sign_in(house, client)
        assert (await resume(client, proof_key, house.host)).status_code == 200
        assert (await resume(client, proof_key, "127.0.0.1:1")).status_code == 401
        assert (await resume(client, "00" * 32, house.host)).status_code == 401
        # The proof key without the cookie, and the cookie without the proof key.
        assert (await resume(thief, proof_key, house.host)).status_code == 401
        for name, value in client.cookies.items():
            thief.cookies.set(name, value)
        assert (await resume(thief, "", house.host)).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
async def test_signing_in_and_resuming_are_refused_to_other_pages_and_names(
    house: House, headers: dict[str, str]
) -> None:
    token = house.console.link().partition("#")[2]
    async with house.client() as client:
        for path, body in (("/api/session", {"token": token}), ("/api/session/resume", {"challenge": "", "proof": ""})):
            assert (await client.post(path, json=body, headers=headers)).status_code in (400, 403)
        assert (await client.get("/api/session/challenge", headers=headers)).status_code in (400, 403)
        # The link was not used up by the page that was refused.
        assert (await client.post("/api/session", json={"token": token})).status_code == 200


async def test_the_cookie_is_for_this_page_alone_and_lasts(house: House) -> None:
    async with house.client() as client:
        token = house.console.link().partition("#")[2]
        cookie = (await client.post("/api/session", json={"token": token})).headers["set-cookie"].lower()
        for part in ("httponly", "samesite=strict", "path=/api", "max-age=2592000"):
            assert part in cookie
