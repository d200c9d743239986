"""The threshold: the confidence that a recommendation must reach.

The configured one is moved by earlier answers and by a second opinion.
"""

from collections.abc import Iterable
from datetime import timedelta

from function_pool.call import FunctionCall
from heed.model import Frozen
from models.reasoner import Recommendation

REMEMBERED = timedelta(days=30)
"""Older answers do not move the threshold."""
RISE, HIGHEST_RISE = 0.1, 0.3
"""Per rejection, from the second one more than acceptances on; a single one only starts a cool-down."""
FALL, DEEPEST_FALL = 0.02, 0.1
"""Per acceptance, from the third one more than rejections on."""
DISAGREEMENT = 0.2
"""Added to the threshold where habits and situations contradict the recommendation."""


class Tally(Frozen):
    """Answers to suggestions of one kind; questions that nobody answered are not counted."""

    accepted: int = 0
    rejected: int = 0

    @property
    def shift(self) -> float:
        """The shift of the threshold that these answers cause; negative lowers it."""
        more_no, more_yes = self.rejected - self.accepted, self.accepted - self.rejected
        if more_no > 1:
            return min(RISE * (more_no - 1), HIGHEST_RISE)
        return -min(FALL * max(more_yes - 2, 0), DEEPEST_FALL)


def learned_shift(tallies: Iterable[Tally]) -> float:
    """The shift for a habit and its functions: the largest of theirs."""
    return max((tally.shift for tally in tallies), default=0.0)


def contradicts(recommendation: Recommendation, second: Recommendation | None) -> bool:
    """Whether a second opinion recommends something else; silence contradicts nothing."""
    if second is None or second.silent or recommendation.silent:
        return False
    return not any(_agree(one, other) for one in recommendation.calls for other in second.calls)


def _agree(one: FunctionCall, other: FunctionCall) -> bool:
    """The same function, without an argument that both give differently."""
    shared = one.parameters.keys() & other.parameters.keys()
    return one.name == other.name and all(one.parameters[name] == other.parameters[name] for name in shared)


def reaches(confidence: float | None, base: float, raised_by: float) -> bool:
    """Whether a confidence reaches the threshold. An unknown one reaches the configured threshold and no higher one."""
    return raised_by <= 0 if confidence is None else confidence >= min(max(base + raised_by, 0.0), 1.0)
