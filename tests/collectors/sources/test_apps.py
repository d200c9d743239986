"""Apps by what they are for, and by when they are used."""

from datetime import timedelta
from pathlib import Path

import pytest

from android_bridge.facts.packages import INSTALLED_PACKAGES
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import LogEntry
from collectors.sources.apps import AppTimesSource, InstalledSource
from tests.collectors.sources.phone_values import NOW, readings


async def test_installed_apps_are_told_by_kind() -> None:
    packages = frozenset({"com.whatsapp", "com.tencent.mm", "com.autonavi.minimap", "some.unknown.app"})
    config = CollectorsConfig(excluded_apps=frozenset({"com.whatsapp"}))
    found = await readings(InstalledSource(config), {INSTALLED_PACKAGES: packages})
    assert found["apps.installed"].value == {"maps": ["Amap"], "messages": ["WeChat"]}


async def used(tmp_path: Path, actions: list[tuple[int, int, str]], excluded: frozenset[str] = frozenset()) -> object:
    config = CollectorsConfig(behaviour_log=tmp_path / "log.jsonl", excluded_apps=excluded)
    log = BehaviourLog(config.behaviour_log)
    log.extend(
        LogEntry(time=NOW.replace(hour=hour, minute=0) - timedelta(days=days), location="", action=action)
        for days, hour, action in actions
    )
    found = await readings(AppTimesSource(config), {})
    return found["apps.used"].value if found else {}


async def test_apps_are_told_by_part_of_the_day(tmp_path: Path) -> None:
    actions = [(days, 8, "opened Maps: tapped “Go”") for days in (1, 2, 3)]
    actions += [(days, 8, "opened Calendar") for days in (1, 2, 3, 4)]
    actions += [(days, 2, "At 02:00, she opened the YouTube Music app.") for days in (1, 2, 3)]
    actions += [(days, 12, "打开了微信") for days in (1, 2, 3)]
    assert await used(tmp_path, actions) == {
        "morning": ["Calendar", "Maps"],
        "day": ["WeChat"],
        "night": ["YouTube Music"],
    }


@pytest.mark.parametrize(
    "actions",
    [
        [(days, 8, "opened Maps") for days in (1, 2)],
        [(1, 8, "opened Maps")] * 5,
        [(days, 8, "opened Maps") for days in (40, 41, 42)],
        [(days, 8, "opened Mapsy") for days in (1, 2, 3)],
        [(days, 8, "closed Maps") for days in (1, 2, 3)],
    ],
    ids=["two days", "one day", "long ago", "another app", "no opening"],
)
async def test_what_is_no_habit_is_not_told(tmp_path: Path, actions: list[tuple[int, int, str]]) -> None:
    assert await used(tmp_path, actions) == {}


async def test_private_apps_are_left_out(tmp_path: Path) -> None:
    actions = [(days, 8, "opened Maps") for days in (1, 2, 3)]
    assert await used(tmp_path, actions, frozenset({"com.google.android.apps.maps"})) == {}
