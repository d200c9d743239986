"""Finds the event that, by a log entry, preceded the owner's first action."""

from collections.abc import Iterable

from heed.model import Frozen
from models.routines.language.lexicon import EventPattern, Lexicon, PhraseMention
from models.routines.language.parsed_text import ParsedText, objects_in
from models.routines.language.verb_object import stands_as_verb


class PrecedingEvent(Frozen):
    """An event caused by the phone or by another person."""

    kind: str
    """A kind of ``collectors.context.Trigger``."""
    about: frozenset[str] = frozenset()
    """The distinguishing object classes that the sentence mentions."""
    measure: int | None = None
    """The percentage it mentions, e.g. the battery's level."""


def find_preceding_event(lexicon: Lexicon, parsed: ParsedText, before: int) -> PrecedingEvent | None:
    """The first event reported before token ``before``: what follows the first action did not cause it."""
    words = [
        mention
        for mention in lexicon.mentions("event", parsed.text)
        if mention.first < before and stands_as_verb(parsed.text, mention, lexicon.grammar)
    ]
    for sentence in range(len(parsed.text.sentences)):
        for pattern in lexicon.events.kinds:
            if _matches(pattern, parsed, words, sentence):
                within = range(*parsed.text.sentences[sentence])
                about = lexicon.distinguishing(objects_in(parsed, within))
                return PrecedingEvent(kind=pattern.kind, about=about, measure=_percent(parsed, within))
    return None


def _matches(pattern: EventPattern, parsed: ParsedText, words: Iterable[PhraseMention], sentence: int) -> bool:
    """Whether one sentence reports an event of this kind."""
    if pattern.measured and _percent(parsed, range(*parsed.text.sentences[sentence])) is None:
        return False
    phrases = _mentioned(words, pattern.phrases, parsed, sentence)
    objects = _mentioned(parsed.objects, pattern.objects, parsed, sentence)
    if not pattern.phrases or not pattern.objects:
        return bool(phrases or objects)
    # "an alert" alone reports no event: the phrase must have a word that the object does not have.
    return any(set(phrase.words) - set(mention.words) for phrase in phrases for mention in objects)


def _mentioned(
    mentions: Iterable[PhraseMention], names: Iterable[str], parsed: ParsedText, sentence: int
) -> list[PhraseMention]:
    """The mentions of these classes in one sentence, outside quotes."""
    firsts = ((mention, parsed.text.tokens[mention.first]) for mention in mentions if mention.names & set(names))
    return [mention for mention, token in firsts if token.sentence == sentence and token.quote < 0]


def _percent(parsed: ParsedText, within: range) -> int | None:
    found = [entity for entity in parsed.entities if entity.kind == "percent" and entity.start in within]
    return int(found[0].value) if found else None
