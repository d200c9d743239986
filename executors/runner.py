"""Carry out a plan: prepare, perform, verify, roll back; later undo it, or ask what became of it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from android_bridge.device import Device
from executors.executor import Executor, Receipt, RefusedError, RejectedError
from executors.plan import Effect, Outcome, OutcomeKind, Plan, Preparation, Step
from executors.wording import describe_outcome
from function_pool.assessment import assess
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.errors import DeviceError, NoDeviceError
from heed.language import Language
from heed.messages import message_of, msg, sentences
from heed.model import Frozen

Executors = Mapping[str, Executor]


class Patience(Frozen):
    """How long an effect may take to show, and how long it must stay; seconds."""

    deadline: float = 5.0
    """Radios and apps act late."""
    interval: float = 0.2
    settle: float = 1.2
    """A value that the phone puts back does so within about a second."""


class StepStage(StrEnum):
    STARTED = "started"
    """About to act: told before the first command runs."""
    PERFORMED = "performed"
    """Every command ran; told before the phone is asked whether they had an effect."""
    ENDED = "ended"
    """The outcome is known, or known to be unknown."""


class StepEvent(Frozen):
    """One thing the journal must know about a step, told before the next thing happens."""

    stage: StepStage
    index: int
    """Place of the step in its plan."""
    step: Step
    """With the values recorded right before acting: what undo will restore."""
    receipt: Receipt | None = None
    outcome: Outcome | None = None


Record = Callable[[StepEvent], None]
"""Called before each side effect and after it; returns when the event is stored."""

_GONE = (DeviceError, NoDeviceError)


def executor_for(executors: Executors, function: str) -> Executor:
    """The executor of ``function``; ``RefusedError`` when there is none: a call is never faked."""
    if function not in executors:
        raise RefusedError(
            msg("No executor for {function} is installed.", function=function), msg("See `heed functions`.")
        )
    return executors[function]


async def prepare(
    executors: Executors, phone: Device, pool: Pool, calls: Sequence[FunctionCall], now: datetime
) -> Plan:
    """The plan for ``calls`` on ``phone``: validated, probed, with exact commands and risk. Changes nothing.

    Args:
        now: the phone's clock, for relative times.

    Raises:
        UsageError: a call does not fit its spec.
        RefusedError: a call cannot or must not be carried out on this phone now.
        DeviceError, NoDeviceError: the phone does not answer.
    """
    steps = []
    for call in calls:
        checked = validate(pool, call, now)
        preparation = await executor_for(executors, checked.name).prepare(phone, checked)
        steps.append(_judged(pool, checked, preparation))
    return Plan(serial=phone.serial, steps=tuple(steps), prepared_at=now)


def _judged(pool: Pool, call: FunctionCall, preparation: Preparation) -> Step:
    """The step with its risk: that of the call, or more where the executor found a reason."""
    assessment = assess(pool.get(call.name), call)
    risk = max([assessment.risk, *(reason.risk for reason in preparation.reasons)])
    fields = dict(preparation) | {"reasons": (*assessment.reasons, *preparation.reasons)}
    return Step(call=call, risk=risk, **fields)


async def execute(
    executors: Executors, phone: Device, plan: Plan, record: Record, *, patience: Patience | None = None
) -> tuple[Outcome, ...]:
    """Carry out the steps of a consented plan in order; one outcome per step.

    Each step is prepared again first: if it would now be another one than was consented to, nothing happens. The
    first step that does not succeed ends the sequence; the steps after it are refused.

    Raises ``RefusedError`` when the plan is for another phone.
    """
    if phone.serial != plan.serial:
        raise RefusedError(
            msg(
                "You allowed this for the phone {serial}, not for {phone_serial}.",
                serial=plan.serial,
                phone_serial=phone.serial,
            ),
            msg("Ask again."),
        )
    run = _Run(executors, phone, record, patience or Patience())
    blocked = await run.first_blocked(plan.steps) if len(plan.steps) > 1 else None
    if blocked is not None:
        return run.refuse_all(plan.steps, *blocked)
    outcomes: list[Outcome] = []
    for index, step in enumerate(plan.steps):
        outcomes.append(await run.carry_out(index, step))
        if not outcomes[-1].ok:
            return (*outcomes, *run.skip(plan.steps[index + 1 :], index + 1, after=step))
    return tuple(outcomes)


def undoable(plan: Plan, outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Which steps of an executed plan can be undone, the last one first: the order to undo them in."""
    done = [
        index
        for index, (step, outcome) in enumerate(zip(plan.steps, outcomes, strict=True))
        if step.undo and outcome.kind is OutcomeKind.VERIFIED
    ]
    return tuple(reversed(done))


