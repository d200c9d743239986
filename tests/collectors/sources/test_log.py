"""The last lines of the behaviour log."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import LogEntry
from collectors.sources.log import LogSource
from tests.collectors.sources.phone_values import NOW, readings


def config(tmp_path: Path, entries: list[tuple[timedelta, str, str]], recent: int = 10) -> CollectorsConfig:
    log = BehaviourLog(tmp_path / "log.jsonl")
    for ago, location, action in entries:
        log.append(LogEntry(time=NOW - ago, location=location, action=action))
    profile = tmp_path / "profile.yaml"
    profile.write_text("locations: {home: {address: 12 Harbour Road}}")
    return CollectorsConfig(behaviour_log=log.path, profile=profile, recent_actions=recent)


async def recent(config: CollectorsConfig) -> Any:
    found = await readings(LogSource(config), {})
    return found["log.recent"].value if found else None


async def test_the_latest_actions_are_told_oldest_first(tmp_path: Path) -> None:
    hour = timedelta(hours=1)
    entries = [(hour * ago, "12 Harbour Road", f"action {ago}") for ago in (5, 4, 3, 2, 1)]
    told = await recent(config(tmp_path, entries, recent=2))
    assert [(one["location"], one["action"]) for one in told] == [("home", "action 2"), ("home", "action 1")]
    assert told[-1]["time"] == "2026-02-06T15:10:00+08:00"


async def test_what_the_log_says_of_later_is_not_told(tmp_path: Path) -> None:
    entries = [(timedelta(hours=1), "Cafe", "past"), (timedelta(hours=-1), "Cafe", "to come")]
    told = await recent(config(tmp_path, entries))
    assert [(one["location"], one["action"]) for one in told] == [("Cafe", "past")]


async def test_no_log_and_no_wish_for_one_are_no_fact(tmp_path: Path) -> None:
    assert await recent(CollectorsConfig(behaviour_log=tmp_path / "none.jsonl")) is None
    assert await recent(config(tmp_path, [(timedelta(hours=1), "Cafe", "past")], recent=0)) is None


async def test_a_faulty_profile_does_not_hide_the_log(tmp_path: Path) -> None:
    faulty = config(tmp_path, [(timedelta(hours=1), "Cafe", "past")])
    faulty.profile.write_text("nonsense: 1")
    assert (await recent(faulty))[0]["location"] == "Cafe"
