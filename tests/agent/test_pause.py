"""While heed is paused it suggests nothing, for as long as the owner said, whatever the clocks show."""

from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.config import Config, PolicyConfig
from agent.journal import stores_in
from agent.journal.pauses import Pause
from agent.loop.daemon_requests import PauseRequest
from agent.loop.pausing import begin_pause, pause_state
from agent.policy.pausing import morning
from agent.policy.rules import check_moment
from agent.policy.verdict import Rule
from agent.wording import rule_text
from heed.clock import ManualClock
from heed.language import Language
from tests.agent.command import heed
from tests.agent.make import NOON, context

CONFIG = PolicyConfig()
HOUR = timedelta(hours=1)


def test_an_hours_pause_is_an_hour_of_elapsed_time_whatever_a_clock_shows(tmp_path: Path) -> None:
    host = ManualClock(NOON)
    with stores_in(tmp_path / "journal.sqlite3", host) as stores:
        begin_pause(stores, PauseRequest(minutes=60), NOON, CONFIG)
        host.turn(timedelta(days=3))
        assert stores.pauses.current(NOON + timedelta(days=3)) is not None
        host.advance(3599)
        verdict = check_moment(context(), stores, CONFIG)
        assert verdict is not None and verdict.rule is Rule.PAUSED
        assert rule_text(verdict, Language.EN) == "you paused heed until 13:00"
        host.advance(2)
        assert check_moment(context(), stores, CONFIG) is None


def test_a_pause_until_tomorrow_ends_on_the_phones_morning(tmp_path: Path) -> None:
    evening = datetime(2026, 2, 6, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    with stores_in(tmp_path / "journal.sqlite3") as stores:
        begin_pause(stores, PauseRequest(until_tomorrow=True), evening, CONFIG)
        assert str(pause_state(stores, evening).text) == "heed is paused until 02-07 07:00."
        assert stores.pauses.current(evening + timedelta(hours=10, minutes=59)) is not None
        assert stores.pauses.current(evening + timedelta(hours=11)) is None


@pytest.mark.parametrize(
    ("now", "quiet", "expected"),
    [
        ("2026-02-06T20:00", ("00:00", "07:00"), "2026-02-07T07:00"),
        ("2026-02-06T20:00", ("22:30", "06:15"), "2026-02-07T06:15"),
        ("2026-02-07T01:30", ("22:30", "06:15"), "2026-02-07T06:15"),
        ("2026-02-07T05:00", ("22:30", "06:15"), "2026-02-08T06:15"),
        ("2026-02-06T20:00", ("13:00", "14:00"), "2026-02-07T07:00"),
        ("2026-02-06T20:00", ("05:00", "05:00"), "2026-02-07T07:00"),
    ],
)
def test_tomorrow_begins_when_the_quiet_hours_of_the_night_end(now: str, quiet: tuple[str, str], expected: str) -> None:
    begin, end = map(time.fromisoformat, quiet)
    moment = datetime.fromisoformat(now).replace(tzinfo=NOON.tzinfo)
    found = morning(moment, PolicyConfig(quiet_from=begin, quiet_until=end))
    assert found == datetime.fromisoformat(expected).replace(tzinfo=NOON.tzinfo)


def test_a_pause_outlives_a_restart_and_the_last_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with stores_in(path) as stores:
        begin_pause(stores, PauseRequest(minutes=60), NOON, CONFIG)
        begin_pause(stores, PauseRequest(), NOON, CONFIG)
    with stores_in(path) as stores:
        assert stores.pauses.current(NOON + timedelta(days=400)) == Pause()
        assert stores.pauses.end()
        assert stores.pauses.current(NOON) is None


async def test_it_is_paused_and_resumed_on_the_command_line_without_a_daemon() -> None:
    assert (await heed("pause")).out.startswith("heed is paused until ")
    assert (await heed("pause", "--until-resumed")).out == "heed is paused until you resume it.\n"
    stored = Config().journal.path
    with stores_in(stored) as stores:
        assert stores.pauses.current(NOON) == Pause()
    assert (await heed("resume", "--json")).data == {"paused": False, "text": "heed is not paused.", "until": None}
    shown = (await heed("pause", "90m", "--json")).data
    assert shown["paused"] and shown["until"]
    assert (await heed("pause", "tomorrow", HEED_LANGUAGE="zh")).out.startswith("heed 已暂停")


@pytest.mark.parametrize("length", ["soon", "0h", "8d", "-1h", "1h30"])
async def test_a_length_that_is_none_is_refused_with_examples(length: str) -> None:
    ended = await heed("pause", "--", length)
    assert ended.code == 2
    assert "30m, 1h, 2d" in ended.err
