"""What an act reacts to: a kind of event, and what such events must mention for it to be done."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.routines.language.lexicon import Lexicon
from models.routines.language.log_reader import ParsedEntry
from models.routines.mining.habit import OnEvent
from models.routines.mining.history import ActionOccurrence, HabitCandidate, History
from models.routines.mining.likelihood import posterior

MIN_LIKELIHOOD = 0.6
"""A reaction is proposed from here on: after one clear example where it is what people commonly do, otherwise after
three without, or five with a miss."""
_MOST = 0.8
"""What so many of the events have in common is what the reaction depends on."""
_MEASURE_SLACK = 2
"""Percent: a battery told at 15 may be met at 16 or 17."""


class _Condition(NamedTuple):
    about: frozenset[str]
    familiar: frozenset[str]
    at_most: int | None
    place: str | None


def reactions(
    function: str, done: Sequence[ActionOccurrence], history: History, lexicon: Lexicon
) -> Iterator[HabitCandidate]:
    """The events that acts of one group react to: per kind, the most general condition that holds."""
    prompted = [one for one in done if one.happening is not None]
    for kind in dict.fromkeys(one.happening.kind for one in prompted if one.happening):
        group = [one for one in prompted if one.happening and one.happening.kind == kind]
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
    """From what the events mention in common to where they happened: the first that holds is the most general."""
    counts = Counter(name for one in group for name in _about(one))
    about = frozenset(name for name, count in counts.items() if count >= _MOST * len(group))
    familiar = frozenset(counts)
    measures = [one.happening.measure for one in group if one.happening and one.happening.measure is not None]
    at_most = max(measures) + _MEASURE_SLACK if measures else None
    yield _Condition(about, familiar, at_most, None)
    places = Counter(history.place(one.cause) for one in group if one.cause is not None)
    place, count = places.most_common(1)[0]
    if count >= _MOST * len(group):
        yield _Condition(about, familiar, at_most, place)


def _about(one: ActionOccurrence) -> frozenset[str]:
    return one.happening.about if one.happening else frozenset()


def _meets(condition: _Condition, reading: ParsedEntry, history: History, lexicon: Lexicon) -> bool:
    happening = reading.happening
    if happening is None:
        return False
    measured = condition.at_most is None or happening.measure is None or happening.measure <= condition.at_most
    there = condition.place is None or history.place(reading) == condition.place
    strange = lexicon.is_strange(happening.about - condition.familiar)
    return condition.about <= happening.about and measured and there and not strange


def _prior(function: str, kind: str, condition: _Condition, examples: int, lexicon: Lexicon) -> dict[str, float]:
    """A common reaction is half believed before any example; for another, examples must make the case."""
    common = any(
        known.function == function
        and known.kind == kind
        and set(known.about) <= condition.about
        and examples >= known.examples
        for known in lexicon.events.conventional
    )
    return {"mean": 0.5, "strength": 2.0} if common else {"mean": 0.2, "strength": 2.5}
