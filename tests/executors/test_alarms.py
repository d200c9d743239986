"""Alarms: the next one is dismissed, others are left to the person, nothing is claimed that cannot be seen."""

from collections.abc import Mapping

import pytest

from executors.plan import OutcomeKind
from tests.executors.acting import Acting, WatchedPhone, difference
from virtual_phone.state.well_known import CLOCK_APP


def only(phone: WatchedPhone, *alarms: tuple[int, int, list[str], str]) -> None:
    """Let the phone have these alarms and no others."""
    for alarm in list(phone.state.alarms.alarms):
        phone.state.alarms.remove(alarm)
    for hour, minute, days, label in alarms:
        phone.state.alarms.add(hour, minute, days, label)  # type: ignore[arg-type]


def alarms_only(changes: Mapping[str, object]) -> dict[str, object]:
    """The part of a difference that is about alarms (the clock app also comes to the front)."""
    return {path: change for path, change in changes.items() if path.startswith("alarms.")}


@pytest.mark.parametrize(
    "how", [{"search_mode": "next"}, {"search_mode": "time", "time": "8:30"}, {"search_mode": "label", "label": "Swim"}]
)
async def test_the_next_alarm_is_switched_off_and_on_again(acting: Acting, how: dict[str, str]) -> None:
    only(acting.phone, (8, 30, [], "Swim"), (9, 0, ["mon"], "Work"))
    before = acting.state()
    outcome = await acting.do("cancel_alarm", **how)
    assert outcome.kind is OutcomeKind.VERIFIED
    changes = alarms_only(difference(before, acting.state()))
    assert changes.pop("alarms.alarms.0.enabled") == (True, False)
    assert set(changes) == {"alarms.alarms.0.due"}
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert alarms_only(difference(before, acting.state())) == {}


async def test_a_repeating_alarm_skips_once_and_the_consent_says_so(acting: Acting) -> None:
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    only(acting.phone, (8, 30, days, "Every day"))
    (step,) = (await acting.prepare("cancel_alarm", search_mode="next")).steps
    assert [effect.kind for effect in step.effects] == ["alarm_skipped"]
    assert step.effects[0].detail == {"at": "2026-02-07T08:30:00+08:00"}
    assert (await acting.do("cancel_alarm", search_mode="next")).kind is OutcomeKind.VERIFIED
    (alarm,) = acting.phone.state.alarms.alarms
    assert alarm.enabled and alarm.skipped is not None
    # Undo cannot take the skip back; it sets a one-time alarm for the same moment, as the plan says.
    assert [effect.kind for effect in acting.step.undo] == ["alarm_set_again"]
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    again = acting.phone.state.alarms.next_time()
    assert again is not None and again.isoformat() == "2026-02-07T08:30:00+08:00"


async def test_an_alarm_more_than_a_day_ahead_is_left_to_the_person(acting: Acting) -> None:
    only(acting.phone, (15, 0, ["sun"], ""))
    before = acting.state()
    (step,) = (await acting.prepare("cancel_alarm", search_mode="next")).steps
    assert [effect.kind for effect in step.effects] == ["alarm_page_far"]
    assert (await acting.do("cancel_alarm", search_mode="next")).kind is OutcomeKind.HANDED_OVER
    assert acting.phone.state.apps.foreground.package == CLOCK_APP
    assert alarms_only(difference(before, acting.state())) == {}


@pytest.mark.parametrize("how", [{"search_mode": "all"}, {"search_mode": "time", "time": "10:00"}])
async def test_an_alarm_that_is_not_the_next_is_left_to_the_person(acting: Acting, how: dict[str, str]) -> None:
    only(acting.phone, (8, 30, [], ""), (10, 0, [], ""))
    before = acting.state()
    assert (await acting.do("cancel_alarm", **how)).kind is OutcomeKind.HANDED_OVER
    assert alarms_only(difference(before, acting.state())) == {}


async def test_two_alarms_at_one_time_make_the_clock_app_ask(acting: Acting) -> None:
    only(acting.phone, (8, 30, [], "Swim"), (8, 30, ["mon"], "Work"))
    before = acting.state()
    outcome = await acting.do("cancel_alarm", search_mode="next")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    assert alarms_only(difference(before, acting.state())) == {}


async def test_without_an_alarm_there_is_nothing_to_do(acting: Acting) -> None:
    only(acting.phone)
    assert (await acting.do("cancel_alarm", search_mode="next")).kind is OutcomeKind.ALREADY


async def test_undo_after_the_alarms_time_is_refused(acting: Acting) -> None:
    only(acting.phone, (8, 30, [], ""))
    await acting.do("cancel_alarm", search_mode="next")
    acting.phone.state.advance(24 * 3600)
    assert (await acting.undo()).kind is OutcomeKind.REFUSED
    assert acting.phone.state.alarms.next_time() is None
