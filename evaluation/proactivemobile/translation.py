"""Records whose answers call another pool's functions, in the names of heed's pool."""

from collections.abc import Sequence

from evaluation.proactivemobile.cases import ProactiveCase
from function_pool.call import FunctionCall
from function_pool.pool_map import PoolMap
from function_pool.spec import Pool


def translated(cases: Sequence[ProactiveCase], table: PoolMap, ours: Pool) -> tuple[ProactiveCase, ...]:
    """The records with translated answers; a call without a counterpart stays, and nothing is equivalent to it."""

    def call_of(call: FunctionCall) -> FunctionCall:
        return table.translated(call, ours) if table.counterpart(call.name) else call

    return tuple(
        case.model_copy(update={"answers": tuple(tuple(map(call_of, answer)) for answer in case.answers)})
        for case in cases
    )


def untranslated(cases: Sequence[ProactiveCase], ours: Pool) -> int:
    """The number of translated records with an answer that calls a function which heed's pool lacks."""
    return sum(any(call.name not in ours for answer in case.answers for call in answer) for case in cases)
