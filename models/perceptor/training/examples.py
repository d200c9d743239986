"""Records as what the training looks at, and what is changed in them from round to round."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from collectors.context import RenderedContext
from models.perceptor.features import phrases

_STEPS, _FACTS = (0, 0, 1, 2, 3), (0, 0, 1, 2)
"""How many strange steps and facts come in, one of these."""
_LATEST = 0.85
"""Strange steps stand before this part of the trace: its end is what just happened."""
_DROPPED, _WORLDLESS = 0.12, 0.15
"""How often a step that all have, and the world, is left out."""


GRAMMAR = "grammar"
"""Who "writes" generated records."""


class Example(NamedTuple):
    """A record."""

    said: RenderedContext
    needed: bool
    about: tuple[int, ...]
    """Numbers of the functions that help together, or of the one that the look-alike resembles."""
    language: str
    writer: str
    moment: str
    gist: str
    """The offer, or what makes silence right."""


Moment = Sequence[Example]
"""A need and its look-alikes; a record that stands alone teaches which function it is about, and nothing else."""


class Strange(NamedTuple):
    """Steps and facts that have nothing to do with a moment, of one language."""

    steps: Sequence[str]
    facts: Sequence[str]


def examples(records: Iterable[Mapping[str, Any]], functions: Sequence[str]) -> list[Example]:
    """The records as examples; ``functions`` gives the numbers."""
    made = []
    for record in records:
        told, said = record["benchmark_metadata"], record["reference_information"]
        calls = [call["name"] for answer in record["recommendation"] for call in answer["function"]]
        made.append(
            Example(
                said=RenderedContext.model_validate({**said, "trace": tuple(said["trace"])}),
                needed=bool(calls),
                about=tuple(map(functions.index, calls or [told["template"].split("/")[0]])),
                language=told["language"],
                writer=told.get("writer", GRAMMAR),
                moment=told.get("moment", told["id"]),
                gist=told.get("why") or record["recommendation"][0]["instruction"],
            )
        )
    return made


def moments(found: Iterable[Example]) -> list[Moment]:
    """Each need with its look-alikes."""
    together: dict[str, list[Example]] = defaultdict(list)
    for one in found:
        together[one.moment].append(one)
    return list(together.values())


def strange(found: Iterable[Example]) -> dict[str, Strange]:
    """By language, what calm moments say: nothing of it is a need by itself."""
    by_language: dict[str, list[Example]] = defaultdict(list)
    for one in found:
        if not one.needed:
            by_language[one.language].append(one)
    return {
        language: Strange(
            [step for one in calm for step in one.said.trace[:-1]],
            [phrase.rstrip(".。;； ") for one in calm for phrase in phrases(one.said.phone)],
        )
        for language, calm in by_language.items()
    }


def disturbed(moment: Moment, others: Strange, chance: random.Random) -> Moment:
    """The same strange steps and facts in all records of a moment, and what all have left out at times.

    What tells the need from its look-alikes stays; everything else is never quite the same.
    """
    drawn = [(chance.choice(others.steps), _LATEST * chance.random()) for _ in range(chance.choice(_STEPS))]
    own = {step for one in moment for step in one.said.trace}
    steps = [(step, place) for step, place in drawn if step not in own]
    facts = [chance.choice(others.facts) for _ in range(chance.choice(_FACTS))]
    common = set.intersection(*(set(one.said.trace) for one in moment)) if len(moment) > 1 else set()
    gone = {step for step in sorted(common) if chance.random() < _DROPPED}
    worldless = chance.random() < _WORLDLESS and len({one.said.world for one in moment}) == 1
    mark = "；" if moment[0].language == "zh" else "; "

    def changed(said: RenderedContext) -> RenderedContext:
        trace = [step for step in said.trace if step not in gone]
        for step, place in steps:
            trace.insert(int(place * len(trace)), step)
        phone = mark.join([said.phone.rstrip(".。"), *facts])
        world = "" if worldless else said.world
        return said.model_copy(update={"trace": tuple(trace), "phone": phone, "world": world})

    return [one._replace(said=changed(one.said)) for one in moment]
