"""The reward of an answer: whether it can be read, names the right functions and gives the right arguments.

A call where silence is right costs as much as a perfect answer earns: a false trigger disturbs the owner.
"""

from collections.abc import Sequence

from evaluation.proactivemobile.matching import equivalent
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import validate
from heed.errors import HeedError
from heed.model import Frozen
from models.grammar import OutputFormat
from models.output import parse

Calls = Sequence[FunctionCall]


class RewardWeights(Frozen):
    """What the parts of an answer earn; a perfect one earns the sum of the first three."""

    parses: float = 0.2
    """An answer in the format, with calls that the pool allows; any other earns nothing at all."""
    names: float = 0.3
    """Times F1 of the functions' names; silence where silence is right counts as 1."""
    arguments: float = 0.5
    """Times the share of wanted calls whose arguments are right (as ``heed eval`` leniently counts)."""
    false_trigger: float = 1.0
    """Taken away for calls where silence is right."""


class Reward:
    """Judges answers in one format for one pool."""

    def __init__(self, pool: Pool, output: OutputFormat, weights: RewardWeights | None = None) -> None:
        self._pool, self._output = pool, output
        self._weights = weights or RewardWeights()

    def of(self, answer: str, wanted: Calls) -> float:
        """The reward of an answer where the calls ``wanted`` are right (none = silence)."""
        weights = self._weights
        try:
            calls = [validate(self._pool, call) for call in parse(answer, self._output).calls]
        except HeedError:
            return 0.0
        if not wanted:
            right = weights.names + weights.arguments
            return weights.parses + (right if not calls else -weights.false_trigger)
        return weights.parses + weights.names * _f1(calls, wanted) + weights.arguments * self._filled(calls, wanted)

    def _filled(self, calls: Calls, wanted: Calls) -> float:
        right = [any(equivalent([call], [one], self._pool, None, lenient=True) for call in calls) for one in wanted]
        return sum(right) / max(len(wanted), len(calls))


def _f1(calls: Calls, wanted: Calls) -> float:
    named, right = {call.name for call in calls}, {call.name for call in wanted}
    return 2 * len(named & right) / (len(named) + len(right))
