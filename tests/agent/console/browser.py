"""A real headless browser: Debian's chromium, driven by Playwright."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, async_playwright

_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
_TIMEOUT_MS = 60_000


def chromium() -> str:
    """The browser's path. Without one the test is skipped with the reason, and fails in CI."""
    path = os.environ.get("HEED_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "no chromium here (apt-get install chromium, or set HEED_CHROMIUM)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    """The browser while the block runs; it speaks to loopback only, because its pages do."""
    path = chromium()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=_QUIET)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def opened(browser: Browser, link: str, *, width: int = 1280, height: int = 900) -> AsyncIterator[Page]:
    """A page in a profile of its own; at the end, no script may have failed and nothing may have been forbidden."""
    context = await browser.new_context(viewport={"width": width, "height": height})
    page = await context.new_page()
    page.set_default_timeout(_TIMEOUT_MS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
    page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
    await page.goto(link)
    try:
        yield page
    finally:
        await context.close()
    assert faults == []
