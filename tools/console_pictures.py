"""Photograph the console while the demo's day is played for real; needs chromium: `make pictures`."""

import asyncio
import io
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

from agent.consent.request import Answer, ConsentRequest
from agent.demo import ScriptedChannel, play_day
from heed.language import Language

DOCS = Path(__file__).parent.parent / "docs"
DESKTOP, PHONE = (1180, 1000), (390, 900)
SHOTS: Mapping[tuple[Language, str], tuple[tuple[str, tuple[int, int], str], ...]] = {
    (Language.EN, "save_contact"): (("console.phone.light", PHONE, "light"), ("console.phone.dark", PHONE, "dark")),
    (Language.EN, "cancel_alarm"): (("console.light", DESKTOP, "light"), ("console.dark", DESKTOP, "dark")),
    (Language.ZH, "save_contact"): (("console.zh", DESKTOP, "light"),),
}
"""Which pictures are taken at which question of which day."""

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
            await self._shoot(name, size, scheme)
        await self._page.locator(f".answers [data-answer={self.answer}]").click()
        await asyncio.Event().wait()
        return Answer.NOT_NOW

    async def _shoot(self, name: str, size: tuple[int, int], scheme: str) -> None:
        await self._page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        await self._page.set_viewport_size({"width": size[0], "height": size[1]})
        await self._page.evaluate("scrollTo(0, 0)")
        await self._page.wait_for_timeout(_SETTLE_MS)
        with Image.open(io.BytesIO(await self._page.screenshot())) as picture:
            picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(DOCS / f"{name}.png", optimize=True)


async def main() -> None:
    """Both days, one after the other."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=shutil.which("chromium"), args=_QUIET)
        for language in Language:
            with tempfile.TemporaryDirectory() as home:
                await _photograph(browser, Path(home), language)
        await browser.close()


async def _photograph(browser: Browser, home: Path, language: Language) -> None:
    page = await browser.new_page()
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
    await page.close()


if __name__ == "__main__":
    asyncio.run(main())