async def undo(
    executors: Executors, phone: Device, step: Step, receipt: Receipt | None, *, patience: Patience | None = None
) -> Outcome:
    """Restore what ``step`` recorded, and verify it.

    Args:
        receipt: what ``PERFORMED`` told; None when the step was interrupted before that.
    """
    if not step.undo:
        return Outcome(kind=OutcomeKind.REFUSED, message=msg("{name} cannot be undone.", name=step.call.name))
    try:
        executor = executor_for(executors, step.call.name)
        known = await executor.recover(phone, step) if receipt is None else receipt
        await executor.undo(phone, step, known)
        outcome = await _settled(lambda: executor.verify_undo(phone, step, known), step, patience or Patience())
        return _telling(outcome, step.undo)
    except RefusedError as error:
        return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
    except RejectedError as error:
        return Outcome(kind=OutcomeKind.FAILED, message=message_of(error))
    except _GONE as error:
        message = msg("Whether {function} was undone is not known: {reason}", function=step.call.name, reason=error)
        return Outcome(kind=OutcomeKind.UNKNOWN, message=message)


async def check(executors: Executors, phone: Device, step: Step, receipt: Receipt | None) -> Outcome:
    """What became of a step that was interrupted: asks the phone, changes nothing, repeats nothing.

    Raises ``DeviceError`` or ``NoDeviceError`` while the phone still does not answer.
    """
    executor = executor_for(executors, step.call.name)
    known = await executor.recover(phone, step) if receipt is None else receipt
    effect = await executor.verify(phone, step, known)
    if effect.ok or not step.undo:
        return _telling(effect, step.effects)
    restored = await executor.verify_undo(phone, step, known)
    if restored.ok:
        return Outcome(kind=OutcomeKind.FAILED, message=msg("It did not take effect."), proof=restored.proof)
    return Outcome(
        kind=OutcomeKind.UNKNOWN,
        message=msg("The phone is neither as before nor as asked: {message}", message=effect.message),
        proof=(*effect.proof, *restored.proof),
    )


