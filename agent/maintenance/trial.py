"""Decides on the example moment of a situation with the owner's own configuration; asks and records nothing."""

from collections.abc import Iterable

from agent.compose import Runtime, current_situations, declared_situations
from agent.policy import rules
from agent.policy.verdict import Decision, Rule, Verdict
from collectors.context import Context
from heed.errors import ModelError, UsageError
from heed.messages import msg
from heed.model import Frozen
from models.reasoner import Recommendation, silence
from models.routines.rules.situations import Situation, example_sentence


class SituationTrial(Frozen):
    """The decision on an example moment."""

    situation: str
    is_on: bool
    sentence: str
    """What the situation by itself would ask."""
    context: Context
    recommendation: Recommendation
    verdict: Verdict
    """Without a phone nothing is planned: ``ask`` says that only a plan is missing."""


def situation_named(name: str, known: Iterable[Situation]) -> Situation:
    """The situation with this id, or whose id alone begins like this; ``UsageError`` when there is none."""
    found = [one for one in known if one.id.startswith(name)]
    exact = [one for one in found if one.id == name]
    if len(exact or found) != 1:
        raise UsageError(
            msg("There {value} situation {name!r}.", value=msg("are several") if found else msg("is no"), name=name),
            msg("`heed situations` lists them."),
        )
    return (exact or found)[0]


async def try_situation(runtime: Runtime, name: str) -> SituationTrial:
    """Decide on the example moment of a situation; ``UsageError`` when there is no such situation or no example."""
    config = runtime.config
    situation = situation_named(name, declared_situations(config))
    sentence, example = example_sentence(situation, config.language), situation.example.get(config.language)
    if example is None:
        raise UsageError(
            msg("The situation {name} has no example.", name=situation.id),
            msg("Add one to its file as `example:`; see docs/add-a-situation.md."),
        )
    context = example.context()
    recommendation = await _recommended(runtime, context)
    return SituationTrial(
        situation=situation.id,
        is_on=any(one.id == situation.id for one in current_situations(config, runtime.stores)()),
        sentence=sentence,
        context=context,
        recommendation=recommendation,
        verdict=_verdict(runtime, context, recommendation),
    )


async def _recommended(runtime: Runtime, context: Context) -> Recommendation:
    first, names = runtime.reasoners.first, [spec.name for spec in runtime.pool]
    try:
        timeout = runtime.config.policy.decision_timeout
        return await first.recommend(context, runtime.pool, names, timeout=timeout)
    except ModelError as error:
        return silence(first.name, str(error))


def _verdict(runtime: Runtime, context: Context, recommendation: Recommendation) -> Verdict:
    stores, config = runtime.stores, runtime.config.policy
    reason = rules.check_moment(context, stores, config)
    reason = reason or rules.check_recommendation(recommendation, context.now, stores, config)
    return reason or Verdict(decision=Decision.ASK, rule=Rule.ASK_FIRST)
