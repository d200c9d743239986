"""The rules that turn a recommendation into a verdict: act, ask or stay silent. Pure functions of what is known."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Protocol

from agent.config import PolicyConfig
from agent.journal.answer_history import UnansweredRequest
from agent.journal.cool_downs import CoolDown
from agent.journal.pauses import Pause
from agent.policy.activity import activity, is_urgent
from agent.policy.appointments import is_outdated
from agent.policy.grants import Scope, covers, may_grant
from agent.policy.pausing import until_text
from agent.policy.threshold import DISAGREEMENT, REMEMBERED, Tally, contradicts, learned_shift, reaches
from agent.policy.verdict import Decision, Rule, Verdict, silent
from collectors.context import Context, TriggerKind
from executors.plan import Plan
from function_pool.call import FunctionCall
from models.reasoner import Recommendation


class SuggestionHistory(Protocol):
    """Past suggestions; the journal's ``AnswerHistory``."""

    def suggestions(self, phone_id: str, within: timedelta) -> int:
        """How often the owner was asked or acted for within the last time."""
        ...

    def answers_to(self, topic: str, function: str, within: timedelta) -> Tally:
        """How suggestions of a topic and function (empty = any) were answered within the last time."""
        ...

    def unanswered(self, within: timedelta) -> Sequence[UnansweredRequest]:
        """The questions since then that nobody answered, oldest first."""
        ...


class ActiveCoolDowns(Protocol):
    """Cool-downs; the journal's ``CoolDowns``."""

    def longest(self, subjects: tuple[str, ...]) -> CoolDown | None: ...


class GivenGrants(Protocol):
    """Grants; the journal's ``Grants``."""

    def scopes(self, phone_id: str) -> Iterable[Scope]:
        """The scopes of every grant for a phone."""
        ...


class OwnersPause(Protocol):
    """The owner's pause; the journal's ``Pauses``."""

    def current(self, now: datetime) -> Pause | None:
        """The pause that lasts when the phone's clock shows ``now``."""
        ...


class PastAnswers(Protocol):
    """What the owner said before, as far as the policy needs it; the journal's ``Stores``."""

    @property
    def history(self) -> SuggestionHistory: ...

    @property
    def cool_downs(self) -> ActiveCoolDowns: ...

    @property
    def grants(self) -> GivenGrants: ...

    @property
    def pauses(self) -> OwnersPause: ...


def check_moment(context: Context, past: PastAnswers, config: PolicyConfig) -> Verdict | None:
    """The reason to stay silent whatever the recommendation would be; None when a reasoner may be asked."""
    pause = past.pauses.current(context.now)
    if pause is not None:
        return silent(Rule.PAUSED, until=until_text(pause, context.now))
    if is_outdated(context):
        return silent(Rule.OUTDATED)
    if in_quiet_hours(context.now.time(), config):
        return silent(Rule.QUIET_HOURS, until=config.quiet_until.isoformat("minutes"))
    doing = activity(context)
    if doing is not None and not is_urgent(context):
        return silent(Rule(doing))
    return _limited(context, past, config)


def check_assistant(
    recommendation: Recommendation, now: datetime, past: PastAnswers, config: PolicyConfig
) -> Verdict | None:
    """The reason not to ask the owner what an assistant wants to do; None when the owner may be asked.

    Only quiet hours and earlier answers count: the rate limits and the threshold are for what heed suggests itself.
    """
    if in_quiet_hours(now.time(), config):
        return silent(Rule.QUIET_HOURS, until=config.quiet_until.isoformat("minutes"))
    return _cooling_down(recommendation, now, past) or _unanswered(recommendation, now, past, config)


_ROUTINE = frozenset({TriggerKind.CLOCK, TriggerKind.SCREEN, TriggerKind.SCREEN_TIME, TriggerKind.APP_FOREGROUND})
"""Kinds of trigger of which there will be another: what they bring yields to messages, calls, appointments, states."""


def _limited(context: Context, past: PastAnswers, config: PolicyConfig) -> Verdict | None:
    """The rate limit that is reached; a routine trigger reaches it earlier, and an urgent one no limit of the hour."""
    routine = context.trigger.kind in _ROUTINE
    per_day = _part(config.per_day, config.kept_per_day if routine else 0)
    per_hour = _part(config.per_hour, config.kept_per_hour if routine else 0)
    if past.history.suggestions(context.phone_id, timedelta(hours=24)) >= per_day:
        return silent(Rule.RATE_LIMIT_DAY, limit=per_day)
    if not is_urgent(context) and past.history.suggestions(context.phone_id, timedelta(hours=1)) >= per_hour:
        return silent(Rule.RATE_LIMIT_HOUR, limit=per_hour)
    return None


