"""Act, ask or stay silent: rules about people, not about language. Pure functions of what is known."""

import json
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Protocol

from pydantic import Field, JsonValue

from agent.config import PolicyConfig
from agent.journal.answers import Restraint
from agent.policy.activity import activity, is_urgent
from agent.policy.threshold import DISAGREEMENT, REMEMBERED, Tally, clears, contradicts, learnt_shift
from collectors.context import Context
from executors.plan import Plan
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.messages import Value
from heed.model import Frozen
from heed.trust import Trust
from models.reasoner import Recommendation


class Decision(StrEnum):
    """What the policy makes of a recommendation."""

    ACT = "act"
    """Carry it out: the person said "always" to exactly this."""
    ASK = "ask"
    SILENT = "silent"


class Verdict(Frozen):
    """The decision, the rule that made it, and the values its wording is filled with."""

    decision: Decision
    rule: str
    detail: dict[str, Value] = Field(default_factory=dict)


class Recollection(Protocol):
    """What the policy asks about the past; the journal's ``Memory``."""

    def suggested_since(self, serial: str, moment: datetime) -> list[datetime]: ...

    def resting(self, subjects: tuple[str, ...], now: datetime) -> Restraint | None: ...

    def permitted(self, serial: str, scope: str) -> bool: ...

    def answers_to(self, topic: str, function: str, since: datetime) -> Tally:
        """How suggestions of this topic, and of this function, were answered; empty = whatever it is."""
        ...


def _silent(rule: str, **detail: Value) -> Verdict:
    return Verdict(decision=Decision.SILENT, rule=rule, detail=detail)


def gate(context: Context, memory: Recollection, config: PolicyConfig) -> Verdict | None:
    """The reasons to stay silent whatever the recommendation would be; None when a reasoner may be asked."""
    if in_quiet_hours(context.now.time(), config):
        return _silent("quiet_hours", until=config.quiet_until.isoformat("minutes"))
    doing = activity(context)
    if doing is not None and not is_urgent(context):
        return _silent(doing)
    recent = memory.suggested_since(context.serial, context.now - timedelta(hours=24))
    if len(recent) >= config.per_day:
        return _silent("rate_limit_day", limit=config.per_day)
    if sum(moment > context.now - timedelta(hours=1) for moment in recent) >= config.per_hour:
        return _silent("rate_limit_hour", limit=config.per_hour)
    return None


def weigh(
    recommendation: Recommendation,
    now: datetime,
    memory: Recollection,
    config: PolicyConfig,
    second: Recommendation | None = None,
) -> Verdict | None:
    """The reasons not to make this recommendation; None when a plan may be prepared for it.

    ``second`` is what another reasoner recommends at the same moment: contradicting, it raises the bar; agreeing, it
    changes nothing.
    """
    if recommendation.silent:
        return _silent("no_recommendation")
    return _resting(recommendation, now, memory) or _unsure(recommendation, now, memory, config, second)


def _resting(recommendation: Recommendation, now: datetime, memory: Recollection) -> Verdict | None:
    rest = memory.resting(subjects(recommendation), now)
    if rest is None:
        return None
    if rest.until is None:
        return _silent("never", subject=rest.subject)
    return _silent("resting", subject=rest.subject, until=f"{rest.until.astimezone(now.tzinfo):%m-%d %H:%M}")


def _unsure(
    recommendation: Recommendation,
    now: datetime,
    memory: Recollection,
    config: PolicyConfig,
    second: Recommendation | None,
) -> Verdict | None:
    """The first of the bars that the confidence does not clear: the configured, the learnt, the second opinion's."""
    confidence, base = recommendation.confidence, config.minimum_confidence
    shown = None if confidence is None else round(confidence, 3)
    learnt = learnt_shift(_tallies(recommendation, now - REMEMBERED, memory))
    if not clears(confidence, base, learnt):
        rule = "low_confidence" if learnt <= 0 else "often_declined"
        return _silent(rule, confidence=shown, bar=round(base + learnt, 3))
    if second is not None and contradicts(recommendation, second):
        raised = max(learnt, 0.0) + DISAGREEMENT
        if not clears(confidence, base, raised):
            return _silent("second_opinion", confidence=shown, bar=round(base + raised, 3), other=second.rec)
    return None


def _tallies(recommendation: Recommendation, since: datetime, memory: Recollection) -> Iterator[Tally]:
    """How the same habit or situation, and the same functions for whatever reason, were answered."""
    if recommendation.topic:
        yield memory.answers_to(recommendation.topic, "", since)
    for name in dict.fromkeys(call.name for call in recommendation.calls):
        yield memory.answers_to("", name, since)


def judge(plan: Plan, pool: Pool, memory: Recollection) -> Verdict:
    """Act on a remembered permission, stay silent when nothing is left to do, ask otherwise."""
    if all(step.already for step in plan.steps):
        return _silent("already_so")
    if may_remember(plan) and memory.permitted(plan.serial, scope(plan, pool)):
        return Verdict(decision=Decision.ACT, rule="permitted")
    return Verdict(decision=Decision.ASK, rule="ask_first")


def in_quiet_hours(at: time, config: PolicyConfig) -> bool:
    """Whether ``at`` lies in the quiet hours, which may span midnight."""
    start, end = config.quiet_from, config.quiet_until
    if start <= end:
        return start <= at < end
    return at >= start or at < end


def subjects(recommendation: Recommendation) -> tuple[str, ...]:
    """What a rejection is remembered for: the habit or situation, and each call as it was proposed.

    The call is a subject of its own so that another habit does not ask the same thing minutes later.
    """
    topic = recommendation.topic or "+".join(call.name for call in recommendation.calls)
    return (f"topic:{topic}", *(f"call:{fingerprint(call)}" for call in recommendation.calls))


def fingerprint(call: FunctionCall) -> str:
    """A call as stable text: name and arguments, without what they rest on."""
    return call.name + json.dumps(dict(call.parameters), sort_keys=True, ensure_ascii=False)


def may_remember(plan: Plan) -> bool:
    """Whether "always allow" may be offered: reversible classes, and nothing that third parties wrote."""
    return plan.risk.may_be_remembered and not any(third_party_parameters(step.call) for step in plan.steps)


def third_party_parameters(call: FunctionCall) -> tuple[str, ...]:
    """The parameters whose values rest on text that anyone may have written."""
    return tuple(name for name in call.parameters if call.trust_of(name) is Trust.THIRD_PARTY)


def scope(plan: Plan, pool: Pool) -> str:
    """What "always" covers: the functions with their enumerable and yes/no arguments, nothing else."""
    return json.dumps([[step.call.name, _enumerable(step.call, pool)] for step in plan.steps], sort_keys=True)


def _enumerable(call: FunctionCall, pool: Pool) -> dict[str, JsonValue]:
    specs = pool.get(call.name).parameters
    return {
        name: value
        for name, value in call.parameters.items()
        if name in specs and (specs[name].choices or specs[name].type == "bool")
    }
