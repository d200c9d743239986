"""The agent of one phone: joins what decides, what asks and what acts."""

import asyncio
import logging
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from agent.consent.asker import ConsentAsker
from agent.consent.request import Answer, ChannelName, ConsentRequest, GivenAnswer
from agent.journal import ActionRecord, JournalError, Stores
from agent.loop.action_runner import ActionRunner
from agent.loop.decider import Decider, PlannedDecision
from agent.loop.environment import Environment
from agent.loop.owner_touch import OwnerToucher, ScreenTouch
from agent.loop.phone_functions import PhoneFunctions
from agent.loop.taught_log import note_taught
from agent.policy import rules as policy
from agent.policy.verdict import Decision, Rule, Verdict
from agent.requests.handler import ReadRequest, RequestHandler
from agent.wording import rule_message
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.reader import UnreadableError
from android_bridge.identity import PhoneIdentity
from collectors.context import Context, Trigger, TriggerKind
from executors.executor import RefusedError
from executors.plan import Outcome, Plan, Step
from function_pool.call import FunctionCall
from heed.clock import PhoneClock
from heed.messages import msg, translate
from heed.model import Frozen
from models.reasoner import Recommendation, Why

log = logging.getLogger(__name__)

SILENCES_WHOLE = timedelta(days=1)
"""For this long the whole context of a decision of silence is kept."""
SILENCES_AT_ONCE = 200
"""So many are reduced together, because the journal's file is rewritten then."""


class AgentParts(NamedTuple):
    """The parts of one phone's agent."""

    functions: PhoneFunctions
    decider: Decider
    asker: ConsentAsker
    runner: ActionRunner
    requests: RequestHandler


class DecisionPreview(Frozen):
    """A decision that nobody was asked about and that was not recorded."""

    serial: str
    now: datetime
    """The phone's wall clock."""
    recommendation: Recommendation
    verdict: Verdict
    plan: Plan | None


class PlanPreview(Frozen):
    """A plan that is not carried out, and the question that would be asked about it."""

    plan: Plan
    request: ConsentRequest


class ActedOn(NamedTuple):
    """The answer to a plan, and what came of it."""

    given: GivenAnswer
    outcomes: tuple[Outcome, ...] = ()
    """Of each step; none where it was not allowed."""


class RequestPreview(Frozen):
    """What a typed request would do; nobody was asked."""

    read: ReadRequest
    planned: PlanPreview | None
    """None while the request leaves a question open."""