def _part(limit: int, kept: int) -> int:
    """What is left of a limit; one at least, where there is any."""
    return min(limit, max(1, limit - kept))


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
    return (
        _cooling_down(recommendation, now, past)
        or _unanswered(recommendation, now, past, config)
        or _unsure(recommendation, past, config, second)
    )


def _cooling_down(recommendation: Recommendation, now: datetime, past: PastAnswers) -> Verdict | None:
    found = past.cool_downs.longest(subjects(recommendation))
    if found is None:
        return None
    if found.left is None:
        return silent(Rule.NEVER, subject=found.subject)
    return silent(Rule.COOL_DOWN, subject=found.subject, until=f"{now + found.left:%m-%d %H:%M}")


def _unanswered(
    recommendation: Recommendation, now: datetime, past: PastAnswers, config: PolicyConfig
) -> Verdict | None:
    """Nobody answered the same question a short while ago: it is not asked again at once, and is no rejection."""
    pause = timedelta(minutes=config.unanswered_pause_minutes)
    same = set(subjects(recommendation))
    for request in past.history.unanswered(pause):
        if same & set(_subjects(request.topic, request.calls)):
            return silent(Rule.UNANSWERED, until=f"{now + pause - request.ago:%m-%d %H:%M}")
    return None


def _unsure(
    recommendation: Recommendation,
    past: PastAnswers,
    config: PolicyConfig,
    second: Recommendation | None,
) -> Verdict | None:
    """The first threshold that the confidence does not reach: configured, learned, or raised by the second opinion."""
    confidence, base = recommendation.confidence, config.minimum_confidence
    shown = None if confidence is None else round(confidence, 3)
    learned = learned_shift(_tallies(recommendation, past))
    if not reaches(confidence, base, learned):
        rule = Rule.LOW_CONFIDENCE if learned <= 0 else Rule.OFTEN_DECLINED
        return silent(rule, confidence=shown, threshold=round(base + learned, 3))
    if second is not None and contradicts(recommendation, second):
        raised = max(learned, 0.0) + DISAGREEMENT
        if not reaches(confidence, base, raised):
            return silent(Rule.SECOND_OPINION, confidence=shown, threshold=round(base + raised, 3), other=second.rec)
    return None


def _tallies(recommendation: Recommendation, past: PastAnswers) -> Iterator[Tally]:
    """How the same habit or situation was answered, and the same functions whatever their topic."""
    if recommendation.topic:
        yield past.history.answers_to(recommendation.topic, "", REMEMBERED)
    for name in dict.fromkeys(call.name for call in recommendation.calls):
        yield past.history.answers_to("", name, REMEMBERED)


def check_plan(plan: Plan, past: PastAnswers) -> Verdict:
    """Act where a grant covers the plan, stay silent when nothing is left to do, ask otherwise."""
    if all(step.already for step in plan.steps):
        return silent(Rule.ALREADY_SO)
    if may_grant(plan) and any(covers(scope, plan) for scope in past.grants.scopes(plan.phone_id)):
        return Verdict(decision=Decision.ACT, rule=Rule.GRANTED)
    return Verdict(decision=Decision.ASK, rule=Rule.ASK_FIRST)


def in_quiet_hours(at: time, config: PolicyConfig) -> bool:
    """Whether ``at`` lies in the quiet hours, which may span midnight."""
    start, end = config.quiet_from, config.quiet_until
    if start <= end:
        return start <= at < end
    return at >= start or at < end


def subjects(recommendation: Recommendation) -> tuple[str, ...]:
    """The subjects of a rejection's cool-down: the habit or situation with what it was about, and each call.

    The call is a subject of its own so that another habit does not suggest the same minutes later.
    """
    return _subjects(recommendation.topic, recommendation.calls)


def _subjects(topic: str, calls: Sequence[FunctionCall]) -> tuple[str, ...]:
    topic = topic or "+".join(call.name for call in calls)
    about = " ".join(filter(None, map(_about, calls)))
    return (f"topic:{topic} {about}".rstrip(), *(f"call:{fingerprint(call)}" for call in calls))


def _about(call: FunctionCall) -> str:
    """The arguments that rest on facts: whose number, which appointment. The others belong to the topic."""
    found = {name: value for name, value in call.shown.items() if call.basis.get(name)}
    return json.dumps(found, sort_keys=True, ensure_ascii=False) if found else ""


def fingerprint(call: FunctionCall) -> str:
    """A call as stable text: name and arguments, without their basis."""
    return call.name + json.dumps(dict(call.shown), sort_keys=True, ensure_ascii=False)
