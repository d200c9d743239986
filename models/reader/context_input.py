"""Converts a rendered context and a function to the network's input: where do the function's values stand?

The pieces keep their place in ``context_text``, so that a span of pieces is a span of characters.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from collectors.context import RenderedContext
from models.perceptor.features import MOST, Kind, rooms
from models.perceptor.tokens import Vocabulary
from models.reader.text_input import TextPiece, placed

_MOST_OF_STEP = 90
"""Pieces of one step: less than the steps' share, so that the last one always has room."""


def context_text(said: RenderedContext) -> str:
    """All that is said, one part per line: the steps, the phone, the profile, the world."""
    return "\n".join(text for _, text in _parts(said))


def context_pieces(function: str, said: RenderedContext, vocabulary: Vocabulary) -> list[TextPiece]:
    """The start mark, as much of each part as there is room for, and the function's words; at most ``MOST`` pieces."""
    words = [TextPiece(number, Kind.MARK) for number in vocabulary.encode(function.replace("_", " "))]
    asked = [*words, TextPiece(vocabulary.end, Kind.MARK)]
    parts = list(_placed_parts(said, vocabulary))
    left = rooms(_sizes(parts), MOST - 1 - len(asked))
    kept: list[list[TextPiece]] = []
    for kind, part in reversed(parts):  # the latest steps first: the oldest ones are left out
        room = left[kind]
        kept.append(part if len(part) <= room else [*part[: max(0, room - 1)], part[-1]][:room])
        left[kind] -= len(kept[-1])
    return [TextPiece(vocabulary.start, Kind.MARK), *chain.from_iterable(reversed(kept)), *asked]


def _sizes(parts: list[tuple[Kind, list[TextPiece]]]) -> dict[Kind, int]:
    sizes: Counter[Kind] = Counter()
    for kind, part in parts:
        sizes[kind] += len(part)
    return dict(sizes)


def _parts(said: RenderedContext) -> list[tuple[Kind, str]]:
    last = len(said.trace) - 1
    steps = [(Kind.LAST_STEP if number == last else Kind.STEP, step) for number, step in enumerate(said.trace)]
    return [*steps, (Kind.PHONE, said.phone), (Kind.PROFILE, said.profile), (Kind.WORLD, said.world)]


def _placed_parts(said: RenderedContext, vocabulary: Vocabulary) -> Iterator[tuple[Kind, list[TextPiece]]]:
    """The pieces of each part that has any, with the budget that they count for."""
    at = 0
    for kind, text in _parts(said):
        pieces = [TextPiece(number, kind, at + start, at + end) for number, start, end in placed(text, vocabulary)]
        step = kind in (Kind.STEP, Kind.LAST_STEP)
        if pieces:
            cut = pieces[:_MOST_OF_STEP] if step else pieces
            yield Kind.STEP if step else kind, [*cut, TextPiece(vocabulary.end, kind)]
        at += len(text) + 1
