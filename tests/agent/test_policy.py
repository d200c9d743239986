from datetime import datetime, time, timedelta
from typing import Any

import pytest

from agent.config import PolicyConfig
from agent.journal import CoolDown
from agent.journal.answer_history import UnansweredRequest
from agent.policy.activity import Activity
from agent.policy.grants import Scope, scope_of
from agent.policy.rules import (
    check_moment,
    check_plan,
    check_recommendation,
    in_quiet_hours,
    subjects,
)
from agent.policy.threshold import Tally
from agent.policy.verdict import Decision, Rule
from agent.wording import RULES
from collectors.context import Missing, Section, Trigger, TriggerKind
from function_pool.call import Basis, FunctionCall
from function_pool.risk import Risk
from heed.trust import Trust
from models.reasoner import Recommendation, silence
from tests.agent.make import NOON, contact_call, context, plan, recommendation, step

CONFIG = PolicyConfig(per_hour=3, per_day=6)


class Past:
    """The past answers, as each test states them; all stores in one."""

    def __init__(
        self,
        *,
        suggested: list[timedelta] | None = None,
        cooling: str = "",
        granted: Scope | None = None,
        answers: dict[str, Tally] | None = None,
        unanswered: list[UnansweredRequest] | None = None,
    ) -> None:
        self._suggested, self._cooling, self._granted = suggested or [], cooling, granted
        self._answers = answers or {}
        self._unanswered = unanswered or []

    def suggestions(self, serial: str, within: timedelta) -> int:
        return sum(ago < within for ago in self._suggested)

    @property
    def history(self) -> "Past":
        return self

    cool_downs = grants = pauses = history

    def current(self, now: datetime) -> None:
        """Not paused."""

    def longest(self, subjects: tuple[str, ...]) -> CoolDown | None:
        found = self._cooling in subjects
        return CoolDown(subject=self._cooling, rejections=1, left=timedelta(hours=1)) if found else None

    def scopes(self, serial: str) -> list[Scope]:
        return [self._granted] if self._granted else []

    def answers_to(self, topic: str, function: str, within: timedelta) -> Tally:
        return self._answers.get(topic or function, Tally())

    def unanswered(self, within: timedelta) -> list[UnansweredRequest]:
        return [request for request in self._unanswered if request.ago < within]


@pytest.mark.parametrize(
    ("start", "end", "at", "quiet"),
    [
        (time(0), time(7), time(6, 59), True),
        (time(0), time(7), time(7), False),
        (time(22), time(7), time(23, 30), True),
        (time(22), time(7), time(3), True),
        (time(22), time(7), time(12), False),
        (time(5), time(5), time(5), False),
    ],
)
def test_quiet_hours_may_span_midnight(start: time, end: time, at: time, quiet: bool) -> None:
    assert in_quiet_hours(at, PolicyConfig(quiet_from=start, quiet_until=end)) is quiet


def test_every_rule_has_words_and_every_activity_is_a_rule() -> None:
    assert {str(rule) for rule in Rule} == RULES.keys()
    assert {str(activity) for activity in Activity} <= {str(rule) for rule in Rule}


def test_at_noon_no_rule_keeps_the_reasoner_from_being_asked() -> None:
    assert check_moment(context(), Past(), CONFIG) is None


def test_no_reasoner_is_asked_in_quiet_hours() -> None:
    verdict = check_moment(context(now=NOON.replace(hour=3)), Past(), CONFIG)
    assert verdict is not None
    assert (verdict.decision, verdict.rule) == (Decision.SILENT, "quiet_hours")


def test_no_reasoner_is_asked_during_a_call() -> None:
    verdict = check_moment(context(call__state="off_hook"), Past(), CONFIG)
    assert verdict is not None
    assert verdict.rule == "in_call"


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({"keyboard__shown": True}, "typing"),
        ({"bluetooth__kind": "car"}, "driving"),
        ({"foreground__package": "com.mojang.minecraftpe"}, "playing"),
    ],
)
def test_a_trigger_that_can_wait_is_not_decided_on_while_the_owner_is_busy(facts: dict[str, Any], rule: str) -> None:
    busy = context(**facts)
    verdict = check_moment(busy, Past(), CONFIG)
    assert verdict is not None
    assert verdict.rule == rule
    urgent = Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": 6, "plugged": False})
    assert check_moment(busy.model_copy(update={"trigger": urgent}), Past(), CONFIG) is None


@pytest.mark.parametrize(
    ("minutes_ago", "rule"),
    [([10, 20, 30], "rate_limit_hour"), ([70, 80, 90, 100, 110, 120], "rate_limit_day"), ([10, 20, 90], None)],
)
def test_suggestions_are_limited_by_hour_and_day(minutes_ago: list[int], rule: str | None) -> None:
    past = Past(suggested=[timedelta(minutes=minutes) for minutes in minutes_ago])
    verdict = check_moment(context(), past, CONFIG)
    assert (verdict.rule if verdict else None) == rule


