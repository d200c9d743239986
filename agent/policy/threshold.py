"""How sure a suggestion must be: the configured bar, moved by what the person said before and by a second opinion."""

from collections.abc import Iterable
from datetime import timedelta

from function_pool.call import FunctionCall
from heed.model import Frozen
from models.reasoner import Recommendation

REMEMBERED = timedelta(days=30)
"""Answers that are older do not move the bar."""
RISE, HIGHEST_RISE = 0.1, 0.3
"""Per answer, from the second "no" more than "yes" on; one "no" only lets the very thing rest."""
FALL, DEEPEST_FALL = 0.02, 0.1
"""Per answer, from the third "yes" more than "no" on."""
DISAGREEMENT = 0.2
"""How much surer a reasoner must be of what habits and situations contradict."""


class Tally(Frozen):
    """How suggestions of one kind were answered; what nobody answered does not count."""

    accepted: int = 0
    rejected: int = 0

    @property
    def shift(self) -> float:
        """What these answers add to the bar (negative: take from it)."""
        more_no, more_yes = self.rejected - self.accepted, self.accepted - self.rejected
        if more_no > 1:
            return min(RISE * (more_no - 1), HIGHEST_RISE)
        return -min(FALL * max(more_yes - 2, 0), DEEPEST_FALL)


def learnt_shift(tallies: Iterable[Tally]) -> float:
    """The shift for a habit and its functions: the most careful of them."""
    return max((tally.shift for tally in tallies), default=0.0)


def contradicts(recommendation: Recommendation, second: Recommendation | None) -> bool:
    """Whether a second opinion proposes something else. Having nothing to propose is no opinion."""
    if second is None or second.silent or recommendation.silent:
        return False
    return not any(_agree(one, other) for one in recommendation.calls for other in second.calls)


def _agree(one: FunctionCall, other: FunctionCall) -> bool:
    """The same function, with no enumerable or other argument that both give and give differently."""
    shared = one.parameters.keys() & other.parameters.keys()
    return one.name == other.name and all(one.parameters[name] == other.parameters[name] for name in shared)


def clears(confidence: float | None, base: float, raised_by: float) -> bool:
    """Whether a confidence is enough. An unknown one is enough for the configured bar, and for no higher one."""
    return raised_by <= 0 if confidence is None else confidence >= min(max(base + raised_by, 0.0), 1.0)
