"""Carries out a plan: prepare, perform, verify, roll back; later undo, or check an interrupted step."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from android_bridge.device import Device
from android_bridge.identity import OtherPhoneError
from executors.executor import AskOwner, Executor, Receipt, RefusedError, RejectedError
from executors.plan import Effect, Outcome, OutcomeKind, Plan, Preparation, Step
from executors.wording import describe_outcome
from function_pool.assessment import assess
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.errors import DeviceError, NoDeviceError, PersonError
from heed.language import Language
from heed.messages import message_of, msg, sentences
from heed.model import Frozen

Executors = Mapping[str, Executor]


class VerifyTiming(Frozen):
    """How long verification waits for an effect and how long the effect must stay; seconds."""

    deadline: float = 5.0
    """Longest wait for the effect, times ``Executor.patience``."""
    interval: float = 0.2
    """Pause between two reads of the phone."""
    settle: float = 1.2
    """Pause before the last read; a phone that reverts a value does so within about a second."""


class StepStage(StrEnum):
    """The progress of a step that the journal records."""

    STARTED = "started"
    """Reported before the first command runs."""
    PROGRESSED = "progressed"
    """A part of the step is about to be done; the receipt says which."""
    PERFORMED = "performed"
    """Every command ran; reported before the effect is verified."""
    ENDED = "ended"
    """The step has an outcome, possibly ``UNKNOWN``."""


class StepEvent(Frozen):
    """The progress of one step, to be stored before the runner goes on."""

    stage: StepStage
    index: int
    """Index of the step in its plan, from 0."""
    step: Step
    """The step with the values recorded right before acting, which undo restores."""
    receipt: Receipt | None = None
    """Set from ``PROGRESSED`` on."""
    outcome: Outcome | None = None
    """Set with ``ENDED``."""


StepRecorder = Callable[[StepEvent], None]
"""Called before and after each side effect; returns when the event is stored.

A ``PersonError`` for ``STARTED`` says that it cannot be stored: the step is refused."""

_GONE = (DeviceError, NoDeviceError)


def executor_for(executors: Executors, function: str) -> Executor:
    """Returns the executor of ``function``; raises ``RefusedError`` when none is installed."""
    if function not in executors:
        raise RefusedError(
            msg("No executor for {function} is installed.", function=function), msg("See `heed functions`.")
        )
    return executors[function]


async def prepare(
    executors: Executors, phone: Device, pool: Pool, calls: Sequence[FunctionCall], now: datetime
) -> Plan:
    """Returns the plan for ``calls`` on ``phone``: validated, with exact commands and risk. Changes nothing.

    Args:
        executors: the executors by function name (``executors.registry.load_executors``).
        phone: the phone to read.
        pool: the specs that the calls are validated against.
        calls: the calls in the order of the steps.
        now: the phone's clock, timezone-aware; relative times are resolved against it.

    Raises:
        UsageError: a call does not fit its spec.
        RefusedError: a call cannot or must not be carried out on this phone now.
        DeviceError, NoDeviceError: the phone does not answer.
    """
    identity = await phone.identify()
    steps = []
    for call in calls:
        checked = validate(pool, call, now)
        preparation = await executor_for(executors, checked.name).prepare(phone, checked)
        steps.append(_judged(pool, checked, preparation))
    salt = secrets.token_hex(16) if any(step.call.secret for step in steps) else ""
    return Plan(serial=phone.serial, phone=identity, steps=tuple(steps), prepared_at=now, salt=salt)


def _judged(pool: Pool, call: FunctionCall, preparation: Preparation) -> Step:
    """Returns the step with its risk: that of the call, or a higher one for a reason of the executor."""
    assessment = assess(pool.get(call.name), call)
    risk = max([assessment.risk, *(reason.risk for reason in preparation.reasons)])
    fields = dict(preparation) | {"reasons": (*assessment.reasons, *preparation.reasons)}
    return Step(call=call, risk=risk, **fields)


async def execute(
    executors: Executors,
    phone: Device,
    plan: Plan,
    record: StepRecorder,
    *,
    timing: VerifyTiming | None = None,
    ask: AskOwner | None = None,
) -> tuple[Outcome, ...]:
    """Carries out the steps of a consented plan in order and returns one outcome per step.

    Each step is prepared again first and refused if it differs from the consented one. The first step that does not
    succeed ends the sequence; the steps after it are refused. Errors of the phone become outcomes.

    Args:
        executors: the executors by function name.
        phone: the phone to act on.
        plan: the plan that the owner consented to.
        record: stores each event before the next side effect.
        timing: deadlines of the verification; by default those of ``VerifyTiming``.
        ask: asks the owner about a part that the consent does not cover; None where nobody can be asked.

    Raises ``RefusedError`` when the plan is for another address.
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
    run = _Run(executors, phone, record, timing or VerifyTiming(), ask)
    elsewhere = await _elsewhere(phone, plan)
    if elsewhere is not None:
        return tuple(run.end(index, step, elsewhere) for index, step in enumerate(plan.steps))
    blocked = await run.first_blocked(plan.steps) if len(plan.steps) > 1 else None
    if blocked is not None:
        return run.refuse_all(plan.steps, *blocked)
    outcomes: list[Outcome] = []
    for index, step in enumerate(plan.steps):
        outcomes.append(await run.carry_out(index, step))
        if not outcomes[-1].ok:
            return (*outcomes, *run.skip(plan.steps[index + 1 :], index + 1, after=step))
    return tuple(outcomes)


