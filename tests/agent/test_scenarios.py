"""Every scenario that ships is played for real, and what its author expects happens."""

from pathlib import Path

import pytest

from agent.demo import Moment, play_day
from android_bridge.virtual.scenario import Scenario, shipped
from heed.language import Language


async def played(name: str, home: Path) -> list[Moment]:
    scenario = Scenario.load(name)
    return [moment async for moment in play_day(home, scenario=scenario, language=Language(scenario.language))]


@pytest.mark.parametrize("name", [name for name in shipped() if name != "demo"])
async def test_what_a_scenario_expects_happens(name: str, tmp_path: Path) -> None:
    moments = await played(name, tmp_path)
    assert [f"{moment.at} {moment.expected}: {moment.sentence or moment.reason}" for moment in moments
            if not moment.as_expected] == []  # fmt: skip
    assert all(outcome.ok for moment in moments for outcome in moment.outcomes)
    assert any(moment.sentence for moment in moments) == (name != "quiet-day")


def test_there_is_a_scenario_for_each_kind_of_moment_and_a_quiet_day() -> None:
    names = shipped()
    assert len(names) >= 12
    assert {entry.expect for entry in Scenario.load("quiet-day").timeline} <= {"silence", ""}
    assert {Scenario.load(name).language for name in names} == {"en", "zh"}
