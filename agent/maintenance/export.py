"""The journal as records of the ProactiveMobile benchmark (format: metrics of the benchmark's release)."""

from typing import Any

from agent.consent.request import Answer
from agent.journal import Journal, TimelineEntry
from collectors.context import Context
from collectors.wording import render
from heed.language import Language

_ALL = 1_000_000


def benchmark_records(journal: Journal, language: Language) -> list[dict[str, Any]]:
    """One record per decision that somebody answered, or at which heed stayed silent, oldest first.

    What was allowed is the ground truth; what was declined, and silence, is "no recommendation".
    """
    entries = reversed(journal.timeline(_ALL))
    return [_record(entry, journal.context(entry.decision.context_id), language) for entry in entries]


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
        "recommendation": _truth(entry),
    }


def _pictures(context: Context) -> list[dict[str, str]]:
    return [{"source": "picture", "picture": frame.path} for frame in context.frames]


def _truth(entry: TimelineEntry) -> list[dict[str, Any]]:
    answer = entry.plan.answer if entry.plan else None
    if answer is None or not Answer(answer).allows:
        return []
    recommendation = entry.decision.recommendation
    calls = [{"name": call.name, "parameters": dict(call.parameters)} for call in recommendation.calls]
    return [{"instruction": recommendation.rec, "function": calls}]
