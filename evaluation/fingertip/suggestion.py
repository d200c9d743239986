"""The suggestion track: what heed would suggest at the start of an episode, compared with what the user wanted."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from pydantic import JsonValue

from collectors.context import Context, Fact, LogEntry, Section
from collectors.wording import render
from evaluation.embeddings import TextVectors
from evaluation.fingertip.judge import FingertipJudge
from evaluation.fingertip.records import Episode, FingertipData
from evaluation.fingertip.similarity import edit_similarity
from function_pool.spec import Pool
from heed.clock import SystemClock
from heed.errors import ModelError
from heed.language import Language, language_of
from heed.model import Frozen
from heed.trust import Trust
from models.config import ModelsConfig, ReasonerKind
from models.factory import language_model
from models.reasoner import Reasoner
from models.routines.mining.miner import mine
from models.routines.reasoner import RoutinesReasoner

HISTORY = 20
"""So many of the user's earlier intents are shown, as in the benchmark."""
_TIMEOUT = 600.0


class Suggested(Frozen):
    """One episode of the suggestion track.

    Attributes:
        suggestion: heed's sentence; empty for silence.
        similarity: Sim1 of the suggestion; 0 for silence.
        last_similarity: Sim1 of the user's last intent in its place.
        right: the judge's verdict; None without one. Silence is wrong.
        fault: why the reasoner or the judge did not answer.
    """

    user: str
    stamp: str
    intent: str
    suggestion: str
    similarity: float
    last_similarity: float
    right: bool | None = None
    fault: str = ""


def earlier(data: FingertipData, episode: Episode) -> list[Episode]:
    """The user's earlier episodes, oldest first."""
    return [one for one in data.by_user[episode.user] if one.stamp < episode.stamp]


def suggestion_episodes(data: FingertipData) -> list[Episode]:
    """The episodes of the track."""
    if data.suggestion is not None:
        return [one for one in data.episodes if one.key in data.suggestion]
    return [one for one in data.episodes if earlier(data, one)]


def sim1(first: str, second: str, vectors: TextVectors) -> float:
    """(cosine of the sentence embeddings + Levenshtein similarity) / 2; 0 where a text is empty."""
    if not first or not second:
        return 0.0
    return (vectors.cosine(first, second) + edit_similarity(first, second)) / 2


@asynccontextmanager
async def suggesting(config: ModelsConfig, language: Language) -> AsyncIterator[Reasoner | None]:
    """The configured language model, closed at the end; None for the routines, which are mined for each episode."""
    if config.reasoner is ReasonerKind.ROUTINES:
        yield None
        return
    model = language_model(config, render=render, language=language, clock=SystemClock())
    try:
        yield model
    finally:
        await model.close()


async def suggest(
    data: FingertipData, episode: Episode, model: Reasoner | None, pool: Pool, vectors: TextVectors
) -> Suggested:
    """What is suggested at the start of an episode, without screenshots."""
    past = earlier(data, episode)[-HISTORY:]
    log = [LogEntry(time=one.time, location=one.scenario, action=one.intent) for one in past]
    reasoner = model or RoutinesReasoner(mine(log, pool), language=language_of(episode.intent))
    said, fault = "", ""
    try:
        context = _context(episode, log, data.profiles.get(episode.user, {}))
        found = await reasoner.recommend(context, pool, [spec.name for spec in pool], timeout=_TIMEOUT)
        said = "" if found.silent else found.rec
    except ModelError as error:
        fault = str(error)
    last = past[-1].intent if past else ""
    await vectors.add([text for text in (episode.intent, said, last) if text])
    return Suggested(
        user=episode.user,
        stamp=episode.stamp,
        intent=episode.intent,
        suggestion=said,
        similarity=sim1(said, episode.intent, vectors),
        last_similarity=sim1(last, episode.intent, vectors),
        fault=fault,
    )


async def judged(episode: Episode, made: Suggested, judge: FingertipJudge) -> Suggested:
    """The same with the judge's verdict."""
    if not made.suggestion:
        return made.model_copy(update={"right": False})
    try:
        return made.model_copy(update={"right": await judge.suggestion(episode, made.suggestion)})
    except ModelError as error:
        return made.model_copy(update={"fault": str(error)})


def _context(episode: Episode, log: Sequence[LogEntry], profile: Mapping[str, str]) -> Context:
    now = episode.time
    told: list[JsonValue] = [
        {"time": entry.time.isoformat(), "location": entry.location, "action": entry.action} for entry in log
    ]
    known = {f"profile.identity.{name}": value for name, value in profile.items() if value and name != "user_id"}
    facts = {"time.local": now.isoformat(), "time.weekday": f"{now:%a}".lower()}

    def section(values: Mapping[str, JsonValue]) -> Section:
        return Section(
            facts=tuple(
                Fact(name=name, value=value, source="recorded episode", read_at=now, trust=Trust.OWNER)
                for name, value in values.items()
            )
        )

    return Context(
        serial="recorded",
        now=now,
        place=episode.scenario or "unknown",
        profile=section(known),
        world=section(facts),
        trajectory=section({"log.recent": told} if told else {}),
    )
