"""Photograph the console while the demo's day is played for real; needs chromium: `make pictures`."""

import asyncio
import io
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, Request, async_playwright

from agent.consent.request import Answer, ConsentRequest
from agent.demo import ScriptedChannel, play_day
from heed.language import Language
from virtual_phone import Scenario

DOCS = Path(__file__).parent.parent / "docs"
DESKTOP, PHONE = (1180, 1000), (390, 900)
SHOTS: Mapping[tuple[Language, str], tuple[tuple[str, tuple[int, int], str], ...]] = {
    (Language.EN, "save_contact"): (("console.phone.light", PHONE, "light"), ("console.phone.dark", PHONE, "dark")),
    (Language.EN, "cancel_alarm"): (("console.light", DESKTOP, "light"), ("console.dark", DESKTOP, "dark")),
    (Language.ZH, "save_contact"): (("console.zh", DESKTOP, "light"),),
}
"""Which pictures are taken at which question of which day."""
AFTERWARDS: Mapping[str, tuple[str, tuple[int, int]]] = {
    "console.timeline": ("timeline", DESKTOP),
    "console.statistics": ("statistics", DESKTOP),
    "console.situations.phone": ("situations", PHONE),
}
"""Which pictures are taken of which view when the English day is over."""

_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
_SETTLE_MS = 1500


class Photographer(ScriptedChannel):
    """A channel that photographs each question in the page, and answers it there as the script would."""

    def __init__(self, page: Page, language: Language) -> None:
        self._page, self._language = page, language

    async def ask(self, request: ConsentRequest) -> Answer:
        """Never answers itself: the page does."""
        function = request.steps[0].function
        await self._page.get_by_role("heading", name=request.sentence, level=2).wait_for()
        for name, size, scheme in SHOTS.get((self._language, function), ()):
            await shoot(self._page, name, size, scheme)
        # Where every effect is on the screen, the question can be answered.
        await self._page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        await self._page.locator(f".answers [data-answer={self.answer}]").click()
        await asyncio.Event().wait()
        return Answer.NOT_NOW


async def shoot(page: Page, name: str, size: tuple[int, int], scheme: str) -> None:
    """Photograph what the browser shows, as ``docs/NAME.png``."""
    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.evaluate("scrollTo(0, 0)")
    await page.wait_for_timeout(_SETTLE_MS)
    with Image.open(io.BytesIO(await page.screenshot())) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(DOCS / f"{name}.png", optimize=True)


async def main() -> None:
    """Both days, one after the other."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=_QUIET,
            # As a person's browser: with scrollbars.
            ignore_default_args=["--hide-scrollbars"],
        )
        for language in Language:
            with tempfile.TemporaryDirectory() as home:
                await _photograph(browser, Path(home), language)
        await browser.close()


async def _photograph(browser: Browser, home: Path, language: Language) -> None:
    page = await browser.new_page()
    page.on("request", _require_own)
    moments = 0
    opening: list[asyncio.Task[object]] = []
    channel = Photographer(page, language)
    day = play_day(
        home,
        language=language,
        channel=channel,
        show_console=lambda link: opening.append(asyncio.create_task(page.goto(link))),
    )
    async for _ in day:
        await asyncio.gather(*opening)
        moments += 1
        if language is Language.EN and moments == len(Scenario.load("demo").timeline):
            await _photograph_views(page)
    await page.close()


async def _photograph_views(page: Page) -> None:
    """The views of a day that is over; no request may have left this machine."""
    for name, (view, size) in AFTERWARDS.items():
        await page.locator(f"nav a[href='#/{view}']").click()
        await page.locator("#view > .view > *").first.wait_for()
        await shoot(page, name, size, "light")


def _require_own(request: Request) -> None:
    """No picture may show a page that asked another machine for anything."""
    if not request.url.removeprefix("blob:").startswith("http://127.0.0.1:"):
        raise SystemExit(f"the page asked for {request.url}")


if __name__ == "__main__":
    asyncio.run(main())
