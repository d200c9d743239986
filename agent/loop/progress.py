"""The progress of one phone's agent, as events for the terminal, the console and the demo."""

from collections.abc import Callable
from datetime import datetime

from agent.consent.request import ConsentRequest, GivenAnswer
from agent.policy.verdict import Verdict
from collectors.context import Context
from executors.plan import Outcome, Step
from heed.messages import Text
from heed.model import Frozen
from models.reasoner import Recommendation


class ContextRead(Frozen):
    """A context was read because of its trigger."""

    context: Context


class DecisionMade(Frozen):
    """A decision was recorded."""

    decision_id: int
    recommendation: Recommendation
    verdict: Verdict
    reason: Text
    """The verdict's rule in words."""


class ConsentRequested(Frozen):
    """The owner is being asked."""

    request: ConsentRequest


class ConsentAnswered(Frozen):
    """The owner answered, or nobody did."""

    request: ConsentRequest
    given: GivenAnswer


class StepFinished(Frozen):
    """One step of a plan ended."""

    action_id: int
    step: Step
    outcome: Outcome


class ActionUndone(Frozen):
    """The undo of one action ended."""

    at: datetime
    """The phone's wall clock; usually long after the last context."""
    action_id: int
    step: Step
    outcome: Outcome


ProgressEvent = ContextRead | DecisionMade | ConsentRequested | ConsentAnswered | StepFinished | ActionUndone
Listener = Callable[[ProgressEvent], None]


def every(*listeners: Listener) -> Listener:
    """A listener that passes each event on to all of ``listeners``."""

    def tell(event: ProgressEvent) -> None:
        for listener in listeners:
            listener(event)

    return tell
