"""Every scenario that ships is played for real, and what its author expects happens."""

from pathlib import Path

import pytest

from agent.demo import DemoMoment, play_day
from agent.loop.progress import ActionUndone, ContextRead, ProgressEvent
from heed.language import Language
from virtual_phone.scenario import Scenario, shipped


async def played(name: str, home: Path) -> list[DemoMoment]:
    scenario = Scenario.load(name)
    return [moment async for moment in play_day(home, scenario=scenario, language=Language(scenario.language))]


@pytest.mark.parametrize("name", [name for name in shipped() if name != "demo"])
async def test_what_a_scenario_expects_happens(name: str, tmp_path: Path) -> None:
    moments = await played(name, tmp_path)
    assert [f"{moment.at} {moment.expected}: {moment.sentence or moment.reason}" for moment in moments
            if not moment.as_expected] == []  # fmt: skip
    assert all(outcome.ok for moment in moments for outcome in moment.outcomes)
    assert any(moment.sentence for moment in moments) == (name != "quiet-day")


DUE = """
name: due
start: 2026-02-06T14:00:00+08:00
state:
  messages: []
  alarms: [{time: "14:30", label: Tea}]
  calendar: [{title: Team meeting, start: 2026-02-06T15:00:00+08:00, reminder: 5}]
timeline:
  - {at: "14:10", screen: {to: "off"}}
  - {at: "14:56", note: The meeting is on the way., advance: {minutes: 2}, expect: set_do_not_disturb, answer: once}
  - {at: "17:00", note: The hour of quiet is over by itself., advance: {minutes: 0}, expect: silence}
"""


async def test_what_is_due_between_two_entries_happens_at_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "due.yaml"
    path.write_text(DUE, "utf-8")
    seen: list[str] = []

    def listen(stage: ProgressEvent) -> None:
        if isinstance(stage, ContextRead):
            seen.append(f"{stage.context.now:%H:%M} {stage.context.trigger.kind}")
        elif isinstance(stage, ActionUndone):
            seen.append("undone")

    moments = [moment async for moment in play_day(tmp_path, scenario=Scenario.load(path), listen=listen)]
    assert seen == [
        "14:10 screen", "14:30 alarm", "14:50 calendar_event", "14:55 notification", "14:57 calendar_event",
        "14:59 calendar_event", "undone",
    ]  # fmt: skip
    assert all(moment.as_expected for moment in moments)


def test_there_is_a_scenario_for_each_kind_of_moment_and_a_quiet_day() -> None:
    names = shipped()
    assert len(names) >= 12
    assert {entry.expect for entry in Scenario.load("quiet-day").timeline} <= {"silence", ""}
    assert {Scenario.load(name).language for name in names} == {"en", "zh"}
