"""heed's decision on a record without a language model.

A record has words, and neither facts nor a log to learn from, so the perceptor decides, at the threshold of its card:
about every second record needs something. The daemon does not let it: among a phone's moments a need is rare, so that
most of what it offered would be false triggers. The reader fills the arguments of the perceptor's likeliest function;
one that cannot be read stays out, even where it is required.
"""

import time
from pathlib import Path

from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.metrics import ProactivePrediction
from evaluation.proactivemobile.run import context_of
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from models.perceptor import Perceptor
from models.reader.context_reader import ContextReader
from models.routines.reasoner import RoutinesReasoner
from models.routines.rules.situations import builtin_situations


class DefaultReasoner:
    """Decides on records: every situation on, no habit learnt, and where those have nothing to say the perceptor."""

    def __init__(self, perceptor: Perceptor, reader: ContextReader) -> None:
        self._perceptor, self._reader = perceptor, reader
        self._reasoner = RoutinesReasoner((), builtin_situations())

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction:
        """What situations propose, or else the perceptor's likeliest function if its gate opens, or silence."""
        start = time.perf_counter()
        seen = self._perceptor.perceive(case.said, pool)
        context = context_of(case.model_copy(update={"pictures": ()}), Path())
        calls = self._reasoner.decide(context, pool, [spec.name for spec in pool]).calls
        if not calls and seen.opens:
            spec = pool.get(seen.candidates[0][0])
            calls = (FunctionCall(name=spec.name, parameters=self._reader.arguments(spec, case.said, case.now)),)
        return ProactivePrediction(
            id=case.id,
            calls=calls,
            candidates=tuple(name for name, _ in seen.candidates),
            p_act=seen.p_act,
            milliseconds=1000 * (time.perf_counter() - start),
        )
