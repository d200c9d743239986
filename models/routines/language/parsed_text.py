"""A text with the tokens, entities, objects and verbs found in it."""

from datetime import date
from typing import NamedTuple

from models.routines.language.entities import TextEntity, find
from models.routines.language.lexicon import Lexicon, PhraseMention
from models.routines.language.tokens import TokenizedText
from models.routines.language.verb_object import VerbFinder

_ENTITY_OBJECTS = {"introduction": "introduction", "url": "web_link"}
"""Kinds of entities that count as objects, with the name of the object class."""


class ParsedText(NamedTuple):
    """A text with what was found in it."""

    text: TokenizedText
    entities: tuple[TextEntity, ...]
    objects: tuple[PhraseMention, ...]
    verbs: VerbFinder
    today: date


def parse(lexicon: Lexicon, raw: str, today: date) -> ParsedText:
    """Parses ``raw``; a date without a year gets the year that puts it nearest to ``today``."""
    text = lexicon.parse(raw)
    verbs = VerbFinder(lexicon, text)
    verb_tokens = {position for verb in verbs.all if verb.names for position in verb.words}
    # "ordered" is not the object "order": an English word used as a verb is no object.
    objects = tuple(
        mention
        for mention in lexicon.mentions("object", text)
        if not text.raw[text.tokens[mention.first].start].isascii() or mention.first not in verb_tokens
    )
    return ParsedText(text, find(raw, today), objects, verbs, today)


def objects_in(parsed: ParsedText, within: range) -> frozenset[str]:
    """The object classes mentioned within a range of character offsets."""
    starts = ((parsed.text.tokens[mention.first].start, mention.names) for mention in parsed.objects)
    named = {name for start, names in starts if start in within for name in names}
    kinds = {entity.kind for entity in parsed.entities if entity.start in within}
    return frozenset(named | {name for kind, name in _ENTITY_OBJECTS.items() if kind in kinds})
