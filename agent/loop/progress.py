"""What the loop tells those who watch it: the terminal, the console, the demo."""

from collections.abc import Callable
from datetime import datetime

from agent.consent.request import ConsentRequest, Given
from agent.policy.rules import Verdict
from collectors.context import Context
from executors.plan import Outcome, Step
from heed.messages import Text
from heed.model import Frozen
from models.reasoner import Recommendation


class Saw(Frozen):
    """Something happened, and this is what is known."""

    context: Context


class Decided(Frozen):
    """What was recommended and what the policy made of it."""

    decision_id: int
    recommendation: Recommendation
    verdict: Verdict
    reason: Text


class Asked(Frozen):
    """The person is being asked."""

    request: ConsentRequest


class Answered(Frozen):
    """The person answered, or did not."""

    request: ConsentRequest
    given: Given


class Acted(Frozen):
    """One step was carried out, or not."""

    action_id: int
    step: Step
    outcome: Outcome


class Undid(Frozen):
    """One action was taken back, or not; long after the last look, mostly."""

    at: datetime
    action_id: int
    step: Step
    outcome: Outcome


Stage = Saw | Decided | Asked | Answered | Acted | Undid
Listener = Callable[[Stage], None]


def every(*listeners: Listener) -> Listener:
    """A listener that tells several."""

    def tell(stage: Stage) -> None:
        for listener in listeners:
            listener(stage)

    return tell
