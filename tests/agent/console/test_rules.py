"""A rule is typed into the console, counts at once, and is deleted there."""

from playwright.async_api import expect

from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House


async def test_a_rule_of_the_console_counts_at_once(house: House) -> None:
    async with house.signed_in() as client:
        refused = await client.post("/api/rules", json={"sentence": "sometimes: dance"})
        assert refused.status_code == 400
        assert "was not understood" in refused.json()["error"]
        assert (await client.post("/api/rules", json={"sentence": "x" * 301})).is_client_error
        (await client.post("/api/rules", json={"sentence": "when I plug in my phone: dark mode"})).raise_for_status()
        house.phone.state.battery.set(level=50, charger="none")
        house.phone.state.battery.set(level=50, charger="usb")
        question = await house.answer(client, "not_now")
        assert question["sentence"] == "The phone is charging: shall I switch to dark mode?"
        (await client.post("/api/rules/rule_1/remove")).raise_for_status()
        assert (await client.get("/api/rules")).json() == []
        assert (await client.post("/api/rules/rule_1/remove")).is_client_error


async def test_a_rule_is_written_and_deleted_in_the_browser(house: House) -> None:
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_role("link", name="Situations").click()
        box = page.get_by_role("textbox", name="A new rule")
        await box.fill("whenever: dance")
        await box.press("Enter")
        await expect(page.get_by_text("“whenever” was not understood")).to_be_visible()
        await box.fill("weekdays 22:30: do not disturb until 7")
        await page.get_by_role("button", name="Add rule").click()
        await expect(page.get_by_text("shall I turn on Do Not Disturb for 8 hours 30 minutes?")).to_be_visible()
        await page.get_by_role("button", name="Delete rule: weekdays").click()
        await expect(page.get_by_text("510 minutes")).to_have_count(0)


async def test_a_rule_is_filled_in(house: House) -> None:
    async with house.signed_in() as client:
        choices = (await client.get("/api/rules/form")).raise_for_status().json()
        charging = next(one["number"] for one in choices["events"] if one["label"] == "when I plug in my phone")
        dark = next(one["number"] for one in choices["actions"] if one["label"] == "dark mode")
        refused = await client.post("/api/rules/form", json={"action": dark})
        assert refused.status_code == 400
        assert "Say when" in refused.json()["error"]
        assert (await client.post("/api/rules/form", json={"event": charging, "action": -1})).is_client_error
        (await client.post("/api/rules/form", json={"event": charging, "action": dark})).raise_for_status()
        (rule,) = (await client.get("/api/rules")).json()
        assert rule["sentence"] == "when I plug in my phone: dark mode"
        assert rule["example"] == "The phone is charging: shall I switch to dark mode?"


async def test_the_form_shows_the_fields_that_its_choices_ask_for(house: House) -> None:
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_role("link", name="Situations").click()
        await page.get_by_text("Or fill in a form").click()
        form = page.get_by_role("form", name="Or fill in a form")
        await form.get_by_label("Then propose").select_option(label="do not disturb")
        await expect(form.get_by_label("What, whom or where")).to_be_hidden()
        await form.get_by_label("Time", exact=True).fill("22:30")
        await form.get_by_label("Sat").check()
        await form.get_by_label("Sun").check()
        await form.get_by_label("Until").fill("07:00")
        await form.get_by_role("button", name="Add rule").click()
        await expect(page.get_by_text("weekends 22:30: do not disturb until 07:00")).to_be_visible()

        await form.get_by_label("When", exact=True).select_option(label="when I arrive at …")
        await expect(form.get_by_label("Sat")).to_be_hidden()
        await form.get_by_label("Which place, or how many percent").fill("the moon")
        await form.get_by_role("button", name="Add rule").click()
        await expect(page.get_by_text("Your profile has no place 'the moon'")).to_be_visible()
