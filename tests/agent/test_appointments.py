"""Appointments through the whole loop: added shortly before, deleted, moved, online, and present at the start."""

from pathlib import Path
from typing import NamedTuple

import pytest

from agent.demo import DemoMoment, play_day
from agent.loop.progress import ContextRead, DecisionMade, ProgressEvent
from agent.policy.verdict import Decision
from function_pool.call import FunctionCall
from virtual_phone.scenario import Scenario

ZOOM = "https://us02web.zoom.us/j/84512345678?pwd=aBc1"
HEAD = """
name: day
start: 2026-02-06T14:00:00+08:00
state:
  messages: []
  alarms: []
  ringer: normal
"""


class Played(NamedTuple):
    moments: list[DemoMoment]
    triggers: list[str]
    """Time and kind of every trigger that was decided on."""

    offered: list[FunctionCall]


async def play(home: Path, day: str) -> Played:
    (home / "day.yaml").write_text(HEAD + day, "utf-8")
    triggers: list[str] = []
    offered: list[FunctionCall] = []

    def listen(stage: ProgressEvent) -> None:
        if isinstance(stage, ContextRead):
            triggers.append(f"{stage.context.now:%H:%M} {stage.context.trigger.kind}")
        elif isinstance(stage, DecisionMade) and stage.verdict.decision is Decision.ASK:
            offered.extend(stage.recommendation.calls)

    moments = [moment async for moment in play_day(home, scenario=Scenario.load(home / "day.yaml"), listen=listen)]
    return Played(moments, triggers, offered)


async def test_an_appointment_is_expected_from_the_start_without_any_event_before(tmp_path: Path) -> None:
    day = """
  calendar: [{title: Team meeting, start: 2026-02-06T15:00:00+08:00}]
timeline:
  - {at: "14:55", advance: {minutes: 0}}
"""
    assert "14:50 calendar_event" in (await play(tmp_path, day)).triggers


async def test_an_appointment_that_begins_minutes_after_the_start_is_decided_on_once(tmp_path: Path) -> None:
    day = """
  calendar: [{title: Team meeting, start: 2026-02-06T14:05:00+08:00}]
timeline:
  - {at: "14:01", battery: {level: 50}}
  - {at: "14:02", battery: {level: 49}}
"""
    played = await play(tmp_path, day)
    assert [one for one in played.triggers if "calendar_event" in one] == [
        "14:00 calendar_event",
        "14:02 calendar_event",
    ]


async def test_an_appointment_that_is_added_shortly_before_is_decided_on_at_once(tmp_path: Path) -> None:
    day = """
  calendar: []
timeline:
  - {at: "14:01", battery: {level: 50}}
  - {at: "14:05", calendar: {title: Team meeting, start: 2026-02-06T14:08:00+08:00}, expect: set_do_not_disturb}
  - {at: "14:06", battery: {level: 49}}
"""
    played = await play(tmp_path, day)
    assert [one for one in played.triggers if "calendar_event" in one] == ["14:05 calendar_event"]
    assert played.moments[1].as_expected


async def test_nothing_is_offered_for_an_appointment_that_was_deleted_or_moved(tmp_path: Path) -> None:
    day = """
  calendar:
    - {title: Team meeting, start: 2026-02-06T15:00:00+08:00}
    - {title: Staff meeting, start: 2026-02-06T16:00:00+08:00}
timeline:
  - {at: "14:30", calendar_delete: {title: Team meeting}}
  - {at: "15:30", calendar_delete: {title: Staff meeting}}
  - {at: "15:31", calendar: {title: Staff meeting, start: 2026-02-06T17:00:00+08:00}}
  - {at: "16:30", advance: {minutes: 0}}
  - {at: "16:58", advance: {minutes: 0}, expect: set_do_not_disturb, answer: once}
"""
    played = await play(tmp_path, day)
    assert [one for one in played.triggers if "calendar_event" in one] == [
        "16:50 calendar_event", "16:57 calendar_event",
    ]  # fmt: skip
    assert all(moment.as_expected for moment in played.moments)


ONLINE = f"""
  calendar:
    - {{title: Weekly sync, start: 2026-02-06T15:00:00+08:00, description: "Agenda\\n{ZOOM}"}}
"""


async def test_an_online_meeting_is_joined_when_it_begins(tmp_path: Path) -> None:
    day = f"""{ONLINE}
timeline:
  - {{at: "14:55", advance: {{minutes: 0}}}}
  - {{at: "14:59", advance: {{minutes: 0}}, expect: join_online_meeting, answer: once}}
"""
    played = await play(tmp_path, day)
    assert played.moments[-1].as_expected, played.moments[-1].reason
    call = played.offered[-1]
    assert str(call.parameters["meeting_url"]).startswith("https://us02web.zoom.us/j/84512345678")


@pytest.mark.parametrize(
    ("calendar", "before"),
    [
        (ONLINE.replace("Weekly sync", "Cancelled - Weekly sync"), "advance: {minutes: 0}"),
        (ONLINE, "calendar_delete: {title: Weekly sync}"),
        (ONLINE, 'call: {from: "+44 7700 900111", action: ring}'),
        (ONLINE.replace("us02web.zoom.us/j", "example.com/zoom"), "advance: {minutes: 0}"),
    ],
    ids=["cancelled", "deleted", "in a call", "another link"],
)
async def test_an_online_meeting_is_not_joined(tmp_path: Path, calendar: str, before: str) -> None:
    day = f"""{calendar}
timeline:
  - {{at: "14:56", {before}}}
  - {{at: "15:05", advance: {{minutes: 0}}}}
"""
    assert "join_online_meeting" not in [call.name for call in (await play(tmp_path, day)).offered]
