"""Reads the decisions of a played day from its journal."""

from pathlib import Path

from pydantic import AwareDatetime

from agent.demo.moment import SuggestedCall, suggested
from agent.journal.records import TimelineEntry
from agent.journal.stores import stores_in
from agent.policy.verdict import Decision
from heed.model import Frozen

_ALL = -1
"""SQLite's LIMIT for no limit."""


class PlayedDecision(Frozen):
    """One decision, its answer and its outcomes."""

    at: AwareDatetime
    trigger: str
    decision: Decision
    rule: str
    reason: str
    sentence: str
    calls: tuple[SuggestedCall, ...]
    answer: str
    """Empty = nobody was asked."""
    outcomes: tuple[str, ...]
    """Per step how it ended, or its state where it did not end."""

    @property
    def spoken(self) -> bool:
        """Whether something was suggested or done."""
        return self.decision is not Decision.SILENT

    @property
    def functions(self) -> tuple[str, ...]:
        """The suggested functions; ``?`` for a suggestion without calls."""
        return tuple(call.name for call in self.calls) or ("?",)


def decisions_in(journal: Path) -> tuple[PlayedDecision, ...]:
    """Returns all decisions of a journal file, oldest first."""
    with stores_in(journal) as stores:
        return tuple(_decision(entry) for entry in reversed(stores.journal.timeline(_ALL)))


def _decision(entry: TimelineEntry) -> PlayedDecision:
    decision = entry.decision
    return PlayedDecision(
        at=decision.at,
        trigger=entry.trigger,
        decision=decision.decision,
        rule=decision.rule,
        reason=str(decision.reason),
        sentence=decision.recommendation.rec,
        calls=suggested(decision.recommendation.calls),
        answer=(entry.plan.answer or "") if entry.plan else "",
        outcomes=tuple(action.outcome.kind if action.outcome else action.state for action in entry.actions),
    )
