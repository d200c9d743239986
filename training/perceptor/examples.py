"""Converts records to training examples."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from collectors.context import RenderedContext

GRAMMAR = "grammar"
"""The writer name of generated records."""


class Example(NamedTuple):
    """A record."""

    said: RenderedContext
    needed: bool
    about: tuple[int, ...]
    """Indexes of the functions that help, or of the one that the look-alike resembles."""
    language: str
    writer: str
    moment: str
    gist: str
    """The offer, or the reason for silence."""
    judged: bool = True
    """Whether the gate is trained on it; else only the functions are."""
    strange: frozenset[str] = frozenset()
    """Phrases inserted by augmentation."""
    tells: frozenset[str] = frozenset()
    """Phrases marked as decisive by the writer or a reader; empty without marks."""


Moment = Sequence[Example]
"""A need and its look-alikes, or a record that stands alone."""


def examples(records: Iterable[Mapping[str, Any]], functions: Sequence[str]) -> list[Example]:
    """The records as examples; ``functions`` defines the indexes."""
    made = []
    for record in records:
        told, said = record["benchmark_metadata"], record["reference_information"]
        writer = told.get("writer", GRAMMAR)
        calls = [call["name"] for answer in record["recommendation"] for call in answer["function"]]
        made.append(
            Example(
                said=RenderedContext.model_validate({**said, "trace": tuple(said["trace"])}),
                needed=bool(calls),
                about=tuple(map(functions.index, calls or [told["template"].split("/")[0]])),
                language=told["language"],
                writer=writer,
                moment=told.get("moment", told["id"]),
                gist=told.get("why") or record["recommendation"][0]["instruction"],
                judged=writer != GRAMMAR,
                tells=frozenset(told.get("tells", ())),
            )
        )
    return made


def moments(found: Iterable[Example]) -> list[Moment]:
    """Each need with its look-alikes."""
    together: dict[str, list[Example]] = defaultdict(list)
    for one in found:
        together[one.moment].append(one)
    return list(together.values())