async def _elsewhere(phone: Device, plan: Plan) -> Outcome | None:
    """Returns the refusal when the phone that answers is not the one, or not in the build, that was consented to."""
    try:
        now = await phone.identify()
    except _GONE as error:
        return Outcome(kind=OutcomeKind.REFUSED, message=error.text)
    if now == plan.phone:
        return None
    return Outcome(kind=OutcomeKind.REFUSED, message=OtherPhoneError(phone.serial, now).text)


def undoable(plan: Plan, outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Returns the indexes of the steps that can be undone, in the order in which to undo them (last first).

    Args:
        plan: the executed plan.
        outcomes: what ``execute`` returned for it.
    """
    done = [
        index
        for index, (step, outcome) in enumerate(zip(plan.steps, outcomes, strict=True))
        if step.undo and outcome.kind is OutcomeKind.VERIFIED
    ]
    return tuple(reversed(done))


async def undo(
    executors: Executors, phone: Device, step: Step, receipt: Receipt | None, *, timing: VerifyTiming | None = None
) -> Outcome:
    """Restores what ``step`` recorded, verifies it and returns the outcome; errors of the phone become outcomes.

    Args:
        executors: the executors by function name.
        phone: the phone to act on.
        step: the step as recorded with ``STARTED``.
        receipt: the receipt of ``PERFORMED``; None when the step was interrupted before that.
        timing: deadlines of the verification; by default those of ``VerifyTiming``.
    """
    if not step.undo:
        return Outcome(kind=OutcomeKind.REFUSED, message=msg("{name} cannot be undone.", name=step.call.name))
    try:
        executor = executor_for(executors, step.call.name)
        known = await executor.recover(phone, step) if receipt is None else receipt
        await executor.undo(phone, step, known)
        patient = _patient(timing or VerifyTiming(), executor)
        outcome = await _settled(lambda: executor.verify_undo(phone, step, known), step, patient)
        return _telling(outcome, step.undo)
    except RefusedError as error:
        return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
    except RejectedError as error:
        return Outcome(kind=OutcomeKind.FAILED, message=message_of(error))
    except _GONE as error:
        message = msg("Whether {function} was undone is not known: {reason}", function=step.call.name, reason=error)
        return Outcome(kind=OutcomeKind.UNKNOWN, message=message)


async def resume_undo(
    executors: Executors, phone: Device, step: Step, receipt: Receipt | None, *, timing: VerifyTiming | None = None
) -> Outcome:
    """Finishes an undo that was interrupted: reads whether the phone is as recorded, and restores it where it is not.

    Takes the arguments of ``undo`` and returns the outcome of the undo; ``UNKNOWN`` while the phone does not answer.
    """
    try:
        executor = executor_for(executors, step.call.name)
        known = await executor.recover(phone, step) if receipt is None else receipt
        restored = await executor.verify_undo(phone, step, known)
    except _GONE as error:
        message = msg("Whether {function} was undone is not known: {reason}", function=step.call.name, reason=error)
        return Outcome(kind=OutcomeKind.UNKNOWN, message=message)
    except RefusedError as error:
        return Outcome(kind=OutcomeKind.REFUSED, message=error.text)
    if restored.ok:
        return _telling(restored, step.undo)
    return await undo(executors, phone, step, receipt, timing=timing)


async def check(executors: Executors, phone: Device, step: Step, receipt: Receipt | None) -> Outcome:
    """Returns the outcome of an interrupted step, read from the phone; changes and repeats nothing.

    Args:
        executors: the executors by function name.
        phone: the phone to read.
        step: the step as recorded with ``STARTED``.
        receipt: the receipt of ``PERFORMED``; None when the step was interrupted before that.

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
    """The execution of one plan."""

    def __init__(
        self, executors: Executors, phone: Device, record: StepRecorder, timing: VerifyTiming, ask: AskOwner | None
    ) -> None:
        self.executors, self.phone, self.record, self.timing, self.ask = executors, phone, record, timing, ask

    async def first_blocked(self, steps: Sequence[Step]) -> tuple[int, Outcome] | None:
        """Returns index and refusal of the first step that can no longer be carried out as consented."""
        for index, step in enumerate(steps):
            again = await self.prepare_again(step)
            if isinstance(again, Outcome):
                return index, again
        return None

    async def prepare_again(self, step: Step) -> Step | Outcome:
        """Returns ``step`` with values recorded now, or the refusal."""
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
        """Carries out one step and records its outcome."""
        step = await self.prepare_again(consented)
        if isinstance(step, Outcome):
            return self.end(index, consented, step)
        if step.already:
            return self.end(index, step, Outcome(kind=OutcomeKind.ALREADY))
        try:
            self.record(StepEvent(stage=StepStage.STARTED, index=index, step=step))
        except PersonError as error:
            # What cannot be announced is not begun.
            return self.end(index, step, Outcome(kind=OutcomeKind.REFUSED, message=error.text))
        try:
            outcome = await self.act(index, step)
        except _GONE as error:
            message = msg(
                "Whether {function} took effect is not known: {reason}", function=step.call.name, reason=error
            )
            outcome = Outcome(kind=OutcomeKind.UNKNOWN, message=message)
        return self.end(index, step, outcome)

    async def act(self, index: int, step: Step) -> Outcome:
        """Performs and verifies; rolls back a step that changed only a part."""
        executor = executor_for(self.executors, step.call.name)
        try:
            receipt = await executor.perform_noting(
                self.phone, step, lambda known: self.note(index, step, known), self.ask
            )
        except RefusedError as error:
            return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
        except RejectedError as error:
            if not error.done:
                return Outcome(kind=OutcomeKind.REFUSED, message=message_of(error))
            return await self.rolled_back(step, None, Outcome(kind=OutcomeKind.FAILED, message=message_of(error)))
        self.record(StepEvent(stage=StepStage.PERFORMED, index=index, step=step, receipt=receipt))
        patient = _patient(self.timing, executor)
        outcome = await _settled(lambda: executor.verify(self.phone, step, receipt), step, patient)
        return await self.rolled_back(step, receipt, outcome) if outcome.kind is OutcomeKind.FAILED else outcome

    def note(self, index: int, step: Step, known: Receipt) -> None:
        """Records what is known before the next part of a step."""
        self.record(StepEvent(stage=StepStage.PROGRESSED, index=index, step=step, receipt=known))

    async def rolled_back(self, step: Step, receipt: Receipt | None, failed: Outcome) -> Outcome:
        """Returns ``failed``, after undoing what the step had changed."""
        if not step.undo:
            return failed
        executor = executor_for(self.executors, step.call.name)
        known = await executor.recover(self.phone, step) if receipt is None else receipt
        undone = await executor.verify_undo(self.phone, step, known)
        if not undone.ok:
            undone = await undo(self.executors, self.phone, step, receipt, timing=self.timing)
        told = (
            msg("Nothing is changed.")
            if undone.ok
            else msg("It could not be rolled back: {reason}", reason=undone.message)
        )
        message = sentences(failed.message, told)
        return failed.model_copy(update={"message": message, "proof": (*failed.proof, *undone.proof)})

    def end(self, index: int, step: Step, outcome: Outcome) -> Outcome:
        told = _telling(outcome, step.effects).without(step.call.secrets)
        self.record(StepEvent(stage=StepStage.ENDED, index=index, step=step, outcome=told))
        return told

    def skip(self, steps: Sequence[Step], first: int, *, after: Step) -> list[Outcome]:
        """Records and returns the refusals of the steps after ``after``, which did not succeed."""
        message = msg("Not begun, because {name} did not succeed.", name=after.call.name)
        return [
            self.end(index, step, Outcome(kind=OutcomeKind.REFUSED, message=message))
            for index, step in enumerate(steps, start=first)
        ]

    def refuse_all(self, steps: Sequence[Step], blocked: int, why: Outcome) -> tuple[Outcome, ...]:
        """Records and returns the refusals of all steps, because the step ``blocked`` cannot be carried out."""
        name = steps[blocked].call.name
        others = Outcome(
            kind=OutcomeKind.REFUSED, message=msg("Not begun, because {name} cannot be done now.", name=name)
        )
        return tuple(self.end(index, step, why if index == blocked else others) for index, step in enumerate(steps))


def _telling(outcome: Outcome, effects: Sequence[Effect]) -> Outcome:
    """Returns a success with its effects in words: its own, or else ``effects``."""
    if not outcome.ok:
        return outcome
    told = outcome.model_copy(update={"told": outcome.told or tuple(effects)})
    return told.model_copy(update={"message": describe_outcome(told, Language.EN)})


def _patient(timing: VerifyTiming, executor: Executor) -> VerifyTiming:
    """Returns the timing with the deadline that the executor's effects need."""
    return timing.model_copy(update={"deadline": timing.deadline * executor.patience})


async def _settled(read: Callable[[], Awaitable[Outcome]], step: Step, timing: VerifyTiming) -> Outcome:
    """Returns the outcome after reading until it is the wanted one, and once more to see that it stays."""
    wanted = OutcomeKind.HANDED_OVER if step.hands_over else OutcomeKind.VERIFIED
    clock = asyncio.get_running_loop().time
    end = clock() + timing.deadline
    outcome = await read()
    while outcome.kind is not wanted and clock() < end:
        await asyncio.sleep(timing.interval)
        outcome = await read()
    if outcome.kind is not OutcomeKind.VERIFIED or not timing.settle:
        return outcome
    await asyncio.sleep(timing.settle)
    again = await read()
    if again.kind is OutcomeKind.VERIFIED:
        return again
    message = sentences(msg("The phone put it back at once."), again.message)
    return again.model_copy(update={"kind": OutcomeKind.FAILED, "message": message})
