"""Compares the decisions of a played day with its answers."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal, NamedTuple

from pydantic import JsonValue

from agent.demo.moment import SuggestedCall
from agent.policy.verdict import Decision
from evaluation.live.arguments import wrong_arguments
from evaluation.live.days import DayAnswer, LiveDay, Source
from evaluation.live.decisions import PlayedDecision
from evaluation.live.play import PlayedDay
from heed.model import Frozen

NEAR = timedelta(seconds=90)
"""How far from an entry a decision on it may be."""

Place = Literal["lookalike", "ordinary", "wrong at a need", "between"]


class ScoredNeed(Frozen):
    """A need, and the suggestion that met it."""

    day: str
    at: str
    source: Source | None
    accept: tuple[str, ...]
    met: bool
    function: str = ""
    parameters: Mapping[str, JsonValue] = {}
    wrong: tuple[str, ...] | None = None
    """Wrong or absent key arguments; None = not met, or nothing is demanded."""
    sentence: str = ""
    answer: str = ""
    outcomes: tuple[str, ...] = ()
    repeats: int = 0
    """Further suggestions for the same need."""
    why: str = ""
    input: str = ""
    rules: tuple[str, ...] = ()
    """The rules of the decisions in the need's window, with the reasons of silence."""


class FalseOffer(Frozen):
    """A suggestion that met no need."""

    day: str
    at: str
    where: Place
    functions: tuple[str, ...]
    parameters: Mapping[str, JsonValue]
    sentence: str
    trigger: str
    rule: str
    answer: str
    input: str = ""
    """The event of the entry at which it was made."""
    why: str = ""


class ScoredDay(Frozen):
    """A played day beside its answers."""

    day: str
    language: str
    needs: tuple[ScoredNeed, ...]
    false: tuple[FalseOffer, ...]
    tolerated: tuple[FalseOffer, ...]
    quiet_moments: int
    questions: int
    milliseconds: tuple[float, ...]
    fault: str


class _Hit(NamedTuple):
    decision: PlayedDecision
    call: SuggestedCall
    wrong: tuple[str, ...] | None


def score(day: LiveDay, played: PlayedDay) -> ScoredDay:
    """Returns what was met, missed and suggested falsely on one day."""
    needs, used = [], set[int]()
    for need in (row for row in day.answers if row.kind == "need"):
        hits = _hits(need, day.answers, played.decisions)
        used |= {id(hit.decision) for hit in hits}
        needs.append(_scored(day, need, hits, played.decisions))
    false: list[FalseOffer] = []
    tolerated: list[FalseOffer] = []
    for decision in played.decisions:
        if decision.spoken and id(decision) not in used:
            row = _nearest(day.answers, decision)
            fine = row is not None and any(name in row.tolerated for name in decision.functions)
            (tolerated if fine else false).append(_false_offer(day, row, decision))
    return ScoredDay(
        day=day.name,
        language=day.scenario.language,
        needs=tuple(needs),
        false=tuple(false),
        tolerated=tuple(tolerated),
        quiet_moments=sum(row.kind != "need" for row in day.answers),
        questions=sum(decision.decision is Decision.ASK for decision in played.decisions),
        milliseconds=played.milliseconds,
        fault=played.fault,
    )


def _hits(need: DayAnswer, answers: Sequence[DayAnswer], decisions: Sequence[PlayedDecision]) -> list[_Hit]:
    """The suggestions of an accepted function in the need's window, without those at a later look-alike."""
    hits: list[_Hit] = []
    for decision in decisions:
        call = next((call for call in decision.calls if call.name in need.accept), None)
        if not decision.spoken or call is None or not _in_window(need, decision):
            continue
        if not _at_look_alike(decision, need, answers, met=bool(hits)):
            hits.append(_Hit(decision, call, wrong_arguments(call, need.key_arguments)))
    return hits


def _in_window(need: DayAnswer, decision: PlayedDecision) -> bool:
    early, late = timedelta(minutes=need.early_minutes), timedelta(minutes=need.late_minutes)
    return need.when - early - NEAR <= decision.at <= need.when + late + NEAR


def _at_look_alike(decision: PlayedDecision, need: DayAnswer, answers: Sequence[DayAnswer], *, met: bool) -> bool:
    """Whether it was made at a later quiet entry that only resembles the need, or after the need was met."""
    return any(
        met or row.like.startswith(need.at)
        for row in answers
        if row.kind != "need" and row.when > need.when and abs(row.when - decision.at) <= NEAR
    )


def _best(hits: Sequence[_Hit]) -> _Hit | None:
    """The first hit with right arguments, or else the first hit."""
    return next((hit for hit in hits if not hit.wrong), hits[0] if hits else None)


def _scored(day: LiveDay, need: DayAnswer, hits: Sequence[_Hit], decisions: Sequence[PlayedDecision]) -> ScoredNeed:
    best = _best(hits)
    scored = ScoredNeed(
        day=day.name,
        at=need.at,
        source=need.source,
        accept=need.accept,
        met=best is not None,
        repeats=max(0, len(hits) - 1),
        why=need.why,
        input=day.input_of(need),
        rules=tuple(f"{one.rule}: {one.reason}" for one in decisions if _in_window(need, one)),
    )
    if best is None:
        return scored
    found = {
        "function": best.call.name,
        "parameters": best.call.parameters,
        "wrong": best.wrong,
        "sentence": best.decision.sentence,
        "answer": best.decision.answer,
        "outcomes": best.decision.outcomes,
    }
    return scored.model_copy(update=found)


def _nearest(answers: Sequence[DayAnswer], decision: PlayedDecision) -> DayAnswer | None:
    """The entry at which a decision was made."""
    near = [row for row in answers if abs(row.when - decision.at) <= NEAR]
    return min(near, key=lambda row: abs(row.when - decision.at), default=None)


def _false_offer(day: LiveDay, row: DayAnswer | None, decision: PlayedDecision) -> FalseOffer:
    return FalseOffer(
        day=day.name,
        at=decision.at.astimezone(day.scenario.start.tzinfo).isoformat(timespec="seconds"),
        where=_place(row),
        functions=decision.functions,
        parameters=decision.calls[0].parameters if decision.calls else {},
        sentence=decision.sentence,
        trigger=decision.trigger,
        rule=decision.rule,
        answer=decision.answer,
        input=day.input_of(row) if row else "",
        why=row.why if row else "",
    )


def _place(row: DayAnswer | None) -> Place:
    if row is None:
        return "between"
    return "wrong at a need" if row.kind == "need" else row.kind
