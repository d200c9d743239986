"""Taught tasks in the console: their steps to read, their texts to change, and their deletion."""

from playwright.async_api import expect

from executors.steps.vocabulary import STEPS, TypeStep
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from tests.agent.console.browser import browsing, opened
from tests.agent.console.house import House
from tests.phones import START

STEP = {"do": "type", "view": {"id": "name"}, "name": {"en": "“Name”", "zh": "“姓名”"}, "text": "Bo"}
FINISH = {"do": "finish", "before": [{"id": "name"}], "reached": {"en": "It is done.", "zh": "完成。"}}


def tasks_of(house: House) -> TaughtTasks:
    """The house's tasks, with one."""
    tasks = TaughtTasks(house.runtime.config.executors.taught_folder)
    steps = STEPS.validate_python([STEP, FINISH])
    tasks.save(TaughtTask(name="friend", app="com.example", languages=("en",), taught=START, steps=steps))
    return tasks


async def test_steps_are_read_changed_and_deleted(house: House) -> None:
    tasks = tasks_of(house)
    async with house.signed_in() as client:
        [shown] = (await client.get("/api/taught")).json()
        assert [step["sentence"] for step in shown["steps"]] == ["Types “Bo” into “Name”.", "It is done."]
        for wrong in ({"step": 2, "text": "x"}, {"step": 9, "text": "x"}, {"step": 1, "text": "a {b} c"}):
            assert (await client.post("/api/taught/friend/text", json=wrong)).is_client_error
        assert (await client.post("/api/taught/nobody/text", json={"step": 1, "text": "x"})).is_client_error
        (await client.post("/api/taught/friend/text", json={"step": 1, "text": "{name}"})).raise_for_status()
        assert tasks.get("friend").slots == {"name": ""}
        (await client.post("/api/taught/friend/text", json={"step": 1, "text": "Ada"})).raise_for_status()
        assert not tasks.get("friend").slots
        (await client.post("/api/taught/friend/forget")).raise_for_status()
        assert "friend" not in tasks
        assert (await client.post("/api/taught/friend/forget")).is_client_error


async def test_a_text_is_changed_and_the_task_deleted_in_the_browser(house: House) -> None:
    tasks = tasks_of(house)
    async with browsing() as browser, opened(browser, house.console.link()) as page:
        await page.get_by_role("link", name="Situations").click()
        await page.get_by_text("Steps", exact=True).click()
        await page.get_by_role("textbox", name="Text of a step: friend 1").fill("Cleo")
        await page.get_by_role("button", name="Change").click()
        await expect(page.get_by_text("Types “Cleo” into “Name”.")).to_be_attached()
        step = tasks.get("friend").steps[0]
        assert isinstance(step, TypeStep)
        assert step.text == "Cleo"
        await page.get_by_role("button", name="Delete task: friend").click()
        await expect(page.get_by_text("Nothing yet.")).to_be_visible()
