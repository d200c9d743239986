"""Exports the journal as records in the format of the ProactiveMobile benchmark, for evaluation and for fine-tuning.

A record holds a moment and what the owner answered there. What nobody answered, what the policy decided and what the
owner typed says nothing about what should be suggested, and is left out.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agent.consent.request import Answer
from agent.journal import Journal, TimelineEntry
from agent.policy.verdict import Decision, Rule
from collectors.context import Context, RenderedContext, StoredFrame, TriggerKind
from collectors.wording import picture_places, render
from function_pool.call import FunctionCall
from function_pool.secrets import CONCEALED
from heed.language import Language
from models.prompt.history import HistoryReader

Record = dict[str, Any]
KeepPicture = Callable[[StoredFrame], str]
"""Keeps a picture beside the records and returns its path from there; empty when it is not kept."""
_MAX_ENTRIES = 1_000_000


def no_pictures(frame: StoredFrame) -> str:
    """Keeps no picture."""
    return ""


def benchmark_records(
    journal: Journal,
    language: Language,
    *,
    history: HistoryReader | None = None,
    keep: KeepPicture = no_pictures,
) -> list[Record]:
    """Returns the records of a journal, oldest first.

    Args:
        journal: the journal.
        language: of the words of contexts.
        history: reads the habits and log entries that a prompt quotes; None = records have none.
        keep: keeps the pictures; by default none is kept.
    """
    return [
        _record(entry, context, language, history, keep)
        for entry in reversed(journal.timeline(_MAX_ENTRIES))
        if _says_something(entry) and any((context := journal.context(entry.decision.context_id)).facts())
    ]


def pictures_beside(file: Path) -> KeepPicture:
    """Copies pictures into a folder beside ``file``; those that are no longer stored are not kept."""
    folder = file.parent / f"{file.stem}-pictures"

    def keep(frame: StoredFrame) -> str:
        source = Path(frame.path)
        target = folder / f"{frame.sha256[:16]}{source.suffix}"
        if not source.is_file():
            return ""
        folder.mkdir(exist_ok=True)
        shutil.copyfile(source, target)
        return f"{folder.name}/{target.name}"

    return keep


def _says_something(entry: TimelineEntry) -> bool:
    """Whether it is known what was right: the owner answered, or a reasoner was asked and recommended nothing.

    A call with a concealed argument is left out too: its true argument is not stored.
    """
    if entry.trigger is TriggerKind.COMMAND or any(map(_is_concealed, entry.decision.recommendation.calls)):
        return False
    if entry.decision.decision is Decision.SILENT:
        return entry.decision.rule is Rule.NO_RECOMMENDATION
    return _answer(entry) not in (None, Answer.NO_ANSWER)


def _is_concealed(call: FunctionCall) -> bool:
    return CONCEALED in call.parameters.values()


def _answer(entry: TimelineEntry) -> Answer | None:
    return entry.plan.answer if entry.plan else None


def _record(
    entry: TimelineEntry, context: Context, language: Language, history: HistoryReader | None, keep: KeepPicture
) -> Record:
    words = render(context, language)
    if history is not None:
        words = history.read(context, language).add_to(words)
    answer, recommendation = _answer(entry), entry.decision.recommendation
    proposed = [] if recommendation.silent else [_proposal(entry)]
    allowed = answer is not None and answer.allows
    return {
        "benchmark_metadata": {
            "id": str(entry.decision.id),
            "source": "heed journal",
            "at": context.now.isoformat(),
            "language": language.value,
            "answer": answer or "none",
            "reasoner": recommendation.reasoner,
        },
        "reference_information": _information(words, [*_trace(words, context, language, keep)]),
        "recommendation": proposed if allowed else [],
        **({} if allowed or not proposed else {"declined": proposed}),
    }


def _proposal(entry: TimelineEntry) -> Record:
    recommendation = entry.decision.recommendation
    calls = [{"name": call.name, "parameters": dict(call.parameters)} for call in recommendation.calls]
    return {"instruction": recommendation.rec, "function": calls}


def _information(words: RenderedContext, trace: list[str | dict[str, str]]) -> Record:
    past = {"habits": list(words.habits), "log": list(words.log)}
    return {
        "profile": words.profile,
        "phone": words.phone,
        "world": words.world,
        "trace": trace,
        **{name: lines for name, lines in past.items() if lines},
    }


def _trace(
    words: RenderedContext, context: Context, language: Language, keep: KeepPicture
) -> Iterator[str | dict[str, str]]:
    """The lines of the trace, with each picture where it was taken."""
    places = picture_places(context, language)
    pictures = [(place, path) for frame, place in zip(context.frames, places, strict=True) if (path := keep(frame))]
    for at, line in enumerate(words.trace):
        yield from ({"source": "picture", "picture": path} for place, path in pictures if place == at)
        yield line
