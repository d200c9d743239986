"""The progress of one phone's agent, as events for the terminal, the console and the demo."""

import logging
from collections.abc import Callable
from datetime import datetime

from agent.consent.request import ConsentRequest, GivenAnswer
from agent.policy.verdict import Verdict
from collectors.context import Context
from executors.plan import Outcome, Step
from heed.messages import Text
from heed.model import Frozen
from models.reasoner import Recommendation

log = logging.getLogger(__name__)


class PhoneProgress(Frozen):
    """The base of all progress events."""

    phone: str = ""
    """The phone's name for the owner."""


class ContextRead(PhoneProgress):
    """A context was read because of its trigger."""

    context: Context


class DecisionMade(PhoneProgress):
    """A decision was recorded."""

    decision_id: int
    recommendation: Recommendation
    verdict: Verdict
    reason: Text
    """The verdict's rule in words."""


class ConsentRequested(PhoneProgress):
    """The owner is being asked."""

    request: ConsentRequest


class ConsentAnswered(PhoneProgress):
    """The owner answered, or nobody did."""

    request: ConsentRequest
    given: GivenAnswer


class StepFinished(PhoneProgress):
    """One step of a plan ended."""

    action_id: int
    step: Step
    outcome: Outcome


class ActionUndone(PhoneProgress):
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


def named(listener: Listener, phone: str) -> Listener:
    """A listener that passes each event on to ``listener`` with the name of the phone.

    What cannot be shown is logged: it must not come between an action and its record.
    """

    def tell(event: ProgressEvent) -> None:
        try:
            listener(event.model_copy(update={"phone": phone}))
        except Exception:
            log.exception("a progress event could not be shown")

    return tell
