"""Finds the events that actions react to, and the conditions on these events."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.routines.language.lexicon import Lexicon
from models.routines.language.log_reader import ParsedEntry
from models.routines.mining.habit import OnEvent
from models.routines.mining.history import ActionOccurrence, HabitCandidate, History
from models.routines.mining.likelihood import posterior

MIN_LIKELIHOOD = 0.6
"""Minimum likelihood of a reaction. A common reaction reaches it after one example, any other after three examples
without a miss or five with one."""
_MOST = 0.8
"""A property that at least this share of the events has is a condition of the reaction."""
_MEASURE_SLACK = 2
"""Percentage points added to the largest observed percentage."""


class _Condition(NamedTuple):
    about: frozenset[str]
    familiar: frozenset[str]
    at_most: int | None
    place: str | None


def reactions(
    function: str, done: Sequence[ActionOccurrence], history: History, lexicon: Lexicon
) -> Iterator[HabitCandidate]:
    """Candidates of reactions: per kind of event, the most general condition that is likely enough."""
    prompted = [one for one in done if one.event is not None]
    for kind in dict.fromkeys(one.event.kind for one in prompted if one.event):
        group = [one for one in prompted if one.event and one.event.kind == kind]
        found = _reaction(function, kind, group, history, lexicon)
        if found is not None:
            yield found


def _reaction(
    function: str, kind: str, group: list[ActionOccurrence], history: History, lexicon: Lexicon
) -> HabitCandidate | None:
    answered = {id(one.cause) for one in group}
    for condition in _conditions(group, history):
        events = [reading for reading in history.events(kind) if _meets(condition, reading, history, lexicon)]
        hits = [reading for reading in events if id(reading) in answered]
        likelihood = posterior(
            sum(map(history.weight_of, hits)),
            sum(map(history.weight_of, events)),
            **_prior(function, kind, condition, len(hits), lexicon),
        )
        if likelihood >= MIN_LIKELIHOOD:
            kept = [one for one in group if one.cause is not None and _meets(condition, one.cause, history, lexicon)]
            when = OnEvent(
                event=kind,
                about=condition.about,
                familiar=condition.familiar,
                at_most=condition.at_most,
                place=condition.place,
                likelihood=likelihood,
            )
            return HabitCandidate(when, kept, len(kept), len(events))
    return None


def _conditions(group: Sequence[ActionOccurrence], history: History) -> Iterator[_Condition]:
    """The conditions to try, from the most general: objects in common, then also the place."""
    counts = Counter(name for one in group for name in _about(one))
    about = frozenset(name for name, count in counts.items() if count >= _MOST * len(group))
    familiar = frozenset(counts)
    measures = [one.event.measure for one in group if one.event and one.event.measure is not None]
    at_most = max(measures) + _MEASURE_SLACK if measures else None
    yield _Condition(about, familiar, at_most, None)
    places = Counter(history.place(one.cause) for one in group if one.cause is not None)
    place, count = places.most_common(1)[0]
    if count >= _MOST * len(group):
        yield _Condition(about, familiar, at_most, place)


def _about(one: ActionOccurrence) -> frozenset[str]:
    return one.event.about if one.event else frozenset()


def _meets(condition: _Condition, reading: ParsedEntry, history: History, lexicon: Lexicon) -> bool:
    event = reading.event
    if event is None:
        return False
    measured = condition.at_most is None or event.measure is None or event.measure <= condition.at_most
    there = condition.place is None or history.place(reading) == condition.place
    cautionary = lexicon.has_cautionary(event.about - condition.familiar)
    return condition.about <= event.about and measured and there and not cautionary


def _prior(function: str, kind: str, condition: _Condition, examples: int, lexicon: Lexicon) -> dict[str, float]:
    """The prior of a reaction: mean 0.5 for a common one, 0.2 for any other."""
    common = any(
        known.function == function
        and known.kind == kind
        and set(known.objects) <= condition.about
        and examples >= known.examples
        for known in lexicon.events.common_reactions
    )
    return {"mean": 0.5, "strength": 2.0} if common else {"mean": 0.2, "strength": 2.5}
