"""One phone's attendant: sees, decides, asks, acts, remembers. Every step is one row in the journal."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from agent import wording
from agent.config import Config
from agent.consent.request import Answer, Channel, ConsentRequest, Given, StepView, ask_first
from agent.journal import ActionRecord, ActionState, Agenda, HabitEdits, Journal, Memory, SituationSwitches
from agent.loop.deferred import HOLDS, Held
from agent.loop.present_triggers import standing_triggers
from agent.loop.progress import Acted, Answered, Asked, Decided, Listener, Saw, Undid
from agent.policy import rules as policy
from agent.policy.recent_actions import LATELY, Lately
from agent.policy.rules import Decision, Verdict
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from collectors.context import Context, Trigger
from executors import runner
from executors.executor import OutOfReachError, RefusedError
from executors.plan import Outcome, OutcomeKind, Plan, Step
from executors.registry import incapable_functions
from executors.runner import Executors, StepEvent, StepStage
from executors.wording import describe
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.wording import name_parameter
from heed.clock import Clock
from heed.errors import ModelError, UsageError
from heed.messages import Text, message_of, msg, translate
from models.reasoner import Reasoner, Recommendation, silence

log = logging.getLogger(__name__)

UNDO_APPOINTMENT = "undo"
"""Agenda kind: take an action back at a stated time ("do not disturb off at 10:30")."""


class Books(NamedTuple):
    """The parts of the journal file."""

    journal: Journal
    memory: Memory
    agenda: Agenda
    habits: HabitEdits
    situations: SituationSwitches


class Judged(NamedTuple):
    """A decision before anybody is asked: the plan exists unless the verdict is silence."""

    recommendation: Recommendation
    verdict: Verdict
    plan: Plan | None


class Ledger:
    """Writes what happens to a plan's steps into the journal, each thing before the next one happens."""

    def __init__(self, books: Books, plan: Plan, plan_id: int, clock: Clock, listen: Listener) -> None:
        self._books, self._plan, self._plan_id, self._clock, self._listen = books, plan, plan_id, clock, listen
        self._actions: dict[int, int] = {}

    def record(self, event: StepEvent) -> None:
        """Store one event of the runner."""
        action_id = self._action(event)
        if event.stage is StepStage.PERFORMED and event.receipt is not None:
            self._books.journal.performed(action_id, event.receipt)
        elif event.stage is StepStage.ENDED and event.outcome is not None:
            self._end(action_id, event.step, event.outcome)

    def expire(self, index: int, step: Step) -> Outcome:
        """Store that a step was not begun because the consent had expired."""
        outcome = Outcome(kind=OutcomeKind.REFUSED, message=msg("Your answer has expired. Ask for it again."))
        self.record(StepEvent(stage=StepStage.ENDED, index=index, step=step, outcome=outcome))
        return outcome

    def _action(self, event: StepEvent) -> int:
        """The action's row, made by its first event: a step that never began has only its end."""
        if event.index not in self._actions:
            self._actions[event.index] = self._books.journal.start_action(
                self._plan_id, event.index, event.step, self._clock.wall()
            )
        return self._actions[event.index]

    def _end(self, action_id: int, step: Step, outcome: Outcome) -> None:
        # What is unknown stays half known, so that the phone is asked when it is back.
        if outcome.kind is not OutcomeKind.UNKNOWN:
            self._books.journal.finish(action_id, outcome)
        if outcome.kind is OutcomeKind.VERIFIED and step.expires_after_minutes is not None:
            due = self._clock.wall() + timedelta(minutes=step.expires_after_minutes)
            self._books.agenda.add(due, self._plan.serial, UNDO_APPOINTMENT, {"action": action_id})
        self._listen(Acted(action_id=action_id, step=step, outcome=outcome))


