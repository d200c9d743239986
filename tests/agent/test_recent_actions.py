"""What was just done is not suggested; what only resembles it is."""

from datetime import timedelta

import pytest

from agent.journal.answer_history import CarriedOut
from agent.policy.recent_actions import RecentActions, already_created, lookback
from executors.plan import OutcomeKind
from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from models.reasoner import Evidence, EvidenceKind, Why
from tests.agent.make import NOON, context, recommendation, saver_call

RECENT_ACTIONS = RecentActions(default_pool())
ALARM = FunctionCall(name="set_alarm", parameters={"time": "06:30", "label": "Flight"})


def line(minutes_ago: float, action: str) -> dict[str, str]:
    return {"time": (NOON - timedelta(minutes=minutes_ago)).isoformat(), "location": "home", "action": action}


def opened(minutes_ago: float, package: str) -> dict[str, str]:
    at = (NOON - timedelta(minutes=minutes_ago)).isoformat()
    return {"time": at, "kind": "open", "package": package, "app": "Spotify"}


@pytest.mark.parametrize(
    ("action", "minutes_ago", "call", "repeats"),
    [
        ("Turned on battery saver.", 3, saver_call(), True),
        ("Turned on battery saver.", 30, saver_call(), False),
        ("Turned on battery saver.", -3, saver_call(), False),
        ("Turned on dark mode.", 3, saver_call(), False),
        ("Turned off battery saver.", 3, saver_call(), False),
        ("打开了省电模式。", 3, saver_call(), True),
        ("Read the news for a while.", 3, saver_call(), False),
    ],
)
def test_what_the_log_tells_of_the_last_minutes_is_not_new(
    action: str, minutes_ago: float, call: FunctionCall, repeats: bool
) -> None:
    moment = context(log__recent=[line(minutes_ago, action)])
    assert RECENT_ACTIONS.repeats([call], RECENT_ACTIONS.by_owner(moment)) is repeats


@pytest.mark.parametrize(
    ("kind", "minutes_ago", "repeats"),
    [
        (EvidenceKind.LOG_LINE, 30, True),
        (EvidenceKind.LOG_LINE, 70, False),
        (EvidenceKind.FACT, 30, False),
        (EvidenceKind.FACT, 3, True),
    ],
)
def test_a_habit_that_was_done_somewhat_earlier_is_not_new(
    kind: EvidenceKind, minutes_ago: float, repeats: bool
) -> None:
    evidence = (Evidence(kind=kind, ref="battery.level", text="18"),)
    suggested = recommendation().model_copy(update={"why": Why(text="As usual.", evidence=evidence)})
    moment = context(log__recent=[line(minutes_ago, "Turned on battery saver.")])
    done = RECENT_ACTIONS.by_owner(moment, lookback(suggested))
    assert RECENT_ACTIONS.repeats(suggested.calls, done) is repeats


@pytest.mark.parametrize(
    ("package", "repeats"),
    [("com.spotify.music", True), ("com.google.android.youtube", False), ("com.opened.Spotify", False)],
)
def test_an_app_that_was_just_opened_is_not_opened_again(package: str, repeats: bool) -> None:
    call = FunctionCall(name="launch_app", parameters={"app_name": "Spotify"})
    done = RECENT_ACTIONS.by_owner(context(trajectory__steps=[opened(1, package)]))
    assert RECENT_ACTIONS.repeats([call], done) is repeats


@pytest.mark.parametrize(
    ("done", "repeats"),
    [
        ([ALARM], True),
        ([ALARM.model_copy(update={"parameters": {"time": "06:30"}})], True),
        ([ALARM.model_copy(update={"parameters": {"time": "07:30", "label": "Flight"}})], False),
        ([saver_call()], False),
        ([], False),
    ],
)
def test_a_call_repeats_another_when_nothing_that_tells_them_apart_differs(
    done: list[FunctionCall], repeats: bool
) -> None:
    assert RECENT_ACTIONS.repeats([ALARM], done) is repeats


def test_a_suggestion_of_two_calls_is_new_while_one_of_them_is() -> None:
    assert not RECENT_ACTIONS.repeats([ALARM, saver_call()], [ALARM])
    assert RECENT_ACTIONS.repeats([ALARM, saver_call()], [saver_call(), ALARM])
    assert not RECENT_ACTIONS.repeats([], [ALARM])


def reminder(at: str) -> FunctionCall:
    return FunctionCall(name="create_reminder", parameters={"content": "Dentist", "time": at})


@pytest.mark.parametrize(
    ("call", "undone", "created"),
    [
        (reminder("2026-02-07T08:30"), False, True),
        (reminder("2026-02-08T08:30"), False, False),
        (reminder("2026-02-07T08:30"), True, False),
        (saver_call(), False, False),
    ],
    ids=["the same", "moved to another day", "undone", "a setting"],
)
def test_a_reminder_that_stands_is_not_created_once_more(call: FunctionCall, undone: bool, created: bool) -> None:
    earlier = saver_call() if call.name == "set_power_saving_mode" else reminder("2026-02-07T08:30")
    done = CarriedOut(at=NOON, call=earlier, outcome=OutcomeKind.VERIFIED, undone=undone)
    assert already_created([call], [done]) is created