class PhoneAgent:
    """Decides, asks and acts for one phone. Every step is one row in the journal."""

    def __init__(self, environment: Environment, parts: AgentParts) -> None:
        self._environment = environment
        self._functions, self._decider, self._asker, self._runner, self._requests = parts
        self._toucher = OwnerToucher(self._functions.device, environment)

    @property
    def serial(self) -> str:
        """The address at which the phone is reached."""
        return self._functions.device.serial

    @property
    def phone(self) -> PhoneIdentity:
        """The phone that this agent acts on."""
        return self._environment.phone

    @property
    def phone_name(self) -> str:
        """The phone's name for the owner."""
        return self._environment.phone_name

    @property
    def stores(self) -> Stores:
        """The stores on the journal file."""
        return self._environment.stores

    async def read_context(self, trigger: Trigger) -> Context:
        """Read the phone and the world; ``DeviceError`` when the phone is gone or does not answer."""
        return await self._decider.read_context(trigger)

    async def read_clock(self, clock: PhoneClock) -> None:
        """Sets ``clock`` to the phone's; one that the phone prints in an unknown form leaves the time as it is."""
        try:
            clock.set(await self._functions.device.read(CLOCK))
        except UnreadableError:
            clock.set(clock.wall())

    # --- deciding --------------------------------------------------------------------------------------------

    async def handle(self, trigger: Trigger) -> Decision:
        """Decide on a trigger; ask, and act after consent, unless the decision is silence."""
        context, decision = await self.decide(trigger)
        await self.act_on(context, decision)
        return decision.verdict.decision

    async def handle_now(self) -> Decision:
        """The same for what the phone shows now, as if it had just happened."""
        context, decision = await self._decider.decide_now()
        await self.act_on(context, decision)
        return decision.verdict.decision

    async def decide(self, trigger: Trigger) -> tuple[Context, PlannedDecision]:
        """The context of a trigger and the decision on it; nothing is recorded and nobody is asked yet."""
        return await self._decider.decide(trigger)

    async def decide_on(self, context: Context) -> tuple[Context, PlannedDecision]:
        """The decision on what the phone shows in ``context``, and ``context`` with the trigger that led to it.

        Nothing is recorded and nobody is asked.
        """
        return await self._decider.decide_on(context)

    async def preview(self, context: Context | None = None) -> DecisionPreview:
        """The decision on what the phone shows now, or in ``context``; nothing is recorded and nobody is asked."""
        context = context or await self.read_context(Trigger(kind=TriggerKind.CLOCK))
        _, (recommendation, verdict, plan) = await self.decide_on(context)
        return DecisionPreview(
            serial=context.serial, now=context.now, recommendation=recommendation, verdict=verdict, plan=plan
        )

    # --- asking and acting -----------------------------------------------------------------------------------

    async def act_on(
        self, context: Context, decision: PlannedDecision, given: GivenAnswer | None = None
    ) -> tuple[Outcome, ...]:
        """Record a decision; where it has a plan, ask (unless ``given`` is the answer) and carry it out."""
        decision_id = self._decider.record(context, decision)
        plan, verdict = decision.plan, decision.verdict
        if plan is None or verdict.decision is Decision.SILENT:
            return ()
        plan_id = self.stores.journal.record_plan(decision_id, plan)
        if verdict.decision is Decision.ACT:
            given = GivenAnswer(Answer.ALWAYS, ChannelName.GRANT)
        asked_about = None if given else decision.recommendation
        given = given or await self._ask(plan_id, plan, context, decision)
        return (await self._carry_out(plan_id, plan, given, asked_about)).outcomes

    async def _carry_out(
        self, plan_id: int, plan: Plan, given: GivenAnswer, asked_about: Recommendation | None
    ) -> ActedOn:
        """Store the answer and, where it counts and allows the plan, carry the plan out."""
        if not self._asker.allows(plan_id, plan, given, asked_about):
            return ActedOn(given)
        return ActedOn(given, await self._runner.carry_out(plan_id, plan, partial(self._allows_within, plan_id, plan)))

    async def _allows_within(self, plan_id: int, plan: Plan, step: Step) -> bool:
        """Ask about one more step of a plan that is being carried out; whether the owner allows it.

        It is a plan of its own, of the same decision: recorded, asked about, and answered as any other.
        """
        now = self._environment.clock.wall()
        within = plan.model_copy(update={"steps": (step,), "prepared_at": now})
        journal = self.stores.journal
        try:
            within_id = journal.record_plan(journal.plan(plan_id).decision_id, within)
            given = await self._asker.ask(within_id, within, self._asker.recommendation(within))
            return self._asker.allows(within_id, within, given, None)
        except JournalError as error:  # what cannot be recorded is not allowed
            log.error("the owner was not asked about a last button: %s", error)
            return False

    async def _ask(
        self, plan_id: int, plan: Plan, context: Context, decision: PlannedDecision, assistant: str = ""
    ) -> GivenAnswer:
        try:
            return await self._asker.ask(plan_id, plan, decision.recommendation, context, assistant)
        except asyncio.CancelledError:
            # The phone went away, or heed was ended, before anybody answered: that is no rejection.
            self._decider.defer(context)
            raise

    async def plan(self, call: FunctionCall) -> Plan:
        """The plan for a call that the owner typed; ``RefusedError`` or ``UsageError`` when there can be none."""
        return await self._functions.prepare([call])

    async def preview_call(self, call: FunctionCall) -> PlanPreview:
        """The plan for a call and the question about it; raises as ``plan`` does."""
        plan = await self.plan(call)
        return PlanPreview(plan=plan, request=self.request(plan))

    async def preview_request(self, text: str) -> RequestPreview:
        """What a typed request would do; raises as ``carry_out_request`` does, but asks nothing."""
        context = await self.read_context(Trigger(kind=TriggerKind.COMMAND))
        read = self._requests.read(text, context, await self._functions.candidates())
        if read.open_questions:
            return RequestPreview(read=read, planned=None)
        plan = await self._functions.prepare(read.calls, context.now)
        return RequestPreview(read=read, planned=PlanPreview(plan=plan, request=self.request(plan)))

    async def carry_out_request(self, text: str) -> tuple[Outcome, ...]:
        """Understand a typed request, ask for what it lacks, ask about the plan and carry it out.

        No outcomes = not allowed. Raises ``UnservedRequestError`` when no function serves the request,
        ``DeclinedError`` when a question stays open, ``RefusedError`` or ``UsageError`` when there can be no plan.
        """
        # Its words are not part of the context, which is stored: they may hold a password.
        context = await self.read_context(Trigger(kind=TriggerKind.COMMAND))
        calls = await self._requests.calls(text, context, await self._functions.candidates())
        plan = await self._functions.prepare(calls)
        verdict = Verdict(decision=Decision.ASK, rule=Rule.BY_HAND)
        return await self._act_by_hand(context, PlannedDecision(self._asker.recommendation(plan), verdict, plan))

    async def carry_out(self, plan: Plan, *, consented: bool) -> tuple[Outcome, ...]:
        """Ask about a plan that the owner typed and carry it out; no outcomes = declined.

        ``consented`` skips the question: typing the call with ``--yes`` was the answer.
        """
        context = await self.read_context(Trigger(kind=TriggerKind.COMMAND))
        verdict = Verdict(decision=Decision.ASK, rule=Rule.BY_HAND)
        given = GivenAnswer(Answer.ONCE, ChannelName.COMMAND_LINE) if consented else None
        return await self._act_by_hand(context, PlannedDecision(self._asker.recommendation(plan), verdict, plan), given)

    async def _act_by_hand(
        self, context: Context, decision: PlannedDecision, given: GivenAnswer | None = None
    ) -> tuple[Outcome, ...]:
        outcomes = await self.act_on(context, decision, given)
        if decision.plan is not None:
            note_taught(self._environment.config.collectors, context, decision.plan, outcomes)
        return outcomes

    async def carry_out_for(self, assistant: str, call: FunctionCall) -> ActedOn:
        """Ask the owner about a call that an assistant wants, and carry it out.

        Args:
            assistant: its name, for the owner.
            call: the call, whose arguments count as text that others wrote (``assistant_calls.asked_by_assistant``).

        Raises ``RefusedError`` where the owner is not to be asked now, and as ``plan`` does.
        """
        plan = await self.plan(call)
        language = self._environment.config.language
        why = Why(text=translate(msg("The assistant {name} asks for it.", name=assistant), language))
        recommendation = self._asker.recommendation(plan).model_copy(update={"why": why, "reasoner": "assistant"})
        context = await self.read_context(Trigger(kind=TriggerKind.COMMAND))
        refusal = policy.check_assistant(recommendation, context.now, self.stores, self._environment.config.policy)
        if refusal is not None:
            self._decider.record(context, PlannedDecision(recommendation, refusal, None))
            raise RefusedError(msg("The owner was not asked: {reason}.", reason=rule_message(refusal)))
        verdict = Verdict(decision=Decision.ASK, rule=Rule.BY_ASSISTANT, detail={"assistant": assistant})
        decision = PlannedDecision(recommendation, verdict, plan)
        decision_id = self._decider.record(context, decision)
        plan_id = self.stores.journal.record_plan(decision_id, plan)
        given = await self._ask(plan_id, plan, context, decision, assistant)
        return await self._carry_out(plan_id, plan, given, recommendation)

    def request(self, plan: Plan) -> ConsentRequest:
        """The consent request for a plan that the owner typed, as it would be shown."""
        return self._asker.request(0, plan)

    async def undo(self, action_id: int) -> Outcome:
        """Undo one action and verify it; ``RefusedError`` when there is nothing to undo."""
        return await self._runner.undo(action_id)

    async def touch(self, touch: ScreenTouch) -> None:
        """Send a touch of the owner to the phone; ``DeviceError`` says why it may not be sent now."""
        await self._toucher.send(touch)

    async def recover(self) -> list[ActionRecord]:
        """Ask the phone about every action in doubt; nothing is repeated. Returns those actions."""
        return await self._runner.recover()

    def delete_expired(self) -> int:
        """Delete what is older than the journal's retention or beyond its size; the number of contexts that went.

        Of silences that are older than ``SILENCES_WHOLE`` the trigger is kept.
        """
        journal, config = self.stores.journal, self._environment.config.journal
        deleted = journal.forget_older_than(timedelta(days=config.retention_days))
        journal.reduce_silences(SILENCES_WHOLE, at_least=SILENCES_AT_ONCE)
        return deleted + journal.limit_size(config.max_megabytes * 1e6)
