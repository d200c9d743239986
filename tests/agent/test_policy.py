from datetime import datetime, time, timedelta
from typing import Any

import pytest

from agent.config import PolicyConfig
from agent.journal.answers import Restraint
from agent.policy.activity import Activity
from agent.policy.rules import Decision, gate, in_quiet_hours, judge, may_remember, scope, subjects, weigh
from agent.policy.threshold import Tally
from agent.wording import RULES
from collectors.context import Trigger
from function_pool.risk import Risk
from function_pool.spec import default_pool
from models.reasoner import Recommendation, silence
from tests.agent.make import NOON, contact_call, context, plan, recommendation, saver_call, step

CONFIG = PolicyConfig()
POOL = default_pool()


class Past:
    """What is remembered, spelt out by each test."""

    def __init__(
        self,
        *,
        suggested: list[datetime] | None = None,
        resting: str = "",
        permitted: bool = False,
        answers: dict[str, Tally] | None = None,
    ) -> None:
        self._suggested, self._resting, self._permitted = suggested or [], resting, permitted
        self._answers = answers or {}

    def suggested_since(self, serial: str, moment: datetime) -> list[datetime]:
        return [at for at in self._suggested if at >= moment]

    def resting(self, subjects: tuple[str, ...], now: datetime) -> Restraint | None:
        found = self._resting in subjects
        return Restraint(subject=self._resting, rejections=1, until=now + timedelta(hours=1)) if found else None

    def permitted(self, serial: str, scope: str) -> bool:
        return self._permitted

    def answers_to(self, topic: str, function: str, since: datetime) -> Tally:
        return self._answers.get(topic or function, Tally())


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


def test_every_activity_has_words_for_the_silence() -> None:
    assert {str(one) for one in Activity} <= RULES.keys()


def test_nothing_stands_in_the_way_at_noon() -> None:
    assert gate(context(), Past(), CONFIG) is None


def test_the_gate_is_shut_in_quiet_hours() -> None:
    verdict = gate(context(now=NOON.replace(hour=3)), Past(), CONFIG)
    assert verdict is not None
    assert (verdict.decision, verdict.rule) == (Decision.SILENT, "quiet_hours")


def test_the_gate_is_shut_during_a_call() -> None:
    verdict = gate(context(call__state="off_hook"), Past(), CONFIG)
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
def test_what_can_wait_does_while_the_person_is_busy(facts: dict[str, Any], rule: str) -> None:
    busy = context(**facts)
    verdict = gate(busy, Past(), CONFIG)
    assert verdict is not None
    assert verdict.rule == rule
    urgent = Trigger(kind="battery_level", data={"level": 6, "plugged": False})
    assert gate(busy.model_copy(update={"trigger": urgent}), Past(), CONFIG) is None


@pytest.mark.parametrize(
    ("minutes_ago", "rule"),
    [([10, 20, 30], "rate_limit_hour"), ([70, 80, 90, 100, 110, 120], "rate_limit_day"), ([10, 20, 90], None)],
)
def test_suggestions_are_limited_by_hour_and_day(minutes_ago: list[int], rule: str | None) -> None:
    past = Past(suggested=[NOON - timedelta(minutes=minutes) for minutes in minutes_ago])
    verdict = gate(context(), past, CONFIG)
    assert (verdict.rule if verdict else None) == rule


def test_a_recommendation_of_silence_is_silence() -> None:
    verdict = weigh(silence("routines", "no habit"), NOON, Past(), CONFIG)
    assert verdict is not None
    assert verdict.rule == "no_recommendation"


def test_low_confidence_is_silent_and_unknown_confidence_is_not() -> None:
    low = weigh(recommendation(confidence=0.2), NOON, Past(), CONFIG)
    assert low is not None
    assert low.rule == "low_confidence"
    assert weigh(recommendation(confidence=None), NOON, Past(), CONFIG) is None


@pytest.mark.parametrize("said_no_to", ["low_battery", "set_power_saving_mode"])
def test_what_is_declined_often_must_be_surer_by_habit_and_by_function(said_no_to: str) -> None:
    past = Past(answers={said_no_to: Tally(rejected=3)})
    verdict = weigh(recommendation(confidence=0.6), NOON, past, CONFIG)
    assert verdict is not None
    assert (verdict.rule, verdict.detail["bar"]) == ("often_declined", 0.7)
    assert weigh(recommendation(confidence=0.8), NOON, past, CONFIG) is None
    assert weigh(recommendation(confidence=0.6), NOON, Past(answers={said_no_to: Tally(rejected=1)}), CONFIG) is None


@pytest.mark.parametrize(("confidence", "rule"), [(0.6, "second_opinion"), (None, "second_opinion"), (0.75, None)])
def test_a_second_opinion_that_disagrees_raises_the_bar(confidence: float | None, rule: str | None) -> None:
    made, other = recommendation(confidence=confidence), recommendation(contact_call())
    verdict = weigh(made, NOON, Past(), CONFIG, other)
    assert (verdict.rule if verdict else None) == rule


@pytest.mark.parametrize("second", [recommendation(), silence("routines", "nothing fits"), None])
def test_a_second_opinion_that_agrees_or_has_nothing_to_say_changes_nothing(second: Recommendation | None) -> None:
    assert weigh(recommendation(confidence=0.5), NOON, Past(), CONFIG, second) is None
    low = weigh(recommendation(confidence=0.49), NOON, Past(), CONFIG, second)
    assert low is not None
    assert low.rule == "low_confidence"


@pytest.mark.parametrize("subject", ["topic:low_battery", 'call:set_power_saving_mode{"enabled": true}'])
def test_what_was_rejected_rests_as_topic_and_as_call(subject: str) -> None:
    assert subject in subjects(recommendation())
    verdict = weigh(recommendation(), NOON, Past(resting=subject), CONFIG)
    assert verdict is not None
    assert verdict.rule == "resting"


def test_a_plan_that_changes_nothing_is_not_asked_about() -> None:
    assert judge(plan(step(already=True)), POOL, Past()).rule == "already_so"


def test_a_remembered_permission_acts_and_everything_else_asks() -> None:
    assert judge(plan(), POOL, Past(permitted=True)).decision is Decision.ACT
    assert judge(plan(), POOL, Past()).decision is Decision.ASK


@pytest.mark.parametrize("risk", [Risk.R2, Risk.R3, Risk.R4, Risk.R5])
def test_communication_money_deletion_and_security_always_ask(risk: Risk) -> None:
    assert judge(plan(step(risk=risk)), POOL, Past(permitted=True)).decision is Decision.ASK


def test_what_rests_on_other_peoples_text_is_never_remembered() -> None:
    assert may_remember(plan())
    assert not may_remember(plan(step(contact_call())))


def test_always_covers_the_same_yes_no_argument_only() -> None:
    on, off = plan(step(saver_call(enabled=True))), plan(step(saver_call(enabled=False)))
    assert scope(on, POOL) != scope(off, POOL)
