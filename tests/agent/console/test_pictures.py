"""The phone's pictures that a plan is about: shown small to the owner's session, and to nobody else."""

import io
from pathlib import Path

from PIL import Image
from playwright.async_api import expect

from agent.console.plan_pictures import MOST, pictures_of
from android_bridge.adb import AdbServer
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import monitored
from tests.agent.make import plan, step
from tests.phones import START
from virtual_phone import PhoneState, VirtualPhone

SCREENSHOTS = """
situations:
  - id: many_screenshots
    about: {en: "Screenshots", zh: "截图"}
    scenario: Device & System
    confidence: 0.9
    when: [battery_level]
    all: []
    calls:
      - {name: clean_up_media_files, parameters: {category: screenshots, action: trash}}
    because: {en: "There are screenshots", zh: "有截图"}
"""


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (1080, 2400), "#2266aa").save(file, "PNG")
    return file.getvalue()


async def test_a_question_about_screenshots_shows_them_small(tmp_path: Path, adb_server: AdbServer) -> None:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    for number in range(2):
        item = state.media.add("Pictures/Screenshots", f"Screenshot_{number}.png", START, 3_000_000)
        state.files.put(item.path, picture())
    rules = tmp_path / "situations.yaml"
    rules.write_text(SCREENSHOTS, "utf-8")
    phone = VirtualPhone(state)
    async with (
        monitored(
            tmp_path, adb_server, phone, situations=frozenset({"many_screenshots"}), situation_files=(rules,)
        ) as house,
        house.signed_in() as client,
        house.client() as stranger,
    ):
        state.battery.set(level=15, charger="none")
        question = await house.question(client)
        assert len(question["pictures"]) >= 2
        path = f"/api/plans/{question['plan_id']}/pictures/"
        sizes = []
        for number in question["pictures"]:
            shown = await client.get(f"{path}{number}")
            if shown.status_code == 200:
                sizes.append(Image.open(io.BytesIO(shown.content)).size)
        assert sizes.count((108, 240)) == 2
        assert (await stranger.get(f"{path}{question['pictures'][0]}")).status_code == 401
        for other in ("999999", "1;reboot", "-1"):
            assert (await client.get(f"{path}{other}")).status_code in (422, 503)
        async with browsing() as browser, opened(browser, house.console.link()) as page:
            thumbnail = page.get_by_role("button", name="Picture").first
            await thumbnail.press("Enter")
            await expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible(timeout=60_000)
            await page.keyboard.press("Escape")
            await expect(page.get_by_role("dialog")).to_have_count(0)


def test_only_pictures_of_the_media_store_are_named_and_not_too_many() -> None:
    images = "content://media/external/images/media"
    about = step().model_copy(update={"before": {"uri": images, "ids": [*range(50)]}})
    other = step().model_copy(update={"before": {"uri": "content://sms", "ids": [1]}})
    assert pictures_of(plan(about, other)) == tuple(range(MOST))
    assert pictures_of(plan(other, step())) == ()
