"""Writes the progress of one plan into the journal."""

import logging

from agent.journal import ActionState, AfterRecord, JournalError, TimedUndo
from agent.loop.environment import Environment
from agent.loop.progress import StepFinished
from executors.plan import Outcome, OutcomeKind, Plan, Step
from executors.runner import StepEvent, StepStage
from function_pool.secrets import conceal
from heed.messages import Text

log = logging.getLogger(__name__)

_RECEIPT_STATES = {StepStage.PROGRESSED: ActionState.STARTED, StepStage.PERFORMED: ActionState.PERFORMED}
"""The state of the action whose receipt an event brings."""


class ActionLedger:
    """Records each event of a plan's steps before the next one happens."""

    def __init__(self, environment: Environment, plan: Plan, plan_id: int) -> None:
        self._environment, self._plan, self._plan_id = environment, plan, plan_id
        self._actions: dict[int, int] = {}

    def record(self, event: StepEvent) -> None:
        """Store one event of the runner; ``JournalError`` when a step that is about to begin cannot be announced."""
        if event.stage is StepStage.STARTED:
            self._announce(event)
        elif event.stage in _RECEIPT_STATES and event.receipt is not None:
            receipt = conceal(dict(event.receipt), event.step.call.secrets)
            state = _RECEIPT_STATES[event.stage]
            self._environment.stores.after.write(
                AfterRecord(action=self._actions[event.index], state=state, receipt=receipt)
            )
        elif event.stage is StepStage.ENDED and event.outcome is not None:
            self._end(event, event.outcome)

    def refuse(self, reason: Text) -> tuple[Outcome, ...]:
        """Store and tell that the steps that were not begun will not be; the outcome of each."""
        outcome = Outcome(kind=OutcomeKind.REFUSED, message=reason)
        left = [(index, step) for index, step in enumerate(self._plan.steps) if index not in self._actions]
        for index, step in left:
            self.record(StepEvent(stage=StepStage.ENDED, index=index, step=step, outcome=outcome))
        return (outcome,) * len(left)

    def _announce(self, event: StepEvent) -> int:
        journal, at = self._environment.stores.journal, self._environment.clock.wall()
        self._actions[event.index] = journal.start_action(self._plan_id, event.index, event.step, at)
        return self._actions[event.index]

    def _end(self, event: StepEvent, outcome: Outcome) -> None:
        action_id = self._ended_action(event)
        # An unknown outcome is not stored: the action stays in doubt, and the phone is asked when it is back.
        if action_id and outcome.kind is not OutcomeKind.UNKNOWN:
            self._environment.stores.after.write(
                finished(self._environment, action_id, event.step, outcome, self._environment.stores.elapsed.now())
            )
        self._environment.listen(StepFinished(action_id=action_id, step=event.step, outcome=outcome))

    def _ended_action(self, event: StepEvent) -> int:
        """The action's id. For a step that never began its end makes the row; 0 when the journal cannot take it."""
        if event.index in self._actions:
            return self._actions[event.index]
        try:
            return self._announce(event)
        except JournalError as error:
            log.error("%s was not begun, which the journal cannot record: %s", event.step.call.name, error)
            return 0


def finished(
    environment: Environment,
    action_id: int,
    step: Step,
    outcome: Outcome,
    done_at: float,
    state: ActionState = ActionState.FINISHED,
) -> AfterRecord:
    """The record of an action that was done at an elapsed time, with the undo that is due a stated time later."""
    undo = None
    if outcome.kind is OutcomeKind.VERIFIED and step.expires_after_minutes is not None:
        due = done_at + 60.0 * step.expires_after_minutes
        undo = TimedUndo(due=due, phone_id=environment.phone.id)
    return AfterRecord(action=action_id, state=state, outcome=outcome, timed_undo=undo)
