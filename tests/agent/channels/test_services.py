"""Every messaging service end to end: a virtual phone, a daemon, the service, and a person who presses buttons."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from android_bridge.adb import AdbServer
from tests.agent.channels.asked import Asked, asked
from tests.agent.channels.desktop_server import address
from tests.agent.channels.drivers import DRIVERS, DesktopDriver, Driver, ShownMessage
from virtual_phone import VirtualPhone


@pytest.fixture(params=DRIVERS, ids=lambda driver: driver.name)
def driver(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    if request.param is DesktopDriver and not shutil.which("dbus-daemon"):
        pytest.skip("dbus-daemon is not installed")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address(tmp_path))
    made: Driver = request.param(tmp_path)
    return made


async def works(one: Asked, driver: Driver) -> None:
    await one.house.until(lambda: one.state_of(driver.name) == "working")


async def shown(one: Asked, driver: Driver) -> ShownMessage:
    """The question, once a person sees it."""
    await one.house.until(driver.messages)
    return driver.messages()[-1]


async def test_a_press_allows_the_plan_and_the_question_is_closed(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        name = one.house.runtime.stores.phones.name(one.house.runtime.stores.journal.timeline(1)[0].phone_id)
        assert name in message.title
        assert "will: Turns battery saver on." in message.text
        assert {"once", "not now", "never"} <= message.buttons.keys()
        await driver.press(message.buttons["once"])
        await one.house.until(lambda: phone.state.power.saver)
        assert one.answers == [("once", driver.name)]
        await one.house.until(lambda: not driver.open())


async def test_a_rejection_on_it_is_one(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        await driver.press(message.buttons["never"])
        await one.answered()
        assert one.answers == [("never", driver.name)]
        assert not phone.state.power.saver


async def test_a_wrong_token_is_told_and_the_console_is_asked_all_the_same(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    if not driver.wrong:
        pytest.skip("this service has no token")
    async with (
        driver.serving(),
        asked(tmp_path, adb_server, phone, driver.section(**driver.wrong)) as one,
        one.house.signed_in() as page,
    ):
        await one.house.until(lambda: one.state_of(driver.name) == "failing")
        assert driver.fault in one.reason_of(driver.name)
        one.low_battery()
        await one.house.answer(page, "once")
        await one.house.until(lambda: phone.state.power.saver)
        assert driver.messages() == []


async def test_a_late_answer_changes_nothing_and_is_told_so(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section(), timeout=1.5) as one:
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        await one.house.until(lambda: one.answers and not driver.open())
        await driver.press(message.buttons["once"])
        await one.house.until(lambda: any(text.startswith("This question is over.") for text in driver.said()))
        assert one.answers == [("no_answer", "nobody")]
        assert not phone.state.power.saver


async def test_of_two_answers_the_first_counts(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with (
        driver.serving(),
        asked(tmp_path, adb_server, phone, driver.section()) as one,
        one.house.signed_in() as page,
    ):
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        await one.house.answer(page, "not_now")
        await driver.press(message.buttons["once"])
        await one.house.until(lambda: any("Nothing was changed by your answer" in text for text in driver.said()))
        await one.house.until(lambda: not driver.open())
        assert one.answers == [("not_now", "console")]
        assert not phone.state.power.saver


async def test_of_two_presses_the_first_counts(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        await driver.press(message.buttons["not now"])
        await driver.press(message.buttons["once"])
        await one.house.until(lambda: any("Nothing was changed by your answer" in text for text in driver.said()))
        assert one.answers == [("not_now", driver.name)]
        assert not phone.state.power.saver


async def test_a_dead_server_holds_up_nothing_and_shows_the_question_when_it_is_back(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with asked(tmp_path, adb_server, phone, driver.section()) as one, one.house.signed_in() as page:
        await one.house.until(lambda: one.state_of(driver.name) == "failing")
        one.low_battery()
        await one.house.question(page)
        async with driver.serving():
            message = await shown(one, driver)
            await works(one, driver)
            await driver.press(message.buttons["once"])
            await one.house.until(lambda: phone.state.power.saver)
        assert one.answers == [("once", driver.name)]


async def test_a_server_that_dies_while_it_asks_does_not_keep_the_console_from_answering(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with asked(tmp_path, adb_server, phone, driver.section()) as one, one.house.signed_in() as page:
        async with driver.serving():
            await works(one, driver)
            one.low_battery()
            await shown(one, driver)
        await one.house.answer(page, "once")
        await one.house.until(lambda: phone.state.power.saver)
        await one.house.until(lambda: one.state_of(driver.name) == "failing")
        assert one.answers == [("once", "console")]


async def test_when_heed_ends_the_question_is_closed(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving():
        async with asked(tmp_path, adb_server, phone, driver.section()) as one:
            await works(one, driver)
            one.low_battery()
            await shown(one, driver)
        assert not driver.open()


async def test_the_code_of_another_question_or_none_of_heeds_answers_nothing(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        await driver.press(_forged(message.buttons["once"]))
        await one.house.until(lambda: any("Nothing was changed by your answer" in text for text in driver.said()))
        assert one.answers == []
        assert driver.open() == 1


async def test_presses_without_end_are_told_a_few_times(
    driver: Driver, tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with driver.serving(), asked(tmp_path, adb_server, phone, driver.section()) as one:
        await works(one, driver)
        one.low_battery()
        message = await shown(one, driver)
        for _ in range(30):
            await driver.press(_forged(message.buttons["once"]))
        await driver.press(message.buttons["once"])
        await one.house.until(lambda: phone.state.power.saver)
        assert sum("Nothing was changed by your answer" in text for text in driver.said()) < 30


def _forged(pressed: Any) -> Any:
    code = "A" * 22
    if isinstance(pressed, dict):
        return {**pressed, "body": code}
    return (pressed[0], code) if isinstance(pressed, tuple) else code


def test_every_service_has_a_driver() -> None:
    from agent.channels.registry import service_classes

    assert set(service_classes()) == {driver.name for driver in DRIVERS}
