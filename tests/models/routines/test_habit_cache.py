"""Habits are mined once from a log that does not change."""

import json
import stat
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.behaviour_log import BehaviourLog
from collectors.context import LogEntry
from function_pool.spec import Pool, default_pool
from models.routines.mining import habit_cache
from models.routines.mining.habit import Habit
from models.routines.mining.habit_cache import cache_file, cached_habits
from models.routines.mining.miner import mine

POOL = default_pool()


@pytest.fixture
def mined(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of log entries of each real mining."""
    counts: list[int] = []

    def counting(entries: Sequence[LogEntry], pool: Pool) -> tuple[Habit, ...]:
        counts.append(len(entries))
        return mine(entries, pool)

    monkeypatch.setattr(habit_cache, "mine", counting)
    return counts


def habits_in(log: Path) -> tuple[Habit, ...]:
    return cached_habits(log, BehaviourLog(log).entries, POOL)


def log_of(path: Path, days: int) -> Path:
    action = "At 22:00, she turned on Do Not Disturb."
    start = datetime(2026, 1, 1, 22, tzinfo=UTC)
    lines = [{"time": (start + timedelta(days=day)).isoformat(), "action": action} for day in range(days)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_an_unchanged_log_is_mined_once(tmp_path: Path, heed_home: Path, mined: list[int]) -> None:
    log = log_of(tmp_path / "log", 28)
    first = habits_in(log)
    assert first and habits_in(log) == first
    assert mined == [28]
    assert stat.S_IMODE(cache_file().stat().st_mode) == 0o600


def test_a_changed_log_is_mined_again(tmp_path: Path, heed_home: Path, mined: list[int]) -> None:
    habits_in(log_of(tmp_path / "log", 28))
    habits_in(log_of(tmp_path / "log", 29))
    assert mined == [28, 29]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe", b"{}\n[]"])
def test_a_damaged_cache_is_replaced(tmp_path: Path, heed_home: Path, mined: list[int], content: bytes) -> None:
    log = log_of(tmp_path / "log", 28)
    first = habits_in(log)
    cache_file().write_bytes(content)
    assert habits_in(log) == habits_in(log) == first
    assert mined == [28, 28]


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, heed_home: Path, mined: list[int]) -> None:
    log = log_of(tmp_path / "log", 28)
    cache_file().mkdir(parents=True)
    assert habits_in(log) == habits_in(log) != ()


def test_a_missing_log_has_no_habits(tmp_path: Path, heed_home: Path) -> None:
    assert habits_in(tmp_path / "none") == ()
