"""What a log line says happened before its owner did anything."""

from collections.abc import Iterable

from heed.model import Frozen
from models.routines.language.lexicon import EventPattern, Lexicon, PhraseMention
from models.routines.language.parsed_text import ParsedText, objects_in
from models.routines.language.verb_object import stands_as_verb


class PrecedingEvent(Frozen):
    """What the phone or somebody else did."""

    kind: str
    """A kind of ``collectors.context.Trigger``."""
    about: frozenset[str] = frozenset()
    """The things of the lexicon that a reaction may depend on."""
    measure: int | None = None
    """The percentage it mentions, e.g. the battery's level."""


def find_preceding_event(lexicon: Lexicon, parsed: ParsedText, before: int) -> PrecedingEvent | None:
    """The first happening told before token ``before``: what came after the first act is no reason for it."""
    words = [
        mention
        for mention in lexicon.mentions("happens", parsed.text)
        if mention.first < before and stands_as_verb(parsed.text, mention, lexicon.grammar)
    ]
    for sentence in range(len(parsed.text.sentences)):
        for form in lexicon.events.kinds:
            if _tells(form, parsed, words, sentence):
                within = range(*parsed.text.sentences[sentence])
                about = lexicon.telling(objects_in(parsed, within))
                return PrecedingEvent(kind=form.kind, about=about, measure=_percent(parsed, within))
    return None


def _tells(form: EventPattern, parsed: ParsedText, words: Iterable[PhraseMention], sentence: int) -> bool:
    """Whether one sentence tells of this kind."""
    if form.measured and _percent(parsed, range(*parsed.text.sentences[sentence])) is None:
        return False
    happens = _mentioned(words, form.happens, parsed, sentence)
    things = _mentioned(parsed.things, form.about, parsed, sentence)
    if not form.happens or not form.about:
        return bool(happens or things)
    # "an alert" alone tells nothing: the happening must be more than the thing itself.
    return any(set(word.words) - set(thing.words) for word in happens for thing in things)


def _mentioned(
    mentions: Iterable[PhraseMention], names: Iterable[str], parsed: ParsedText, sentence: int
) -> list[PhraseMention]:
    """The mentions of these names in one sentence, outside quotes."""
    firsts = ((mention, parsed.text.tokens[mention.first]) for mention in mentions if mention.names & set(names))
    return [mention for mention, token in firsts if token.sentence == sentence and token.quote < 0]


def _percent(parsed: ParsedText, within: range) -> int | None:
    found = [entity for entity in parsed.entities if entity.kind == "percent" and entity.start in within]
    return int(found[0].value) if found else None
