"""The records that the journal returns."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import JsonValue

from agent.consent.request import Answer
from agent.policy.verdict import Decision, Rule
from collectors.context import TriggerKind
from executors.guided import progress_in
from executors.plan import Outcome, Plan, Step
from executors.steps.pictures import ScreenPicture
from heed.messages import Text
from heed.model import Frozen
from models.reasoner import Recommendation


class ActionState(StrEnum):
    """The progress of one action. Each state is written before what it announces happens."""

    STARTED = "started"
    """About to run; if it stays so, heed died and the phone must be asked."""
    PERFORMED = "performed"
    """The commands ran; the effect was not verified yet."""
    FINISHED = "finished"
    """The outcome is known."""
    UNDOING = "undoing"
    """About to be undone; if it stays so, the phone must be asked."""
    UNDONE = "undone"
    INTERRUPTED = "interrupted"
    """Started, not finished, and what the phone shows is in the outcome."""


class DecisionRecord(Frozen):
    """One decision: what was recommended and what the policy made of it."""

    id: int
    context_id: int
    at: datetime
    decision: Decision
    rule: Rule
    reason: Text
    recommendation: Recommendation


class PlanRecord(Frozen):
    """One plan, and the answer it got."""

    id: int
    decision_id: int | None
    plan: Plan
    """With placeholders in place of secret arguments."""
    hash: str
    """What the answer binds to, as it was recorded."""
    answer: Answer | None = None
    channel: str | None = None
    answered_at: datetime | None = None


class ActionRecord(Frozen):
    """One step that was carried out, or begun."""

    id: int
    plan_id: int
    step_index: int
    step: Step
    """With the values recorded right before acting."""
    serial: str
    """The address at which the phone was reached."""
    phone_id: str
    """The key of the phone; the address in rows from before phones were told apart."""
    state: ActionState
    at: datetime
    elapsed: float
    """When it began, in elapsed time."""
    receipt: Mapping[str, JsonValue] | None
    """What undo needs from perform; None when it was interrupted before that was known."""
    outcome: Outcome | None
    undo_outcome: Outcome | None
    undone_at: datetime | None = None
    """When its undo ended; None in rows from before that was recorded."""

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to restore: undoable, and not undone or without effect already."""
        return bool(self.step.undo) and self.state in (ActionState.FINISHED, ActionState.INTERRUPTED)


class TimelineEntry(Frozen):
    """One decision with everything that followed from it, for listings."""

    decision: DecisionRecord
    serial: str
    phone_id: str
    """The key of the phone; the address in rows from before phones were told apart."""
    trigger: TriggerKind
    plan: PlanRecord | None = None
    actions: tuple[ActionRecord, ...] = ()
    within: tuple[PlanRecord, ...] = ()
    """The questions about last buttons that were asked while the plan was carried out, with their answers."""

    @property
    def pictures(self) -> tuple[ScreenPicture, ...]:
        """The pictures that runs on the screen were shown, and those of questions about last buttons, in order."""
        runs = (progress for action in self.actions if (progress := progress_in(action.receipt)))
        shown = [done.picture for run in runs for done in run.did]
        asked = [step.press.picture for record in self.within for step in record.plan.steps if step.press]
        return (*shown, *asked)