def test_a_recommendation_of_silence_is_silence() -> None:
    verdict = check_recommendation(silence("routines", "no habit"), NOON, Past(), CONFIG)
    assert verdict is not None
    assert verdict.rule == "no_recommendation"


def test_low_confidence_is_silent_and_unknown_confidence_is_not() -> None:
    low = check_recommendation(recommendation(confidence=0.2), NOON, Past(), CONFIG)
    assert low is not None
    assert low.rule == "low_confidence"
    assert check_recommendation(recommendation(confidence=None), NOON, Past(), CONFIG) is None


@pytest.mark.parametrize("said_no_to", ["low_battery", "set_power_saving_mode"])
def test_what_is_declined_often_must_be_surer_by_habit_and_by_function(said_no_to: str) -> None:
    past = Past(answers={said_no_to: Tally(rejected=3)})
    verdict = check_recommendation(recommendation(confidence=0.6), NOON, past, CONFIG)
    assert verdict is not None
    assert (verdict.rule, verdict.detail["threshold"]) == ("often_declined", 0.7)
    assert check_recommendation(recommendation(confidence=0.8), NOON, past, CONFIG) is None
    assert (
        check_recommendation(
            recommendation(confidence=0.6), NOON, Past(answers={said_no_to: Tally(rejected=1)}), CONFIG
        )
        is None
    )


@pytest.mark.parametrize(("confidence", "rule"), [(0.6, "second_opinion"), (None, "second_opinion"), (0.75, None)])
def test_a_second_opinion_that_disagrees_raises_the_threshold(confidence: float | None, rule: str | None) -> None:
    made, other = recommendation(confidence=confidence), recommendation(contact_call())
    verdict = check_recommendation(made, NOON, Past(), CONFIG, other)
    assert (verdict.rule if verdict else None) == rule


@pytest.mark.parametrize("second", [recommendation(), silence("routines", "nothing fits"), None])
def test_a_second_opinion_that_agrees_or_has_nothing_to_say_changes_nothing(second: Recommendation | None) -> None:
    assert check_recommendation(recommendation(confidence=0.5), NOON, Past(), CONFIG, second) is None
    low = check_recommendation(recommendation(confidence=0.49), NOON, Past(), CONFIG, second)
    assert low is not None
    assert low.rule == "low_confidence"


@pytest.mark.parametrize("subject", ["topic:low_battery", 'call:set_power_saving_mode{"enabled": true}'])
def test_a_rejection_starts_a_cool_down_for_the_topic_and_for_the_call(subject: str) -> None:
    assert subject in subjects(recommendation())
    verdict = check_recommendation(recommendation(), NOON, Past(cooling=subject), CONFIG)
    assert verdict is not None
    assert verdict.rule == "cool_down"


def saved(number: str) -> Recommendation:
    basis = {"phone_number": (Basis(fact="sms.unread", trust=Trust.THIRD_PARTY),)}
    call = FunctionCall(name="save_contact", parameters={"name": "Ann", "phone_number": number}, basis=basis)
    return recommendation(call, topic="new_number")


def test_a_no_to_one_number_leaves_every_other_number_to_be_suggested() -> None:
    for subject in subjects(saved("5550100")):
        declined = Past(cooling=subject)
        again = check_recommendation(saved("5550100"), NOON, declined, CONFIG)
        assert again is not None and again.rule == "cool_down"
        assert check_recommendation(saved("5550199"), NOON, declined, CONFIG) is None


def test_numbers_that_were_often_declined_raise_the_threshold_of_every_number() -> None:
    declined = Past(answers={"new_number": Tally(rejected=6)})
    verdict = check_recommendation(saved("5550199").model_copy(update={"confidence": 0.6}), NOON, declined, CONFIG)
    assert verdict is not None and verdict.rule == "often_declined"


@pytest.mark.parametrize(
    ("minutes_ago", "kind", "rule"),
    [
        ([10, 20], "clock", "rate_limit_hour"),
        ([10, 20], "app_foreground", "rate_limit_hour"),
        ([10, 20], "sms_received", None),
        ([10, 20, 30], "sms_received", "rate_limit_hour"),
        ([70, 80, 90, 100], "clock", "rate_limit_day"),
        ([70, 80, 90, 100], "notification", None),
    ],
)
def test_what_the_time_brings_yields_to_what_comes_once(minutes_ago: list[int], kind: str, rule: str | None) -> None:
    past = Past(suggested=[timedelta(minutes=minutes) for minutes in minutes_ago])
    verdict = check_moment(context(trigger=kind), past, CONFIG)
    assert (verdict and verdict.rule) == rule


