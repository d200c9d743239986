"""Exports the journal as records of the ProactiveMobile benchmark, in the format of the benchmark's release."""

from typing import Any

from agent.consent.request import Answer
from agent.journal import Journal, TimelineEntry
from collectors.context import Context
from collectors.wording import render
from heed.language import Language

_MAX_ENTRIES = 1_000_000


def benchmark_records(journal: Journal, language: Language) -> list[dict[str, Any]]:
    """Return one record per decision, oldest first, with its context in ``language``.

    The ground truth is the recommendation if the owner allowed it, otherwise none. A question that nobody answered has
    no ground truth and no record.
    """
    entries = (entry for entry in reversed(journal.timeline(_MAX_ENTRIES)) if not _unanswered(entry))
    return [_record(entry, journal.context(entry.decision.context_id), language) for entry in entries]


def _unanswered(entry: TimelineEntry) -> bool:
    return entry.plan is not None and entry.plan.answer == Answer.NO_ANSWER


def _record(entry: TimelineEntry, context: Context, language: Language) -> dict[str, Any]:
    words = render(context, language)
    return {
        "benchmark_metadata": {"id": str(entry.decision.id), "source": "heed journal", "at": context.now.isoformat()},
        "reference_information": {
            "profile": words.profile,
            "phone": words.phone,
            "world": words.world,
            "trace": [*_pictures(context), *words.trace],
        },
        "recommendation": _ground_truth(entry),
    }


def _pictures(context: Context) -> list[dict[str, str]]:
    return [{"source": "picture", "picture": frame.path} for frame in context.frames]


def _ground_truth(entry: TimelineEntry) -> list[dict[str, Any]]:
    answer = entry.plan.answer if entry.plan else None
    if answer is None or not Answer(answer).allows:
        return []
    recommendation = entry.decision.recommendation
    calls = [{"name": call.name, "parameters": dict(call.parameters)} for call in recommendation.calls]
    return [{"instruction": recommendation.rec, "function": calls}]
