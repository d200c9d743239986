"""Turns a context of one phone into a decision: gate, reasoner, policy, plan."""

import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from agent import wording
from agent.loop.deferred import HOLDS, Held
from agent.loop.environment import Environment
from agent.loop.phone_functions import PhoneFunctions
from agent.loop.present_triggers import standing_triggers
from agent.loop.progress import Decided, Saw
from agent.policy import rules as policy
from agent.policy.recent_actions import LATELY, Lately
from agent.policy.rules import Decision, Verdict
from collectors.context import Context, Trigger
from executors.executor import OutOfReachError, RefusedError
from executors.plan import Plan
from heed.errors import ModelError, UsageError
from models.reasoner import Reasoner, Recommendation, silence

log = logging.getLogger(__name__)

ReadContext = Callable[[Trigger], Awaitable[Context]]
"""Reads the phone and the world because of a trigger; ``DeviceError`` when the phone does not answer."""


class Reasoners(NamedTuple):
    """The reasoner whose recommendations are made, and the one that is asked for a second opinion on them."""

    first: Reasoner
    second: Reasoner | None = None


class Judged(NamedTuple):
    """A decision before anybody is asked: the plan exists unless the verdict is silence."""

    recommendation: Recommendation
    verdict: Verdict
    plan: Plan | None


class Decider:
    """Decides for one phone: reads the context, recommends, weighs, plans, and defers what can wait."""

    def __init__(
        self, environment: Environment, functions: PhoneFunctions, read_context: ReadContext, reasoners: Reasoners
    ) -> None:
        self._environment, self._functions, self._reasoners = environment, functions, reasoners
        self.read_context = read_context
        self._lately = Lately(functions.pool)
        self._held = Held(environment.books.agenda, functions.device.serial)

    async def decide(self, trigger: Trigger) -> tuple[Context, Judged]:
        """The context of ``trigger`` and the decision on it; nothing is recorded and nobody is asked yet.

        Raises ``DeviceError`` when the phone is gone or does not answer.
        """
        context = await self.read_context(trigger)
        self._environment.listen(Saw(context=context))
        try:
            judged = await self._judge(context)
        except ModelError as error:
            reasoner = self._reasoners.first.name
            log.warning("%s: %s", reasoner, error)
            judged = Judged(silence(reasoner, str(error)), _silent("reasoner_failed", error), None)
        if judged.verdict.rule in HOLDS:
            self.defer(context)
        else:
            self._held.let_go(trigger)
        return context, judged

    async def decide_now(self) -> tuple[Context, Judged]:
        """The context of this moment and the decision on it, as ``decide_on`` makes it."""
        context = await self.read_context(Trigger(kind="clock"))
        self._environment.listen(Saw(context=context))
        return context, await self.decide_on(context)

    async def decide_on(self, context: Context) -> Judged:
        """The first recommendation for the clock, or for anything that the phone shows in ``context``.

        The gate is not applied before the reasoner: the recommendation can be shown, and the verdict is the gate's.
        """
        judged = None
        for trigger in standing_triggers(context):
            judged = await self._judge(context.model_copy(update={"trigger": trigger}), behind_the_gate=True)
            if not judged.recommendation.silent:
                return judged
        return judged or await self._judge(context, behind_the_gate=True)

    def defer(self, context: Context) -> None:
        """Decide on the context's trigger again later."""
        self._held.hold(context.trigger, context.now)

    def record(self, context: Context, judged: Judged) -> int:
        """Write context and decision into the journal; the decision's id."""
        journal = self._environment.books.journal
        recommendation, verdict = judged.recommendation, judged.verdict
        reason = wording.rule_text(verdict, self._environment.config.language)
        decision_id = journal.record_decision(
            journal.record_context(context),
            context.now,
            recommendation,
            decision=verdict.decision,
            rule=verdict.rule,
            reason=reason,
        )
        made = Decided(decision_id=decision_id, recommendation=recommendation, verdict=verdict, reason=reason)
        self._environment.listen(made)
        return decision_id

    async def _judge(self, context: Context, *, behind_the_gate: bool = False) -> Judged:
        """Raises ``ModelError`` when the reasoner cannot decide, ``DeviceError`` when the phone does not answer."""
        shut = policy.gate(context, self._environment.books.memory, self._environment.config.policy)
        if shut is not None and not behind_the_gate:
            return Judged(silence("policy", shut.rule), shut, None)
        recommendation = await self._recommend(self._reasoners.first, context)
        quiet = shut or await self._weigh(context, recommendation)
        if quiet is not None:
            return Judged(recommendation, quiet, None)
        return await self._plan(context, recommendation)

    async def _recommend(self, reasoner: Reasoner, context: Context) -> Recommendation:
        candidates = await self._functions.candidates()
        timeout = self._environment.config.policy.decision_timeout
        return await reasoner.recommend(context, self._functions.pool, candidates, timeout=timeout)

    async def _weigh(self, context: Context, recommendation: Recommendation) -> Verdict | None:
        """The reason not to make this recommendation; None when a plan may be prepared."""
        memory, reasoner = self._environment.books.memory, self._reasoners.second
        second = await self._recommend(reasoner, context) if reasoner and not recommendation.silent else None
        quiet = policy.weigh(recommendation, context.now, memory, self._environment.config.policy, second)
        if quiet is not None:
            return quiet
        done = [*self._lately.by_hand(context), *memory.carried_out(context.serial, context.now - LATELY)]
        repeated = self._lately.repeats(recommendation.calls, done)
        return Verdict(decision=Decision.SILENT, rule="just_done") if repeated else None

    async def _plan(self, context: Context, recommendation: Recommendation) -> Judged:
        try:
            plan = await self._functions.prepare(recommendation.calls, context.now)
        except UsageError as error:
            return Judged(recommendation, _silent("invalid_call", error), None)
        except OutOfReachError as error:
            return Judged(recommendation, _silent("out_of_reach", error), None)
        except RefusedError as error:
            return Judged(recommendation, _silent("not_possible", error), None)
        return Judged(recommendation, policy.judge(plan, self._functions.pool, self._environment.books.memory), plan)


def _silent(rule: str, fault: Exception) -> Verdict:
    return Verdict(decision=Decision.SILENT, rule=rule, detail={"fault": str(fault)})
