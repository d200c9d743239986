import asyncio
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from agent.compose import open_stores
from agent.config import Config, JournalConfig
from agent.demo import DemoMoment, play_day
from heed.language import Language
from tests.agent.command import heed


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def day(home: Path) -> dict[str, DemoMoment]:
    """The whole day, played once: the moments by their time."""
    return asyncio.run(played(home, Language.EN))


async def played(home: Path, language: Language) -> dict[str, DemoMoment]:
    return {moment.at: moment async for moment in play_day(home, language=language)}


def changed(moment: DemoMoment) -> dict[str, object]:
    return {change.path: change.after for change in moment.changes}


def test_every_moment_goes_as_a_person_would_expect(day: dict[str, DemoMoment]) -> None:
    assert [moment.note for moment in day.values() if not moment.as_expected] == []
    assert sum(bool(moment.sentence) for moment in day.values()) >= 4
    assert sum(moment.expected == "silence" for moment in day.values()) >= 4


def test_the_proposal_cites_the_log_and_the_rejection_is_honoured_when_its_trigger_recurs(
    day: dict[str, DemoMoment],
) -> None:
    assert any("battery" in line for line in day["14:30"].evidence)
    assert (day["14:30"].answer, day["14:30"].changes) == ("not_now", ())
    assert day["14:50"].sentence == ""
    assert "you said no" in str(day["14:50"].reason)


def test_a_moment_tells_the_suggested_functions_and_arguments(day: dict[str, DemoMoment]) -> None:
    assert [call.model_dump() for call in day["14:30"].calls] == [
        {"name": "set_power_saving_mode", "parameters": {"enabled": True}}
    ]
    assert day["14:50"].calls == ()


def test_bobs_new_number_is_added_to_bob(day: dict[str, DemoMoment]) -> None:
    assert "+8615022334455" in str(changed(day["16:10"]).values())


def test_only_the_old_screenshots_go_to_the_trash_and_come_back(day: dict[str, DemoMoment]) -> None:
    trashed = [change.path for change in day["21:00"].changes if change.after is True]
    assert len(trashed) == 6
    assert not any("202602" in where for where in trashed)
    assert [change.path for change in day["21:06"].undone if change.after is False] == trashed


def test_saturdays_alarm_is_off_and_the_weekday_alarm_stays(day: dict[str, DemoMoment]) -> None:
    assert day["23:00"].outcomes[0].ok
    assert len(day["23:00"].changes) >= 1
    assert all("Work" not in change.path for change in day["23:00"].changes)


def test_the_journal_answers_for_every_action(home: Path, day: dict[str, DemoMoment]) -> None:
    with open_stores(Config(journal=JournalConfig(path=home / "journal.sqlite3"))) as stores:
        entries = [entry for entry in stores.journal.timeline(limit=100) if entry.actions]
        assert len(entries) >= 3
        for entry in entries:
            assert entry.plan is not None
            assert entry.plan.answer == "once"
            assert stores.journal.context(entry.decision.context_id).serial == entry.serial
            assert all(action.step.commands and action.outcome and action.outcome.proof for action in entry.actions)


def test_the_day_can_be_played_in_chinese(tmp_path: Path) -> None:
    said = [moment.sentence for moment in asyncio.run(played(tmp_path, Language.ZH)).values() if moment.sentence]
    assert len(said) >= 4
    for sentence in said:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in sentence)


async def test_the_day_stands_still_for_as_long_as_it_is_held_in_the_console(tmp_path: Path) -> None:
    links: list[str] = []
    day = play_day(tmp_path, show_console=links.append)
    async with aclosing(day), asyncio.timeout(60):
        first = await anext(day)
        address, _, token = links[0].partition("/#")
        async with httpx.AsyncClient(base_url=address, headers={"Origin": address}, trust_env=False) as client:
            client.headers["X-Heed-Key"] = (await client.post("/api/session", json={"token": token})).json()["key"]
            held = await client.post("/api/day", json={"paused": True})
            assert [phone["paused"] for phone in held.json()] == [True]
            following = asyncio.ensure_future(anext(day))
            assert (await client.get("/api/phones")).json()[0]["paused"] is True
            assert not following.done()
            await client.post("/api/day", json={"paused": False})
            assert (await following).at > first.at


SHORT = """
name: short
start: 2026-02-06T14:00:00+08:00
state: {battery: 42}
timeline:
  - {at: "14:30", battery: {level: 15}, expect: set_power_saving_mode}
"""


async def test_a_demo_can_be_decided_by_the_configured_language_model(tmp_path: Path) -> None:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT, "utf-8")
    command = ("demo", "--scenario", str(path), "--script", "--json", "--reasoner", "openai")
    # Nobody listens there, so every decision fails with the model's name.
    ended = await heed(*command, HEED_MODELS__OPENAI__BASE_URL="http://127.0.0.1:9/v1")
    assert ended.code == 0, ended.err
    (moment,) = ended.data
    assert (moment["decision"], moment["calls"], moment["as_expected"]) == ("silent", [], False)
    assert "127.0.0.1:9" in moment["reason"]
