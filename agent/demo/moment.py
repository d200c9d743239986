"""The result of one played scenario entry."""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from agent.demo.changes import Change
from agent.demo.progress_recorder import ProgressRecorder
from agent.loop.progress import DecisionMade
from executors.plan import Outcome
from function_pool.call import FunctionCall
from heed.model import Frozen
from virtual_phone.scenario import ScenarioEntry


class SuggestedCall(Frozen):
    """A suggested call, as data."""

    name: str
    parameters: Mapping[str, JsonValue]


class DemoMoment(Frozen):
    """One played entry: what was expected, what heed decided, and what changed on the phone."""

    at: str
    note: str
    expected: str
    """The expected function, ``silence``, or empty for no expectation."""
    decision: str = ""
    reason: str = ""
    sentence: str = ""
    calls: tuple[SuggestedCall, ...] = ()
    """The suggested calls, with placeholders in place of secret arguments."""
    why: str = ""
    evidence: tuple[str, ...] = ()
    answer: str = ""
    outcomes: tuple[Outcome, ...] = ()
    changes: tuple[Change, ...] = ()
    """Changes that heed's action made, from the phone's own state."""
    undone: tuple[Change, ...] = ()
    """Changes that an undo made."""
    as_expected: bool = True


def demo_moment(
    entry: ScenarioEntry,
    at: str,
    recorder: ProgressRecorder,
    *,
    changed: tuple[Change, ...] = (),
    undone: tuple[Change, ...] = (),
) -> DemoMoment:
    """Return the result of ``entry``, played at the time of day ``at``, from the recorded progress."""
    suggestion, decided = recorder.suggestion, recorder.decision_about(entry)
    recommendation = suggestion.recommendation if suggestion else None
    return DemoMoment(
        at=at,
        note=entry.note,
        expected=entry.expect,
        decision=decided.verdict.decision if decided else "",
        reason=decided.reason if decided else "",
        sentence=recommendation.rec if recommendation else "",
        calls=suggested(recommendation.calls) if recommendation else (),
        why=recommendation.why.text if recommendation else "",
        evidence=tuple(item.text for item in recommendation.why.evidence) if recommendation else (),
        answer=recorder.given.answer if recorder.given else "",
        outcomes=tuple(acted.outcome for acted in recorder.acted),
        changes=changed if recorder.acted else (),
        undone=undone,
        as_expected=_as_expected(entry, suggestion),
    )


def suggested(calls: Iterable[FunctionCall]) -> tuple[SuggestedCall, ...]:
    """Return calls as data."""
    return tuple(SuggestedCall(name=call.name, parameters=call.shown) for call in calls)


def _as_expected(entry: ScenarioEntry, suggestion: DecisionMade | None) -> bool:
    if entry.expect in ("", "silence"):
        return suggestion is None
    return suggestion is not None and [call.name for call in suggestion.recommendation.calls] == [entry.expect]
