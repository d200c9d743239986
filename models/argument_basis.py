"""Finds the basis of a language model's calls: the facts that its choice and its arguments rest on, with trust labels.

A model does not report its sources, and one sentence of a stranger in its prompt can decide everything it answers: the
function, and which trusted value becomes an argument. So all third-party content of the context is part of the basis of
the choice and of every argument. An argument is also searched in the context: every fact that contains it is part of
its basis.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from pydantic import JsonValue

from collectors.context import Context, Fact
from function_pool.call import Basis, FunctionCall
from heed.model import Frozen
from heed.trust import Trust
from models.reasoner import Evidence, EvidenceKind

FRAMES = "frames"
"""Fact name of the screenshots, whose content third parties may have written."""
TRIGGER = "trigger"


class _Source(Frozen):
    """A part of the context that the model was given."""

    basis: Basis
    texts: tuple[str, ...]
    """Normalised words of the value's leaves."""
    shown: str

    def holds(self, needle: str) -> bool:
        if needle.isdigit():  # a number: not inside a longer one, however it is grouped
            return any(needle in re.findall(r"\d+", re.sub(r"(?<=\d)[ \-](?=\d)", "", text)) for text in self.texts)
        edge = r"\b" if needle.isascii() else ""
        return any(re.search(f"{edge}{re.escape(needle)}{edge}", text) for text in self.texts)


class Grounding:
    """Searches arguments in the facts of one context, and in further facts that the prompt quoted."""

    def __init__(self, context: Context, quoted: Sequence[Fact] = ()) -> None:
        facts = (*context.facts(), *quoted)
        self._sources = tuple(_sources(context, facts))
        self._third_party = tuple(dict.fromkeys(_third_party(context, facts)))

    def ground(self, call: FunctionCall) -> FunctionCall:
        """``call`` with the basis of its choice and of each of its parameters."""
        basis = {name: self._basis(value) for name, value in call.parameters.items()}
        found = {name: facts for name, facts in basis.items() if facts}
        return call.model_copy(update={"basis": found, "choice": self._third_party})

    def evidence(self, calls: tuple[FunctionCall, ...]) -> tuple[Evidence, ...]:
        """The facts in which some argument was found, in the context's order."""
        found = dict.fromkeys(
            (source.basis.fact, source.shown)
            for source in self._sources
            for value in chain.from_iterable(call.parameters.values() for call in calls)
            if any(source.holds(needle) for needle in _needles(value))
        )
        return tuple(Evidence(kind=EvidenceKind.FACT, ref=fact, text=shown) for fact, shown in found)

    def _basis(self, value: JsonValue) -> tuple[Basis, ...]:
        needles = tuple(_needles(value))
        found = (source.basis for source in self._sources if any(source.holds(needle) for needle in needles))
        return tuple(dict.fromkeys((*found, *self._third_party)))


def _third_party(context: Context, facts: Sequence[Fact]) -> Iterator[Basis]:
    """Everything in the prompt that third parties may have written; a fact without a value tells nothing."""
    for fact in facts:
        if fact.trust is Trust.THIRD_PARTY and fact.value not in (None, "", [], {}):
            yield Basis(fact=fact.name, trust=fact.trust)
    if context.trigger.trust is Trust.THIRD_PARTY:
        yield Basis(fact=TRIGGER, trust=context.trigger.trust)
    if context.frames:
        yield Basis(fact=FRAMES, trust=Trust.THIRD_PARTY)


def _sources(context: Context, facts: Sequence[Fact]) -> Iterator[_Source]:
    for fact in facts:
        yield _source(fact.name, fact.trust, fact.value)
    if context.trigger.data:
        yield _source(TRIGGER, context.trigger.trust, dict(context.trigger.data))


def _source(name: str, trust: Trust, value: JsonValue) -> _Source:
    leaves = [str(leaf) for leaf in _leaves(value)]
    return _Source(basis=Basis(fact=name, trust=trust), texts=tuple(map(_normal, leaves)), shown=" · ".join(leaves))


def _leaves(value: JsonValue) -> Iterator[str | int | float]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


def _needles(value: JsonValue) -> Iterator[str]:
    """The texts to search for; booleans cannot be searched."""
    for leaf in _leaves(value):
        text = _normal(str(leaf))
        digits = re.sub(r"[\s\-()+./]", "", text)
        if text:
            yield digits if digits.isdigit() and len(digits) >= _PHONE_DIGITS else text


_PHONE_DIGITS = 5
"""From this length on a number is compared by its digits alone."""


def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
