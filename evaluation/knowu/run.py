"""Play the cases: each starts from the habits of its log alone, proposes or stays silent, and may be rejected."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from collectors.context import Context
from evaluation.knowu.cases import Case, load_log
from evaluation.knowu.metrics import PredictedCall, Prediction
from function_pool.spec import Pool
from models.reasoner import Reasoner, Recommendation
from models.routines.miner import mine
from models.routines.reasoner import RoutinesReasoner

Log = Literal["clean", "noise"]

COOL_DOWN = timedelta(hours=20)
"""A rejected topic may come up again on the next matching day."""
QUIET = timedelta(hours=1)
"""After a rejection the same kind of trigger is answered by nothing at all for so long."""
_TIMEOUT = 60.0


class Restraint:
    """What a rejection silences; a fresh one per case, since memory is reset between cases."""

    def __init__(self) -> None:
        self._rejected: list[tuple[datetime, str, str]] = []

    def reject(self, context: Context, recommendation: Recommendation) -> None:
        """Remember that the owner said no."""
        self._rejected.append((context.now, recommendation.topic, context.trigger.kind))

    def forbids(self, context: Context, recommendation: Recommendation) -> bool:
        """Whether a rejection still stands against proposing this now."""
        return any(
            (topic == recommendation.topic and context.now - when < COOL_DOWN)
            or (kind == context.trigger.kind and context.now - when < QUIET)
            for when, topic, kind in self._rejected
        )


def routines_of(cases: Sequence[Case], folder: Path, log: Log, pool: Pool) -> dict[str, Reasoner]:
    """Per role, the routines reasoner with the habits of its log; situations off, profile not read."""
    paths = {case.role: folder / case.logs[log] for case in cases}
    return {role: RoutinesReasoner(mine(load_log(path), pool)) for role, path in paths.items()}


async def play(cases: Sequence[Case], reasoners: Mapping[str, Reasoner], pool: Pool) -> list[Prediction]:
    """A prediction per case."""
    return [await _play(case, reasoners[case.role], pool) for case in cases]


async def _play(case: Case, reasoner: Reasoner, pool: Pool) -> Prediction:
    restraint = Restraint()
    context = case.context()
    first = await _propose(context, reasoner, pool, restraint)
    if first is None:
        return Prediction(id=case.id, decision="silent")
    after: dict[str, int] = {}
    if case.if_rejected:
        restraint.reject(context, first)
        for step in case.if_rejected[1:]:
            after[step.step] = int(await _propose(case.context(step), reasoner, pool, restraint) is not None)
    return Prediction(
        id=case.id,
        decision="ask",
        functions=tuple(PredictedCall(name=call.name, parameters=call.parameters) for call in first.calls),
        after_reject_actions=after.get("recur_soon"),
        next_day_proposals=after.get("recur_next_match"),
    )


async def _propose(context: Context, reasoner: Reasoner, pool: Pool, restraint: Restraint) -> Recommendation | None:
    """What is proposed to the owner, if anything."""
    candidates = [spec.name for spec in pool]
    recommendation = await reasoner.recommend(context, pool, candidates, timeout=_TIMEOUT)
    silent = recommendation.silent or restraint.forbids(context, recommendation)
    return None if silent else recommendation
