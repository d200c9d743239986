"""The owner's rules: written as sentences, played at their time on a phone, asked about like anything else."""

from pathlib import Path

from agent.config import load
from agent.demo import play_day
from agent.loop.own_rules import OwnRules
from function_pool.spec import default_pool
from models.own_rules.sentence import read_rule
from tests.agent.command import heed
from virtual_phone.scenario import Scenario

DAY = """
name: ruled
start: 2026-03-06T21:00:00+08:00
timezone: Asia/Shanghai
persona: {quiet_hours: "00:00-07:00", situations: []}
state: {battery: 80, messages: [], calendar: []}
timeline:
  - {at: "22:00", advance: {minutes: 0}, expect: silence}
  - {at: "22:30", advance: {minutes: 0}, expect: set_do_not_disturb, answer: once}
  - {at: "22:45", battery: {level: 14}, expect: set_power_saving_mode, answer: not_now}
"""
SENTENCES = ("weekdays 22:30: do not disturb until 7", "when the battery is below 15: battery saver on")


async def test_rules_are_asked_about_at_their_time_and_their_event(tmp_path: Path) -> None:
    own = OwnRules(tmp_path / "rules.yaml")
    for number, sentence in enumerate(SENTENCES, 1):
        own.add(read_rule(sentence, number, default_pool(), {}))
    (tmp_path / "day.yaml").write_text(DAY, "utf-8")
    moments = [one async for one in play_day(tmp_path, scenario=Scenario.load(tmp_path / "day.yaml"))]
    assert [f"{one.at} {one.expected}: {one.sentence or one.reason}" for one in moments if not one.as_expected] == []
    assert moments[1].sentence == "It is 22:30: shall I turn on Do Not Disturb for 8 hours 30 minutes?"


async def test_a_rule_is_added_listed_tried_switched_and_deleted(heed_home: Path) -> None:
    assert "No rules yet" in (await heed("rules")).out
    added = await heed("rules", "when I get home: dark mode")
    assert added.code == 0, added.err
    assert "Added rule_1" in added.out
    assert "You are at home: shall I switch to dark mode?" in (await heed("try", "rule_1")).out
    listed = (await heed("situations", "--json")).data
    assert [one["on"] for one in listed if one["id"] == "rule_1"] == [True], "whatever the configuration lists"
    await heed("situations", "rule_1", "--off")
    assert "the situation is off" in (await heed("try", "rule_1")).out
    assert "quiet hours" in (await heed("rules", "每天凌晨1点：静音")).out
    remaining = (await heed("rules", "--remove", "rule_1", "--json")).data
    assert [one["sentence"] for one in remaining] == ["每天凌晨1点：静音"]
    assert (await heed("rules", "--remove", "rule_1")).code == 2
    assert (await heed("rules", "whenever")).code == 2
    assert load().models.routines.rules == heed_home / "config" / "rules.yaml"


async def test_a_rule_counts_in_a_process_that_runs_already(tmp_path: Path) -> None:
    own, other = OwnRules(tmp_path / "rules.yaml"), OwnRules(tmp_path / "rules.yaml")
    assert own.all() == ()
    other.add(read_rule(SENTENCES[0], 1, default_pool(), {}))
    assert [one.id for one in own.all()] == ["rule_1"]
    own.path.write_text("situations: [nonsense]", "utf-8")
    assert [one.id for one in own.usable()] == ["rule_1"], "a mistake in the file takes no rule away"
    own.path.unlink()
    assert own.usable() == ()
