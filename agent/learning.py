"""Learnt habits as they are now: an edit of the owner's counts from the next decision on, without a restart."""

from collections.abc import Callable, Sequence

from agent.journal import HabitEdits
from collectors.context import Context
from function_pool.spec import Pool
from heed.language import Language
from models.reasoner import Recommendation
from models.routines.habit import Habit, edited
from models.routines.reasoner import NAME, RoutinesReasoner
from models.routines.situations import Situation

Habits = Callable[[], tuple[Habit, ...]]
"""The habits of this moment."""


def with_edits(mined: tuple[Habit, ...], edits: HabitEdits) -> Habits:
    """The mined habits with whatever the owner has edited by the time they are asked for."""
    return lambda: edited(mined, edits.all())


class LearntReasoner:
    """The reasoner without weights, with the habits of the moment."""

    def __init__(self, habits: Habits, situations: Sequence[Situation], language: Language) -> None:
        self._habits, self._situations, self._language = habits, tuple(situations), language

    @property
    def name(self) -> str:
        return NAME

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """What ``RoutinesReasoner`` recommends now."""
        now = RoutinesReasoner(self._habits(), self._situations, self._language)
        return await now.recommend(context, pool, candidates, timeout=timeout)

    async def close(self) -> None:
        """Nothing to let go of."""
