"""The rules that turn a recommendation into a verdict: act, ask or stay silent. Pure functions of what is known."""

import json
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Protocol

from pydantic import JsonValue

from agent.config import PolicyConfig
from agent.journal.cool_downs import CoolDown
from agent.policy.activity import activity, is_urgent
from agent.policy.threshold import DISAGREEMENT, REMEMBERED, Tally, contradicts, learned_shift, reaches
from agent.policy.verdict import Decision, Rule, Verdict, silent
from collectors.context import Context
from executors.plan import Plan
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.trust import Trust
from models.reasoner import Recommendation


class SuggestionHistory(Protocol):
    """Past suggestions; the journal's ``AnswerHistory``."""

    def suggested_since(self, serial: str, moment: datetime) -> list[datetime]: ...

    def answers_to(self, topic: str, function: str, since: datetime) -> Tally:
        """How suggestions of a topic and function (empty = any) were answered since then."""
        ...


class ActiveCoolDowns(Protocol):
    """Cool-downs; the journal's ``CoolDowns``."""

    def longest(self, subjects: tuple[str, ...], now: datetime) -> CoolDown | None: ...


class GivenGrants(Protocol):
    """Grants; the journal's ``Grants``."""

    def covers(self, serial: str, scope: str) -> bool: ...


class PastAnswers(Protocol):
    """What the policy asks about the past; the journal's ``Stores``."""

    @property
    def history(self) -> SuggestionHistory: ...

    @property
    def cool_downs(self) -> ActiveCoolDowns: ...

    @property
    def grants(self) -> GivenGrants: ...


def check_moment(context: Context, past: PastAnswers, config: PolicyConfig) -> Verdict | None:
    """The reason to stay silent whatever the recommendation would be; None when a reasoner may be asked."""
    if in_quiet_hours(context.now.time(), config):
        return silent(Rule.QUIET_HOURS, until=config.quiet_until.isoformat("minutes"))
    doing = activity(context)
    if doing is not None and not is_urgent(context):
        return silent(Rule(doing))
    recent = past.history.suggested_since(context.serial, context.now - timedelta(hours=24))
    if len(recent) >= config.per_day:
        return silent(Rule.RATE_LIMIT_DAY, limit=config.per_day)
    if sum(moment > context.now - timedelta(hours=1) for moment in recent) >= config.per_hour:
        return silent(Rule.RATE_LIMIT_HOUR, limit=config.per_hour)
    return None


def check_recommendation(
    recommendation: Recommendation,
    now: datetime,
    past: PastAnswers,
    config: PolicyConfig,
    second: Recommendation | None = None,
) -> Verdict | None:
    """The reason not to make this recommendation; None when a plan may be prepared for it.

    ``second`` is what another reasoner recommends at the same moment: where it contradicts, it raises the
    threshold; where it agrees, it changes nothing.
    """
    if recommendation.silent:
        return silent(Rule.NO_RECOMMENDATION)
    return _cooling_down(recommendation, now, past) or _unsure(recommendation, now, past, config, second)


def _cooling_down(recommendation: Recommendation, now: datetime, past: PastAnswers) -> Verdict | None:
    found = past.cool_downs.longest(subjects(recommendation), now)
    if found is None:
        return None
    if found.until is None:
        return silent(Rule.NEVER, subject=found.subject)
    return silent(Rule.COOL_DOWN, subject=found.subject, until=f"{found.until.astimezone(now.tzinfo):%m-%d %H:%M}")


def _unsure(
    recommendation: Recommendation,
    now: datetime,
    past: PastAnswers,
    config: PolicyConfig,
    second: Recommendation | None,
) -> Verdict | None:
    """The first threshold that the confidence does not reach: configured, learned, or raised by the second opinion."""
    confidence, base = recommendation.confidence, config.minimum_confidence
    shown = None if confidence is None else round(confidence, 3)
    learned = learned_shift(_tallies(recommendation, now - REMEMBERED, past))
    if not reaches(confidence, base, learned):
        rule = Rule.LOW_CONFIDENCE if learned <= 0 else Rule.OFTEN_DECLINED
        return silent(rule, confidence=shown, threshold=round(base + learned, 3))
    if second is not None and contradicts(recommendation, second):
        raised = max(learned, 0.0) + DISAGREEMENT
        if not reaches(confidence, base, raised):
            return silent(Rule.SECOND_OPINION, confidence=shown, threshold=round(base + raised, 3), other=second.rec)
    return None


def _tallies(recommendation: Recommendation, since: datetime, past: PastAnswers) -> Iterator[Tally]:
    """How the same habit or situation was answered, and the same functions whatever their topic."""
    if recommendation.topic:
        yield past.history.answers_to(recommendation.topic, "", since)
    for name in dict.fromkeys(call.name for call in recommendation.calls):
        yield past.history.answers_to("", name, since)


def check_plan(plan: Plan, pool: Pool, past: PastAnswers) -> Verdict:
    """Act where a grant covers the plan, stay silent when nothing is left to do, ask otherwise."""
    if all(step.already for step in plan.steps):
        return silent(Rule.ALREADY_SO)
    if may_grant(plan) and past.grants.covers(plan.serial, scope(plan, pool)):
        return Verdict(decision=Decision.ACT, rule=Rule.GRANTED)
    return Verdict(decision=Decision.ASK, rule=Rule.ASK_FIRST)


def in_quiet_hours(at: time, config: PolicyConfig) -> bool:
    """Whether ``at`` lies in the quiet hours, which may span midnight."""
    start, end = config.quiet_from, config.quiet_until
    if start <= end:
        return start <= at < end
    return at >= start or at < end


def subjects(recommendation: Recommendation) -> tuple[str, ...]:
    """The subjects of a rejection's cool-down: the habit or situation, and each call as it was proposed.

    The call is a subject of its own so that another habit does not suggest the same minutes later.
    """
    topic = recommendation.topic or "+".join(call.name for call in recommendation.calls)
    return (f"topic:{topic}", *(f"call:{fingerprint(call)}" for call in recommendation.calls))


def fingerprint(call: FunctionCall) -> str:
    """A call as stable text: name and arguments, without their basis."""
    return call.name + json.dumps(dict(call.shown), sort_keys=True, ensure_ascii=False)


def may_grant(plan: Plan) -> bool:
    """Whether "always" may be offered: reversible risk classes, and no argument from text that third parties wrote."""
    return plan.risk.may_be_remembered and not any(third_party_parameters(step.call) for step in plan.steps)


def third_party_parameters(call: FunctionCall) -> tuple[str, ...]:
    """The parameters whose values rest on text that anyone may have written."""
    return tuple(name for name in call.parameters if call.trust_of(name) is Trust.THIRD_PARTY)


def scope(plan: Plan, pool: Pool) -> str:
    """What a grant covers: the functions with their enumerable and yes/no arguments."""
    return json.dumps([[step.call.name, _enumerable(step.call, pool)] for step in plan.steps], sort_keys=True)


def _enumerable(call: FunctionCall, pool: Pool) -> dict[str, JsonValue]:
    specs = pool.get(call.name).parameters
    return {
        name: value
        for name, value in call.parameters.items()
        if name in specs and (specs[name].choices or specs[name].type == "bool")
    }
