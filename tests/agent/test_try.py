"""``heed situations`` and ``heed try``: what heed would say with the owner's settings, and nothing happens."""

from pathlib import Path

from agent.config import Config
from agent.journal import stores_in
from agent.loop.daemon_requests import PauseRequest
from agent.loop.pausing import begin_pause
from models.routines.rules.situations import builtin_situations
from tests.agent.command import heed, write_config
from tests.agent.make import NOON

OWN = """situations:
  - id: tea_time
    about: {en: "Tea", zh: "喝茶"}
    scenario: Health & Sports
    confidence: 0.7
    when: [clock]
    all:
      - {time_between: ["16:00", "17:00"]}
    calls:
      - {name: create_reminder, parameters: {content: tea}}
    because: {en: "It is tea time", zh: "该喝茶了"}
"""
EXAMPLE = '    example: {now: "2026-03-06T16:30:00+00:00", trigger: clock}\n'


async def test_a_situation_that_is_on_is_played_against_the_configuration(heed_home: Path) -> None:
    ended = await heed("try", "low_battery")
    assert ended.code == 0, ended.err
    assert "shall I turn on battery saver?" in ended.out
    assert "will: turn on battery saver" in ended.out
    with stores_in(Config().journal.path) as stores:
        assert stores.journal.timeline() == []


async def test_it_says_why_heed_would_be_silent(heed_home: Path) -> None:
    off = (await heed("try", "night_screen", "--json")).data
    assert (off["on"], off["decision"]) == (False, "silent")
    assert "the situation is off" in (await heed("try", "night_screen")).out
    quiet = await heed(
        *("try", "low_battery", "--json"), HEED_POLICY__QUIET_FROM="14:00", HEED_POLICY__QUIET_UNTIL="15:00"
    )
    assert quiet.data["rule"] == "quiet_hours"
    with stores_in(Config().journal.path) as stores:
        begin_pause(stores, PauseRequest(), NOON, Config().policy)
    assert "you paused heed until you resume it" in (await heed("try", "low_battery")).out


async def test_situations_are_listed_with_an_example_and_switched(heed_home: Path) -> None:
    listed = (await heed("situations", "--json")).data
    assert [one["id"] for one in listed] == [one.id for one in builtin_situations()]
    assert all(one["example"] for one in listed)
    assert {one["id"] for one in listed if one["on"]} == {one["id"] for one in listed if one["recommended"]}
    assert (await heed("situations", "night_screen", "--on", "--json")).data[0]["on"]
    assert (await heed("try", "night")).out.count("shall I switch to dark mode?") == 1
    assert not (await heed("situations", "night_screen", "--off", "--json")).data[0]["on"]
    assert (await heed("situations", "--off")).code == 2
    assert "are several" in (await heed("situations", "alarm_")).err
    assert "is no situation" in (await heed("try", "nonsense")).err


async def test_ones_own_situation_can_be_tried_when_it_has_an_example(heed_home: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(OWN, "utf-8")
    write_config(heed_home, f'[models.routines]\nsituation_files = ["{own}"]\nsituations = ["tea_time"]\n')
    without = await heed("try", "tea_time")
    assert without.code == 2
    assert "has no example" in without.err
    own.write_text(OWN + EXAMPLE, "utf-8")
    assert "It is tea time" in (await heed("try", "tea_time")).out