class _Run:
    """One execution: what all its steps share."""

    def __init__(self, executors: Executors, phone: Device, record: Record, patience: Patience) -> None:
        self.executors, self.phone, self.record, self.patience = executors, phone, record, patience

    async def first_blocked(self, steps: Sequence[Step]) -> tuple[int, Outcome] | None:
        """The first step that can no longer be carried out as consented, before anything has been done."""
        for index, step in enumerate(steps):
            again = await self.prepare_again(step)
            if isinstance(again, Outcome):
                return index, again
        return None

    async def prepare_again(self, step: Step) -> Step | Outcome:
        """``step`` with values recorded now, or why it must not be carried out."""
        try:
            preparation = await executor_for(self.executors, step.call.name).prepare(self.phone, step.call)
        except (RefusedError, *_GONE) as error:
            return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
        again = step.model_copy(update=dict(preparation) | {"reasons": step.reasons})
        if again.already or again.bound == step.bound:
            return again
        message = msg(
            "{name} was not done: the phone changed since you were asked. Ask for it again.", name=step.call.name
        )
        return Outcome(kind=OutcomeKind.REFUSED, message=message)

    async def carry_out(self, index: int, consented: Step) -> Outcome:
        """Do one step; whatever happens, its outcome is recorded."""
        step = await self.prepare_again(consented)
        if isinstance(step, Outcome):
            return self.end(index, consented, step)
        if step.already:
            return self.end(index, step, Outcome(kind=OutcomeKind.ALREADY))
        self.record(StepEvent(stage=StepStage.STARTED, index=index, step=step))
        try:
            outcome = await self.act(index, step)
        except _GONE as error:
            message = msg(
                "Whether {function} took effect is not known: {reason}", function=step.call.name, reason=error
            )
            outcome = Outcome(kind=OutcomeKind.UNKNOWN, message=message)
        return self.end(index, step, outcome)

    async def act(self, index: int, step: Step) -> Outcome:
        """Perform and verify; put back what was changed in part when it fails."""
        executor = executor_for(self.executors, step.call.name)
        try:
            receipt = await executor.perform(self.phone, step)
        except RefusedError as error:
            return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
        except RejectedError as error:
            if not error.done:
                return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
            return await self.rolled_back(step, None, Outcome(kind=OutcomeKind.FAILED, message=message_of(error)))
        self.record(StepEvent(stage=StepStage.PERFORMED, index=index, step=step, receipt=receipt))
        outcome = await _settled(lambda: executor.verify(self.phone, step, receipt), step, self.patience)
        return await self.rolled_back(step, receipt, outcome) if outcome.kind is OutcomeKind.FAILED else outcome

    async def rolled_back(self, step: Step, receipt: Receipt | None, failed: Outcome) -> Outcome:
        """``failed``, after putting back what a step had changed in part."""
        if not step.undo:
            return failed
        executor = executor_for(self.executors, step.call.name)
        known = await executor.recover(self.phone, step) if receipt is None else receipt
        undone = await executor.verify_undo(self.phone, step, known)
        if not undone.ok:
            undone = await undo(self.executors, self.phone, step, receipt, patience=self.patience)
        told = (
            msg("Nothing is changed.")
            if undone.ok
            else msg("It could not be rolled back: {reason}", reason=undone.message)
        )
        message = sentences(failed.message, told)
        return failed.model_copy(update={"message": message, "proof": (*failed.proof, *undone.proof)})

    def end(self, index: int, step: Step, outcome: Outcome) -> Outcome:
        told = _telling(outcome, step.effects)
        self.record(StepEvent(stage=StepStage.ENDED, index=index, step=step, outcome=told))
        return told

    def skip(self, steps: Sequence[Step], first: int, *, after: Step) -> list[Outcome]:
        """The outcomes of steps that are not begun because ``after`` did not succeed."""
        message = msg("Not begun, because {name} did not succeed.", name=after.call.name)
        return [
            self.end(index, step, Outcome(kind=OutcomeKind.REFUSED, message=message))
            for index, step in enumerate(steps, start=first)
        ]

    def refuse_all(self, steps: Sequence[Step], blocked: int, why: Outcome) -> tuple[Outcome, ...]:
        """Nothing is begun when one of the steps cannot be."""
        name = steps[blocked].call.name
        others = Outcome(
            kind=OutcomeKind.REFUSED, message=msg("Not begun, because {name} cannot be done now.", name=name)
        )
        return tuple(self.end(index, step, why if index == blocked else others) for index, step in enumerate(steps))


def _telling(outcome: Outcome, effects: Sequence[Effect]) -> Outcome:
    """A success that says what is now so: its own words, or those of ``effects``."""
    if not outcome.ok:
        return outcome
    told = outcome.model_copy(update={"told": outcome.told or tuple(effects)})
    return told.model_copy(update={"message": describe_outcome(told, Language.EN)})


async def _settled(look: Callable[[], Awaitable[Outcome]], step: Step, patience: Patience) -> Outcome:
    """The outcome after looking until it is the hoped-for one, and once more to see that it stays."""
    hoped = OutcomeKind.HANDED_OVER if step.hands_over else OutcomeKind.VERIFIED
    clock = asyncio.get_running_loop().time
    end = clock() + patience.deadline
    outcome = await look()
    while outcome.kind is not hoped and clock() < end:
        await asyncio.sleep(patience.interval)
        outcome = await look()
    if outcome.kind is not OutcomeKind.VERIFIED or not patience.settle:
        return outcome
    await asyncio.sleep(patience.settle)
    again = await look()
    if again.kind is OutcomeKind.VERIFIED:
        return again
    message = sentences(msg("The phone put it back at once."), again.message)
    return again.model_copy(update={"kind": OutcomeKind.FAILED, "message": message})
