"""Writes the progress of one plan into the journal."""

from datetime import timedelta

from agent.journal import AgendaKind
from agent.loop.environment import Environment
from agent.loop.progress import StepFinished
from executors.plan import Outcome, OutcomeKind, Plan, Step
from executors.runner import StepEvent, StepStage
from function_pool.secrets import conceal
from heed.messages import msg


class ActionLedger:
    """Records each event of a plan's steps before the next one happens."""

    def __init__(self, environment: Environment, plan: Plan, plan_id: int) -> None:
        self._environment, self._plan, self._plan_id = environment, plan, plan_id
        self._actions: dict[int, int] = {}

    def record(self, event: StepEvent) -> None:
        """Store one event of the runner."""
        action_id = self._action(event)
        if event.stage is StepStage.PERFORMED and event.receipt is not None:
            receipt = conceal(dict(event.receipt), event.step.call.secrets)
            self._environment.stores.journal.performed(action_id, receipt)
        elif event.stage is StepStage.ENDED and event.outcome is not None:
            self._end(action_id, event.step, event.outcome)

    def expire(self, index: int, step: Step) -> Outcome:
        """Store that a step was not begun because the consent had expired."""
        outcome = Outcome(kind=OutcomeKind.REFUSED, message=msg("Your answer has expired. Ask for it again."))
        self.record(StepEvent(stage=StepStage.ENDED, index=index, step=step, outcome=outcome))
        return outcome

    def _action(self, event: StepEvent) -> int:
        """The action's id; its first event makes the row, which for a step that never began is its end."""
        if event.index not in self._actions:
            self._actions[event.index] = self._environment.stores.journal.start_action(
                self._plan_id, event.index, event.step, self._environment.clock.wall()
            )
        return self._actions[event.index]

    def _end(self, action_id: int, step: Step, outcome: Outcome) -> None:
        stores = self._environment.stores
        # An unknown outcome is not stored: the action stays in doubt, and the phone is asked when it is back.
        if outcome.kind is not OutcomeKind.UNKNOWN:
            stores.journal.finish(action_id, outcome)
        if outcome.kind is OutcomeKind.VERIFIED and step.expires_after_minutes is not None:
            due = self._environment.clock.wall() + timedelta(minutes=step.expires_after_minutes)
            stores.agenda.add(due, self._plan.serial, AgendaKind.UNDO, {"action": action_id})
        self._environment.listen(StepFinished(action_id=action_id, step=step, outcome=outcome))
