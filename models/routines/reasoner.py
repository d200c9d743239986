"""The routines reasoner: proposes the calls of habits and situations that apply at the current moment."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from collectors.context import Context
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.language import Language
from models.reasoner import Evidence, EvidenceKind, Recommendation, Why, silence
from models.routines.filling import fill
from models.routines.language.current_moment import CurrentMoment, current_moment
from models.routines.language.lexicon import Lexicon, default_lexicon
from models.routines.mining.habit import Habit
from models.routines.mining.matching import is_already_satisfied, likelihood
from models.routines.rules.situations import Situation, SituationMatch, check
from models.routines.wording import habit_reason, habit_sentence, silent_reason, situation_sentence

NAME = "routines"
CITED = 10
"""A recommendation cites at most this many log lines, the latest ones."""


class _Proposal(NamedTuple):
    """A recommendation that could be made now."""

    confidence: float
    recommendation: Recommendation


class RoutinesReasoner:
    """Decides by mined habits and declared situations; the proposal with the highest confidence is recommended.

    Args:
        habits: as mined from the behaviour log, with the owner's edits applied.
        situations: the enabled ones.
        language: of the sentences shown to the owner.
        lexicon: parses the texts of triggers; None = the one that heed ships.
    """

    def __init__(
        self,
        habits: Sequence[Habit],
        situations: Sequence[Situation] = (),
        language: Language = Language.EN,
        lexicon: Lexicon | None = None,
    ) -> None:
        self._habits = tuple(habits)
        self._situations = tuple(situations)
        self._language = language
        self._lexicon = lexicon or default_lexicon()

    @property
    def name(self) -> str:
        return NAME

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """The best proposal whose calls are all among ``candidates``, or silence; ``timeout`` is unused."""
        return self.decide(context, pool, candidates)

    async def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def decide(self, context: Context, pool: Pool, candidates: Sequence[str]) -> Recommendation:
        """The same as ``recommend``, synchronously."""
        moment = current_moment(context, self._lexicon)
        proposals = [
            proposal
            for proposal in (*self._from_habits(moment, pool), *self._from_situations(moment, pool))
            if all(call.name in candidates for call in proposal.recommendation.calls)
        ]
        if not proposals:
            return silence(NAME, self._silent_reason())
        best = max(proposals, key=lambda proposal: proposal.confidence)
        # A habit with the same calls has the owner's own log lines as evidence; those of habits stand first.
        same = (one for one in proposals if _calls(one.recommendation) == _calls(best.recommendation))
        return next(same, best).recommendation

    def _silent_reason(self) -> str:
        name = "nothing_fits" if self._habits or self._situations else "nothing_known"
        return silent_reason(name, self._language, habits=len(self._habits), situations=len(self._situations))

    def _from_habits(self, moment: CurrentMoment, pool: Pool) -> Iterator[_Proposal]:
        for habit in self._habits:
            likely = likelihood(habit, moment, self._lexicon) if habit.function in pool else None
            if likely is None:
                continue
            vocabulary = self._lexicon.vocabulary(pool.get(habit.function))
            call = fill(habit, vocabulary, pool.get(habit.function), moment, self._language)
            if call is not None and not is_already_satisfied(call.parameters, vocabulary, moment):
                yield _Proposal(likely, self._habit_recommendation(habit, call, moment, likely))

    def _habit_recommendation(
        self, habit: Habit, call: FunctionCall, moment: CurrentMoment, likely: float
    ) -> Recommendation:
        facts = dict.fromkeys(basis.fact for bases in call.basis.values() for basis in bases)
        return Recommendation(
            rec=habit_sentence(habit, call, moment, self._language),
            calls=(call,),
            why=Why(
                text=habit_reason(habit, self._language),
                evidence=(*habit.evidence[-CITED:], *_facts(tuple(facts), moment)),
            ),
            confidence=likely,
            reasoner=NAME,
            topic=habit.id,
        )

    def _from_situations(self, moment: CurrentMoment, pool: Pool) -> Iterator[_Proposal]:
        for situation in self._situations:
            match = check(situation, moment)
            if match is not None and all(call.name in pool for call in match.calls):
                yield _Proposal(situation.confidence, self._situation_recommendation(match, moment))

    def _situation_recommendation(self, match: SituationMatch, moment: CurrentMoment) -> Recommendation:
        because = match.because[self._language]
        return Recommendation(
            rec=situation_sentence(because, match.calls, self._language),
            calls=match.calls,
            why=Why(text=because, evidence=_facts(match.facts, moment)),
            confidence=match.situation.confidence,
            reasoner=NAME,
            topic=match.situation.id,
        )


def _calls(recommendation: Recommendation) -> list[tuple[str, Mapping[str, JsonValue]]]:
    return [(call.name, call.parameters) for call in recommendation.calls]


def _facts(names: Sequence[str], moment: CurrentMoment) -> tuple[Evidence, ...]:
    """Evidence for the facts among ``names`` that the context or the trigger's data has."""
    return tuple(
        Evidence(kind=EvidenceKind.FACT, ref=name, text=str(value))
        for name in names
        if (value := _value(name, moment)) is not None
    )


def _value(name: str, moment: CurrentMoment) -> object:
    if name.startswith("trigger."):
        return moment.context.trigger.data.get(name.removeprefix("trigger."))
    return moment.context.value(name)
