"""heed's own actions as a fact of later contexts, through the whole loop."""

from pathlib import Path

from agent.demo import play_day
from agent.loop.progress import ContextRead, ProgressEvent
from collectors.context import Context
from collectors.wording import render
from heed.language import Language
from heed.trust import Trust
from virtual_phone.scenario import Scenario

DAY = """
name: actions
start: 2026-02-06T14:00:00+08:00
state:
  messages: []
  alarms: []
  calendar: [{title: Team meeting, start: 2026-02-06T15:00:00+08:00}]
timeline:
  - {at: "14:10", battery: {level: 60}}
  - {at: "14:56", advance: {minutes: 2}, expect: set_do_not_disturb, answer: once}
  - {at: "15:10", battery: {level: 50}}
  - {at: "16:30", battery: {level: 40}}
"""


async def test_a_later_context_tells_what_heed_did_and_what_was_undone(tmp_path: Path) -> None:
    (tmp_path / "day.yaml").write_text(DAY, "utf-8")
    seen: list[Context] = []

    def listen(stage: ProgressEvent) -> None:
        if isinstance(stage, ContextRead):
            seen.append(stage.context)

    [moment async for moment in play_day(tmp_path, scenario=Scenario.load(tmp_path / "day.yaml"), listen=listen)]
    assert seen[0].fact("heed.done") is None
    during, after = (context.value("heed.done") for context in seen[-2:])
    shown = {
        "time": "2026-02-06T14:57:00+08:00",
        "function": "set_do_not_disturb",
        "arguments": {"mode": "priority", "duration_minutes": 60},
        "outcome": "verified",
    }
    assert during == [{**shown, "undone": False}] and after == [{**shown, "undone": True}]
    # The appointment's words chose the function.
    fact = seen[-1].fact("heed.done")
    assert fact is not None and fact.trust is Trust.THIRD_PARTY
    assert "Heed did set_do_not_disturb (mode priority, duration_minutes 60), 14:57, undone since" in (
        render(seen[-1], Language.EN).trace
    )
    assert any("set_do_not_disturb" in line for line in render(seen[-1], Language.ZH).trace)