def test_an_urgent_trigger_exceeds_the_limit_of_the_hour_only() -> None:
    trigger = Trigger(kind="battery_level", data={"level": 5, "plugged": False})
    urgent = context(battery__plugged=False).model_copy(update={"trigger": trigger})
    assert check_moment(urgent, Past(suggested=[timedelta(minutes=5)] * 3), CONFIG) is None
    verdict = check_moment(urgent, Past(suggested=[timedelta(minutes=5)] * 6), CONFIG)
    assert verdict is not None and verdict.rule == "rate_limit_day"


def test_a_limit_of_one_leaves_one_to_the_habits() -> None:
    one = PolicyConfig(per_hour=1, per_day=1)
    assert check_moment(context(trigger="clock"), Past(), one) is None


def test_limits_count_the_suggestions_of_the_phone_whatever_its_address() -> None:
    class OfPhone(Past):
        def suggestions(self, serial: str, within: timedelta) -> int:
            return 3 if serial == "the phone" else 0

    verdict = check_moment(context().model_copy(update={"phone": "the phone"}), OfPhone(), CONFIG)
    assert verdict is not None and verdict.rule == "rate_limit_hour"


EVENT = {"title": "Review", "start": "2026-02-06T12:10:00+00:00"}


@pytest.mark.parametrize(
    ("coming", "outdated"),
    [
        ([EVENT], False),
        ([{**EVENT, "start": "2026-02-06T13:10:00+01:00"}], False),
        ([], True),
        ([{**EVENT, "start": "2026-02-06T15:10:00+00:00"}], True),
        ([{**EVENT, "title": "Cancelled: Review"}], True),
    ],
    ids=["there", "in another zone", "deleted", "moved", "renamed"],
)
def test_an_appointment_that_is_no_longer_there_is_outdated(coming: list[object], outdated: bool) -> None:
    found = context(calendar__next=coming) if coming else context()
    found = found.model_copy(update={"trigger": Trigger(kind="calendar_event", data=EVENT)})
    verdict = check_moment(found, Past(), CONFIG)
    assert (verdict is not None and verdict.rule == "outdated") is outdated


def test_an_unread_calendar_makes_no_appointment_outdated() -> None:
    unread = Section(missing=(Missing(name="calendar", reason="It was not read."),))
    trigger = Trigger(kind="calendar_event", data=EVENT)
    assert check_moment(context().model_copy(update={"device": unread, "trigger": trigger}), Past(), CONFIG) is None


def unanswered(minutes: float, asked: Recommendation) -> Past:
    """A past in which nobody answered a recommendation, ``minutes`` ago."""
    ago = timedelta(minutes=minutes)
    return Past(unanswered=[UnansweredRequest(ago=ago, topic=asked.topic, calls=asked.calls)])


@pytest.mark.parametrize("asked", [recommendation(), recommendation(topic="another habit")])
def test_a_question_that_nobody_answered_is_not_asked_again_within_the_hour(asked: Recommendation) -> None:
    verdict = check_recommendation(recommendation(), NOON, unanswered(59, asked), CONFIG)
    assert verdict is not None
    assert verdict.rule == "unanswered"
    assert verdict.detail["until"] == f"{NOON + timedelta(minutes=1):%m-%d %H:%M}"
    assert check_recommendation(recommendation(), NOON, unanswered(61, asked), CONFIG) is None


def test_an_unanswered_question_of_another_kind_pauses_nothing() -> None:
    past = unanswered(5, recommendation(contact_call(), topic="new_number"))
    assert check_recommendation(recommendation(), NOON, past, CONFIG) is None


def test_the_pause_after_an_unanswered_question_can_be_switched_off() -> None:
    config = PolicyConfig(unanswered_pause_minutes=0)
    assert check_recommendation(recommendation(), NOON, unanswered(1, recommendation()), config) is None


def test_a_plan_that_changes_nothing_is_not_asked_about() -> None:
    assert check_plan(plan(step(already=True)), Past()).rule == "already_so"


def test_a_granted_plan_acts_and_every_other_plan_asks() -> None:
    assert check_plan(plan(), Past(granted=scope_of(plan()))).decision is Decision.ACT
    assert check_plan(plan(), Past()).decision is Decision.ASK


@pytest.mark.parametrize("risk", [Risk.R2, Risk.R3, Risk.R4, Risk.R5])
def test_communication_money_deletion_and_security_always_ask(risk: Risk) -> None:
    risky = plan(step(risk=risk))
    assert check_plan(risky, Past(granted=scope_of(risky))).decision is Decision.ASK
