"""Turns a context of one phone into a decision: policy, reasoner, second opinion, plan."""

import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from agent import wording
from agent.loop.deferred import DEFERRING_RULES, DeferredTriggers
from agent.loop.environment import Environment
from agent.loop.phone_functions import PhoneFunctions
from agent.loop.present_triggers import present_triggers
from agent.loop.progress import ContextRead, DecisionMade
from agent.policy import rules as policy
from agent.policy.handed_over import left_app
from agent.policy.recent_actions import RECENT, STANDS, RecentActions, already_created, lookback
from agent.policy.verdict import Rule, Verdict, silent
from collectors.context import Context, Trigger, TriggerKind
from executors.executor import OutOfReachError, RefusedError
from executors.plan import Plan
from function_pool.validation import with_secrets
from heed.errors import ModelError, UsageError
from models.reasoner import Reasoner, Recommendation, silence

log = logging.getLogger(__name__)

ReadContext = Callable[[Trigger], Awaitable[Context]]
"""Reads the phone and the world because of a trigger; ``DeviceError`` when the phone does not answer."""


class Reasoners(NamedTuple):
    """The reasoner whose recommendations are made, and the one that is asked for a second opinion on them."""

    first: Reasoner
    second: Reasoner | None = None


class PlannedDecision(NamedTuple):
    """A decision before anybody is asked: the plan exists unless the verdict is silence."""

    recommendation: Recommendation
    verdict: Verdict
    plan: Plan | None


class Decider:
    """Decides for one phone: reads the context, recommends, applies the policy, plans, defers what can wait."""

    def __init__(
        self, environment: Environment, functions: PhoneFunctions, read_context: ReadContext, reasoners: Reasoners
    ) -> None:
        self._environment, self._functions, self._reasoners = environment, functions, reasoners
        self.read_context = read_context
        self._recent_actions = RecentActions(functions.pool)
        self._deferred = DeferredTriggers(environment.stores, environment.phone.id)

    async def decide(self, trigger: Trigger) -> tuple[Context, PlannedDecision]:
        """The context of ``trigger`` and the decision on it; nothing is recorded and nobody is asked yet.

        Raises ``DeviceError`` when the phone is gone or does not answer.
        """
        context = await self.read_context(trigger)
        self._environment.listen(ContextRead(context=context))
        try:
            decision = await self._decide(context)
        except ModelError as error:
            reasoner = self._reasoners.first.name
            log.warning("%s: %s", reasoner, error)
            decision = PlannedDecision(
                silence(reasoner, str(error)), silent(Rule.REASONER_FAILED, fault=str(error)), None
            )
        if decision.verdict.rule in DEFERRING_RULES:
            self.defer(context)
        else:
            self._deferred.drop(trigger)
        return context, decision

    async def decide_now(self) -> tuple[Context, PlannedDecision]:
        """The context of this moment and the decision on it, as ``decide_on`` makes it."""
        context = await self.read_context(Trigger(kind=TriggerKind.CLOCK))
        self._environment.listen(ContextRead(context=context))
        return await self.decide_on(context)

    async def decide_on(self, context: Context) -> tuple[Context, PlannedDecision]:
        """The first recommendation for the clock, or for anything that the phone shows in ``context``.

        Returns ``context`` with the trigger that was decided on, and the decision. A rule of silence does not keep the
        reasoner from being asked: its recommendation is shown with that verdict.
        """
        for trigger in present_triggers(context):
            triggered = context.model_copy(update={"trigger": trigger})
            decision = await self._decide(triggered, past_the_check=True)
            # What others wrote into a name may make a call invalid; it must not hide what comes after it.
            if not decision.recommendation.silent and decision.verdict.rule is not Rule.INVALID_CALL:
                return triggered, decision
        clock = context.model_copy(update={"trigger": Trigger(kind=TriggerKind.CLOCK)})
        return clock, await self._decide(clock, past_the_check=True)

    def defer(self, context: Context) -> None:
        """Decide on the context's trigger again later."""
        self._deferred.defer(context.trigger)

    def record(self, context: Context, decision: PlannedDecision) -> int:
        """Write context and decision into the journal; the decision's id."""
        journal = self._environment.stores.journal
        recommendation, verdict = decision.recommendation, decision.verdict
        reason = wording.rule_text(verdict, self._environment.config.language)
        decision_id = journal.record_decision(
            journal.record_context(context),
            context.now,
            recommendation,
            decision=verdict.decision,
            rule=verdict.rule,
            reason=reason,
        )
        made = DecisionMade(decision_id=decision_id, recommendation=recommendation, verdict=verdict, reason=reason)
        self._environment.listen(made)
        log.info("%s: decision %d: %s (%s)", context.serial, decision_id, verdict.decision, verdict.rule)
        return decision_id

    async def _decide(self, context: Context, *, past_the_check: bool = False) -> PlannedDecision:
        """Raises ``ModelError`` when the reasoner cannot decide, ``DeviceError`` when the phone does not answer."""
        early = policy.check_moment(context, self._environment.stores, self._environment.config.policy)
        if early is not None and not past_the_check:
            return PlannedDecision(silence("policy", early.rule), early, None)
        recommendation = await self._recommend(self._reasoners.first, context)
        verdict = early or await self._check(context, recommendation)
        if verdict is not None:
            return PlannedDecision(recommendation, verdict, None)
        return await self._plan(context, recommendation)

    async def _recommend(self, reasoner: Reasoner, context: Context) -> Recommendation:
        candidates = await self._functions.candidates()
        timeout = self._environment.config.policy.decision_timeout
        found = await reasoner.recommend(context, self._functions.pool, candidates, timeout=timeout)
        withheld = tuple(spec.name for spec in self._functions.pool if spec.name not in candidates)
        calls = tuple(with_secrets(self._functions.pool, call) for call in found.calls)
        return found.model_copy(update={"calls": calls, "withheld": withheld})

    async def _check(self, context: Context, recommendation: Recommendation) -> Verdict | None:
        """The reason not to make this recommendation; None when a plan may be prepared."""
        stores, reasoner = self._environment.stores, self._reasoners.second
        second = await self._recommend(reasoner, context) if reasoner and not recommendation.silent else None
        verdict = policy.check_recommendation(
            recommendation, context.now, stores, self._environment.config.policy, second
        )
        if verdict is not None:
            return verdict
        done = [
            *self._recent_actions.by_owner(context, lookback(recommendation)),
            *stores.history.carried_out(context.phone_id, RECENT),
        ]
        repeated = self._recent_actions.repeats(recommendation.calls, done)
        created = already_created(recommendation.calls, stores.history.actions(context.phone_id, STANDS))
        return silent(Rule.JUST_DONE) if repeated or created else None

    async def _plan(self, context: Context, recommendation: Recommendation) -> PlannedDecision:
        try:
            self._functions.device.left_app = left_app(context)
            plan = await self._functions.prepare(recommendation.calls, context.now)
        except UsageError as error:
            return PlannedDecision(recommendation, silent(Rule.INVALID_CALL, fault=str(error)), None)
        except OutOfReachError as error:
            return PlannedDecision(recommendation, silent(Rule.OUT_OF_REACH, fault=str(error)), None)
        except RefusedError as error:
            return PlannedDecision(recommendation, silent(Rule.NOT_POSSIBLE, fault=str(error)), None)
        return PlannedDecision(recommendation, policy.check_plan(plan, self._environment.stores), plan)