class Attendant:
    """Attends one phone. ``see`` turns a trigger into a context; everything it needs is handed in.

    ``second`` is asked what it thinks of the reasoner's recommendations; its own are never made.
    """

    def __init__(
        self,
        device: Device,
        *,
        see: Callable[[Trigger], Awaitable[Context]],
        reasoner: Reasoner,
        pool: Pool,
        executors: Executors,
        books: Books,
        config: Config,
        clock: Clock,
        second: Reasoner | None = None,
        channels: Sequence[Channel] = (),
        listen: Listener = lambda stage: None,
    ) -> None:
        self.device = device
        self.books = books
        self.see = see
        self._reasoner = reasoner
        self._pool = pool
        self._executors = executors
        self._config = config
        self._clock = clock
        self._second = second
        self._lately = Lately(pool)
        self._held = Held(books.agenda, device.serial)
        self._channels = channels
        self._listen = listen
        self._incapable: Mapping[str, Text] | None = None
        # One action at a time on a phone; while the person is thinking, an undo may go ahead.
        self._busy = asyncio.Lock()

    @property
    def serial(self) -> str:
        return self.device.serial

    async def attend(self, trigger: Trigger) -> Decision:
        """Look at the phone because of ``trigger``; suggest, and after consent act, or stay silent."""
        context, judged = await self.look(trigger)
        await self.settle(context, judged)
        return judged.verdict.decision

    async def look(self, trigger: Trigger) -> tuple[Context, Judged]:
        """What there is to see because of ``trigger``, and what to make of it; nothing is said or written down yet.

        ``DeviceError`` when the phone is gone or does not answer.
        """
        context = await self.see(trigger)
        self._listen(Saw(context=context))
        try:
            judged = await self.judge(context)
        except ModelError as error:
            log.warning("%s: %s", self._reasoner.name, error)
            judged = Judged(
                silence(self._reasoner.name, translate(error.text, self._config.language)),
                _silent("reasoner_failed", error),
                None,
            )
        if judged.verdict.rule in HOLDS:
            self._held.hold(trigger, context.now)
        else:
            self._held.let_go(trigger)
        return context, judged

    async def attend_now(self) -> Decision:
        """Attend to whatever shows on the phone right now, as if it had just happened."""
        context = await self.see(Trigger(kind="clock"))
        self._listen(Saw(context=context))
        judged = await self.judge_now(context)
        await self.settle(context, judged)
        return judged.verdict.decision

    async def plan(self, call: FunctionCall) -> Plan:
        """The plan for a call that the owner typed; ``RefusedError`` or ``UsageError`` when there can be none."""
        return await runner.prepare(self._executors, self.device, self._pool, [call], now=await self._now())

    async def by_hand(self, plan: Plan, *, consented: bool) -> tuple[Outcome, ...]:
        """Ask about a plan that the owner typed and carry it out; no outcomes = declined.

        ``consented`` skips the question: typing the call with ``--yes`` was the answer.
        """
        context = await self.see(Trigger(kind="command"))
        calls = tuple(step.call for step in plan.steps)
        recommendation = Recommendation(rec=self._title(plan), calls=calls, reasoner="owner")
        verdict = Verdict(decision=Decision.ASK, rule="by_hand")
        given = Given(Answer.ONCE, "command line") if consented else None
        return await self.settle(context, Judged(recommendation, verdict, plan), given)

    async def judge(self, context: Context, *, behind_the_gate: bool = False) -> Judged:
        """The recommendation for a context, what the policy makes of it, and the plan to ask about.

        Where the policy would not let heed speak at all, no reasoner is asked, unless ``behind_the_gate``: then the
        recommendation is there to look at, and the verdict is the gate's all the same. Raises ``ModelError`` when the
        reasoner cannot decide, ``DeviceError`` when the phone does not answer.
        """
        shut = policy.gate(context, self.books.memory, self._config.policy)
        if shut is not None and not behind_the_gate:
            return Judged(silence("policy", shut.rule), shut, None)
        recommendation = await self._recommended(self._reasoner, context)
        quiet = shut or await self._weighed(context, recommendation)
        if quiet is not None:
            return Judged(recommendation, quiet, None)
        return await self._plan(context, recommendation)

    async def _recommended(self, reasoner: Reasoner, context: Context) -> Recommendation:
        hidden = await self._hidden()
        candidates = tuple(spec.name for spec in self._pool if spec.name not in hidden)
        timeout = self._config.policy.decision_timeout
        return await reasoner.recommend(context, self._pool, candidates, timeout=timeout)

    async def _weighed(self, context: Context, recommendation: Recommendation) -> Verdict | None:
        """Why not to make this recommendation: the policy's reasons, a second opinion heard, and what was just done."""
        memory = self.books.memory
        asked = self._second is not None and not recommendation.silent
        second = await self._recommended(self._second, context) if self._second and asked else None
        quiet = policy.weigh(recommendation, context.now, memory, self._config.policy, second)
        if quiet is not None:
            return quiet
        done = [*self._lately.by_hand(context), *memory.carried_out(context.serial, context.now - LATELY)]
        repeated = self._lately.repeats(recommendation.calls, done)
        return Verdict(decision=Decision.SILENT, rule="just_done") if repeated else None

    async def _hidden(self) -> Mapping[str, Text]:
        """The functions that this phone cannot do, asked once: the reasoner is not offered them."""
        if self._incapable is None:
            self._incapable = await incapable_functions(self._executors, self.device)
        return self._incapable

    async def judge_now(self, context: Context) -> Judged:
        """The first recommendation that the clock, or anything that shows on the phone right now, is a reason for."""
        judged = None
        for trigger in standing_triggers(context):
            judged = await self.judge(context.model_copy(update={"trigger": trigger}), behind_the_gate=True)
            if not judged.recommendation.silent:
                return judged
        return judged or await self.judge(context, behind_the_gate=True)

    async def _plan(self, context: Context, recommendation: Recommendation) -> Judged:
        try:
            plan = await runner.prepare(self._executors, self.device, self._pool, recommendation.calls, now=context.now)
        except UsageError as error:
            return Judged(recommendation, _silent("invalid_call", error), None)
        except OutOfReachError as error:
            return Judged(recommendation, _silent("out_of_reach", error), None)
        except RefusedError as error:
            return Judged(recommendation, _silent("not_possible", error), None)
        return Judged(recommendation, policy.judge(plan, self._pool, self.books.memory), plan)

    async def settle(self, context: Context, judged: Judged, given: Given | None = None) -> tuple[Outcome, ...]:
        """Write the decision down; where there is a plan, ask (unless ``given``) and carry it out."""
        journal = self.books.journal
        reason = wording.rule_message(judged.verdict)
        decision_id = journal.record_decision(
            journal.record_context(context),
            context.now,
            judged.recommendation,
            decision=judged.verdict.decision,
            rule=judged.verdict.rule,
            reason=reason,
        )
        decided = Decided(
            decision_id=decision_id, recommendation=judged.recommendation, verdict=judged.verdict, reason=reason
        )
        self._listen(decided)
        if judged.plan is None or judged.verdict.decision is Decision.SILENT:
            return ()
        plan_id = journal.record_plan(decision_id, judged.plan)
        if judged.verdict.decision is Decision.ACT:
            given = Given(Answer.ALWAYS, "remembered")
        given = given or await self._asked(plan_id, judged.plan, judged.recommendation, context)
        if not self._allowed(plan_id, judged.plan, given):
            return ()
        return await self._carry_out(plan_id, judged.plan, self._clock.monotonic())

    async def _asked(self, plan_id: int, plan: Plan, recommendation: Recommendation, context: Context) -> Given:
        """The first answer to the question about the plan; what it says for later is remembered."""
        request = self.request(plan_id, plan, recommendation, context)
        self._listen(Asked(request=request))
        try:
            given = await ask_first(self._channels, request, self._config.consent.timeout)
        except asyncio.CancelledError:
            # The phone went, or heed was ended, before anybody answered: no answer is not a no.
            self._held.hold(context.trigger, context.now)
            raise
        self._listen(Answered(request=request, given=given))
        self._remember(given, recommendation, plan)
        return given

    def _allowed(self, plan_id: int, plan: Plan, given: Given) -> bool:
        """Whether the plan may run: the answer, bound to the plan's hash, allows it."""
        answered_at = self._clock.wall()
        counts = self.books.journal.record_answer(plan_id, plan.hash, answered_at, given.answer, given.channel)
        return counts and given.answer.allows

    def _remember(self, given: Given, recommendation: Recommendation, plan: Plan) -> None:
        now, subjects = self._clock.wall(), policy.subjects(recommendation)
        if not given.answer.allows:
            rest = timedelta(hours=self._config.policy.cool_down_hours)
            self.books.memory.reject(subjects, now, rest, forever=given.answer is Answer.NEVER)
            return
        self.books.memory.accept(subjects)
        if given.answer is Answer.ALWAYS:
            scope = policy.scope(plan, self._pool)
            self.books.memory.permit(plan.serial, scope, recommendation.rec, now)

    async def _carry_out(self, plan_id: int, plan: Plan, allowed_at: float) -> tuple[Outcome, ...]:
        """Run a plan that was allowed; when its turn comes too late, say so and begin nothing."""
        async with self._busy:
            ledger = Ledger(self.books, plan, plan_id, self._clock, self._listen)
            if self._clock.monotonic() - allowed_at > self._config.consent.valid_for:
                return tuple(ledger.expire(index, step) for index, step in enumerate(plan.steps))
            return await runner.execute(self._executors, self.device, plan, ledger.record)

    async def undo(self, action_id: int) -> Outcome:
        """Take one action back and verify it; ``RefusedError`` when there is nothing to take back."""
        async with self._busy:
            action = self.books.journal.action(action_id)
            _check_undoable(action, self.serial)
            self.books.journal.start_undo(action_id)
            outcome = await runner.undo(self._executors, self.device, action.step, action.receipt)
            self.books.journal.finish_undo(action_id, outcome)
            self._listen(Undid(at=self._clock.wall(), action_id=action_id, step=action.step, outcome=outcome))
            return outcome

    async def recover(self) -> list[ActionRecord]:
        """Ask the phone about everything that was begun and not finished; nothing is repeated."""
        async with self._busy:
            records = self.books.journal.half_known(self.serial)
            for record in records:
                outcome = await runner.check(self._executors, self.device, record.step, record.receipt)
                self.books.journal.finish(record.id, outcome, ActionState.INTERRUPTED)
            self.books.agenda.release_taken(self.serial)
            return records

    def forget_old(self) -> int:
        """Delete what is older than the journal's retention; how many contexts went."""
        oldest = self._clock.wall() - timedelta(days=self._config.journal.retention_days)
        return self.books.journal.forget_before(oldest)

    def request(
        self, plan_id: int, plan: Plan, recommendation: Recommendation | None = None, context: Context | None = None
    ) -> ConsentRequest:
        """The question about a plan, in the person's language; without a recommendation, the plan speaks for itself.

        The evidence is worded from the ``context`` that the recommendation was made on.
        """
        recommendation = recommendation or Recommendation(rec=self._title(plan), reasoner="owner")
        resting = recommendation.why.evidence
        evidence = wording.evidence_texts(resting, context, self._config.language) if context else ()
        return ConsentRequest(
            plan_id=plan_id,
            plan_hash=plan.hash,
            serial=plan.serial,
            sentence=recommendation.rec,
            why=recommendation.why.text,
            evidence=evidence,
            steps=tuple(self._view(step) for step in plan.steps),
            risk=plan.risk,
            may_always=policy.may_remember(plan),
        )

    def _view(self, step: Step) -> StepView:
        language = self._config.language
        return StepView(
            function=step.call.name,
            parameters={name: wording.value_text(value, language) for name, value in step.call.parameters.items()},
            third_party={
                name_parameter(name, language): wording.value_text(step.call.parameters[name], language)
                for name in policy.third_party_parameters(step.call)
            },
            effects=tuple(describe(effect, language) for effect in step.effects),
            undo=tuple(describe(effect, language) for effect in step.undo),
            commands=(*step.commands, *step.requests),
            risk=step.risk,
        )

    def _title(self, plan: Plan) -> str:
        effects = [describe(effect, self._config.language) for step in plan.steps for effect in step.effects]
        return "; ".join(effects) or ", ".join(step.call.name for step in plan.steps)

    async def _now(self) -> datetime:
        return await self.device.read(CLOCK)


def _silent(rule: str, fault: Exception) -> Verdict:
    return Verdict(decision=Decision.SILENT, rule=rule, detail={"fault": message_of(fault)})


def _check_undoable(action: ActionRecord, serial: str) -> None:
    if action.serial != serial:
        raise RefusedError(
            msg(
                "Action {id} was done on {serial}, not on {other_serial}.",
                id=action.id,
                serial=action.serial,
                other_serial=serial,
            ),
            msg("Connect that phone."),
        )
    if action.state is ActionState.UNDONE:
        raise RefusedError(msg("Action {id} was undone already.", id=action.id))
    if not action.step.undo:
        raise RefusedError(msg("Action {id} ({name}) cannot be undone.", id=action.id, name=action.step.call.name))
    if not action.can_be_undone or (action.outcome is not None and action.outcome.kind is not OutcomeKind.VERIFIED):
        raise RefusedError(
            msg("Action {id} changed nothing that could be taken back.", id=action.id), msg("See `heed journal`.")
        )
