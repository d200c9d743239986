"""Do not disturb."""

import pytest

from executors.plan import OutcomeKind
from tests.executors.acting import Acting, difference


@pytest.mark.parametrize(
    ("mode", "zen"), [("priority", "priority"), ("alarms_only", "alarms"), ("total_silence", "none")]
)
async def test_each_mode_is_set_and_restored(acting: Acting, mode: str, zen: str) -> None:
    before = acting.state()
    assert (await acting.do("set_do_not_disturb", mode=mode)).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {"dnd.mode": ("off", zen)}
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_undo_restores_the_mode_of_before_not_just_off(acting: Acting) -> None:
    acting.phone.state.dnd.set("alarms")
    await acting.do("set_do_not_disturb", mode="off")
    mode = acting.phone.state.dnd.mode
    assert mode == "off"
    await acting.undo()
    assert acting.phone.state.dnd.mode == "alarms"


async def test_the_end_of_a_limited_time_is_told_and_handed_to_the_scheduler(acting: Acting) -> None:
    (step,) = (await acting.prepare("set_do_not_disturb", mode="priority", duration_minutes=50)).steps
    assert step.expires_after_minutes == 50
    assert [effect.kind for effect in step.effects] == ["do_not_disturb_priority", "ends_by_itself"]


async def test_off_has_no_end(acting: Acting) -> None:
    acting.phone.state.dnd.set("priority")
    (step,) = (await acting.prepare("set_do_not_disturb", mode="off", duration_minutes=50)).steps
    assert step.expires_after_minutes is None
