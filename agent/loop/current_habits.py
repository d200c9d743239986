"""The habits and situations of the moment: an edit by the owner takes effect at the next decision."""

from collections.abc import Callable, Sequence

from agent.journal import HabitEdits, SituationSwitches
from collectors.context import Context
from function_pool.spec import Pool
from heed.language import Language
from models.reader.reasoner import TextReasoner
from models.reasoner import Recommendation
from models.routines.mining.habit import Habit, edited
from models.routines.reasoner import NAME, RoutinesReasoner
from models.routines.rules.situations import Situation, switched_on

Habits = Callable[[], tuple[Habit, ...]]
"""The habits of this moment."""

Situations = Callable[[], tuple[Situation, ...]]
"""The situations that are on at this moment."""


def with_edits(mined: Habits, edits: HabitEdits) -> Habits:
    """The mined habits with the owner's edits at the time of the call."""
    return lambda: edited(mined(), edits.all())


def with_switches(
    declared: Sequence[Situation], configured: frozenset[str] | None, switches: SituationSwitches
) -> Situations:
    """The declared situations that are on: as the owner switched them last, else as configured, else by default.

    ``UsageError`` when an id is configured that no situation has.
    """
    initially = frozenset(one.id for one in switched_on(declared, configured))

    def on() -> tuple[Situation, ...]:
        said = switches.all()
        return tuple(one for one in declared if said.get(one.id, one.id in initially))

    return on


class CurrentRoutines:
    """The routines, with the habits and situations of the moment, and the reader of incoming texts."""

    def __init__(
        self, habits: Habits, situations: Situations, language: Language, reader: TextReasoner | None = None
    ) -> None:
        self._habits, self._situations, self._language, self._reader = habits, situations, language, reader

    @property
    def name(self) -> str:
        return NAME

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """The recommendation with the highest confidence of a ``RoutinesReasoner`` made now and of the reader."""
        own = RoutinesReasoner(self._habits(), self._situations(), self._language).decide(context, pool, candidates)
        if self._reader is None:
            return own
        return max(own, self._reader.decide(context, pool, candidates), key=_confidence)

    async def close(self) -> None:
        """Nothing to close."""


def _confidence(recommendation: Recommendation) -> float:
    return -1.0 if recommendation.silent else recommendation.confidence or 0.0
