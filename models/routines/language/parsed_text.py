"""A text with everything found in it: tokens, values, things and verbs."""

from datetime import date
from typing import NamedTuple

from models.routines.language.entities import TextEntity, find
from models.routines.language.lexicon import Lexicon, PhraseMention
from models.routines.language.tokens import TokenizedText
from models.routines.language.verb_object import VerbFinder

_TELLING_ENTITIES = {"introduction": "introduction", "url": "web_link"}
"""Values that tell one message from another, and what they are called among its things."""


class ParsedText(NamedTuple):
    """A text, understood word by word."""

    text: TokenizedText
    entities: tuple[TextEntity, ...]
    things: tuple[PhraseMention, ...]
    verbs: VerbFinder


def parse(lexicon: Lexicon, raw: str, today: date) -> ParsedText:
    """``raw`` with what is found in it; dates without a year are resolved near ``today``."""
    text = lexicon.parse(raw)
    verbs = VerbFinder(lexicon, text)
    doing = {position for verb in verbs.all if verb.names for position in verb.words}
    # "ordered" is no order: an English word that stands as a verb is no thing.
    things = tuple(
        thing
        for thing in lexicon.mentions("thing", text)
        if not text.raw[text.tokens[thing.first].start].isascii() or thing.first not in doing
    )
    return ParsedText(text, find(raw, today), things, verbs)


def objects_in(parsed: ParsedText, within: range) -> frozenset[str]:
    """The things that a stretch of the text mentions (offsets in characters)."""
    starts = ((parsed.text.tokens[thing.first].start, thing.names) for thing in parsed.things)
    named = {name for start, names in starts if start in within for name in names}
    kinds = {entity.kind for entity in parsed.entities if entity.start in within}
    return frozenset(named | {thing for kind, thing in _TELLING_ENTITIES.items() if kind in kinds})
