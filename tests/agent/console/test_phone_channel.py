"""Consent on the phone, over the real adb server: the notification, its address, and what other apps may do there."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from android_bridge import consent_notification as invitation
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.context import TriggerKind
from tests.agent.console.house import House, monitored
from tests.agent.console.phone_browser import SHELL, invitations, invited, on_the_phone, tap
from virtual_phone import VirtualPhone


@pytest_asyncio.fixture
async def house(tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone) -> AsyncIterator[House]:
    """A daemon that also asks on the phone."""
    async with monitored(tmp_path, adb_server, phone, on_phone=True) as house, on_the_phone(house):
        yield house


def browser(address: str) -> httpx.AsyncClient:
    """The phone's browser with the page of ``address`` open, or another app that knows as much."""
    page, _, token = address.partition("/#")
    headers = {"Origin": page, "X-Heed-Token": token}
    return httpx.AsyncClient(base_url=page, headers=headers, trust_env=False, timeout=30)


def low_battery(house: House) -> None:
    house.phone.state.battery.set(level=15, charger="none")


async def test_tapping_the_notification_opens_the_page_and_its_answer_acts(house: House) -> None:
    low_battery(house)
    async with browser(await tap(house)) as page:
        assert "consent.js" in (await page.get("/")).text
        question = (await page.get("/consent/question")).json()
        assert "battery saver" in question["sentence"]
        body = {"plan_hash": question["plan_hash"], "answer": "once"}
        assert (await page.post("/consent/answer", json=body)).json() == {"answer": "once", "channel": "phone"}
    await house.until(lambda: house.phone.state.power.saver)
    assert house.runtime.stores.journal.timeline()[-1].plan.channel == "phone"  # type: ignore[union-attr]


@pytest.mark.parametrize("swipe", ["one", "all"])
async def test_swiping_the_notification_away_is_not_now(house: House, swipe: str) -> None:
    low_battery(house)
    key = await invited(house)
    if swipe == "one":
        house.phone.state.notifications.cancel(key)
    else:
        house.phone.state.notifications.cancel_all()
    await house.until(lambda: _answers(house) == ["not_now"])
    assert not house.phone.state.power.saver


async def still_asked(house: House) -> None:
    """The question is open: the answer that the console gives now counts."""
    async with house.signed_in() as console:
        await house.answer(console, "never")
    await house.until(lambda: _answers(house))
    assert _answers(house) == ["never"]


def own_tag(house: House) -> str:
    return next(note.tag for note in house.phone.state.notifications.visible() if note.package == SHELL and note.tag)


async def test_a_notification_of_another_app_with_our_tag_is_no_answer(house: House) -> None:
    low_battery(house)
    await invited(house)
    notifications = house.phone.state.notifications
    for identifier in (1, 2020):
        note = notifications.post("com.evil", "heed asks", "?", identifier=identifier, tag=own_tag(house))
        notifications.cancel(note.key)
    for tag in ("heed-1", "heed-1-0000000000000000"):
        notifications.cancel(notifications.post(SHELL, "heed asks", "?", identifier=2020, tag=tag).key)
    await house.phone.state.log.followed()
    await still_asked(house)


@pytest.mark.parametrize("reason", [1, 8, 9, 10, 11, 18, 19])
async def test_a_notification_that_somebody_else_removed_is_no_answer(house: House, reason: int) -> None:
    low_battery(house)
    house.phone.state.notifications.cancel(await invited(house), reason)
    await house.phone.state.log.followed()
    await still_asked(house)


async def test_a_line_that_an_app_writes_into_the_event_log_is_no_answer(house: House) -> None:
    low_battery(house)
    key = await invited(house)
    house.phone.state.log.event("notification_canceled", key, 2, 9, 9, 0, 0, 1, "NULL")
    await house.phone.state.log.followed()
    await still_asked(house)


async def test_nobody_answering_cannot_be_said_on_the_page(house: House) -> None:
    low_battery(house)
    async with browser(await tap(house)) as page, house.signed_in() as console:
        question = (await page.get("/consent/question")).json()
        body = {"plan_hash": question["plan_hash"], "answer": "no_answer"}
        assert (await page.post("/consent/answer", json=body)).status_code in (400, 422)
        assert (await console.post(f"/api/questions/{question['plan_id']}", json=body)).status_code in (400, 422)
    await still_asked(house)


def _answers(house: House) -> list[str | None]:
    return [entry.plan.answer for entry in house.runtime.stores.journal.timeline() if entry.plan and entry.plan.answer]


async def test_when_the_question_is_over_nothing_of_it_is_left_on_the_phone(house: House) -> None:
    low_battery(house)
    address = await tap(house)
    async with house.signed_in() as console, browser(address) as page:
        question = (await page.get("/consent/question")).json()
        ending = asyncio.create_task(page.get("/consent/end"))
        await house.answer(console, "never")
        assert (await ending).json() == {"answer": "never", "channel": "console"}
        late = await page.post("/consent/answer", json={"plan_hash": question["plan_hash"], "answer": "once"})
        assert late.status_code == 409
        assert "over" in late.json()["error"]
        await house.until(lambda: not invitations(house.phone) and not house.phone.reverses.listed())
    assert not house.phone.state.power.saver


async def test_another_app_on_the_phone_reaches_nothing_without_the_token(house: House) -> None:
    low_battery(house)
    address = await tap(house)
    page, _, token = address.partition("/#")
    async with browser(f"{page}/#guess") as other:
        assert (await other.get("/consent/question")).status_code == 409
        answer = await other.post("/consent/answer", json={"plan_hash": "0" * 64, "answer": "once"})
        assert answer.status_code == 409
        # The console itself is not there at all.
        for path in ("/api/journal", "/api/session", "/api/events"):
            assert (await other.get(path)).status_code == 404
    async with browser(address) as thief:
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            assert (await thief.get("/consent/question", headers=headers)).status_code == 403
        assert (await thief.get("/consent/question", headers={"X-Heed-Token": token[:-1]})).status_code == 409


async def test_heed_does_not_take_its_own_invitation_for_something_that_happened(house: House) -> None:
    low_battery(house)
    await invited(house)
    async with house.signed_in() as client:
        await house.answer(client, "not_now")
        house.phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob, my new number")
        await house.question(client)
        told = [entry.trigger for entry in house.runtime.stores.journal.timeline(50)]
        assert told.count(TriggerKind.NOTIFICATION) <= 1  # the phone's own "battery low"
        shown = (await client.get("/api/context")).text
        assert "heed asks" not in shown


@pytest.mark.parametrize("text", ["'; reboot; '", "$(reboot)", "-c activity", "line\none", "<b>x</b>", "你好 🙂"])
async def test_any_sentence_reaches_the_notification_as_text_and_the_address_stays_ours(
    device: Device, phone: VirtualPhone, text: str
) -> None:
    tag = invitation.new_tag(7)
    result = await device.shell(invitation.post(tag, "heed asks", text, "http://127.0.0.1:8746/#token"))
    assert "posting" in result.text
    note = phone.state.notifications.visible()[0]
    assert (note.title, note.big_text, note.tag) == ("heed asks", text, tag)
    assert note.tap == {"action": "android.intent.action.VIEW", "data": "http://127.0.0.1:8746/#token"}
    await device.shell(invitation.withdraw(tag))
    assert invitations(phone) == []
