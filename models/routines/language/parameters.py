"""Values of parameters from a sentence of the behaviour log.

An extractor looks at one act (a verb done to a thing) and returns a value, or None: nothing is ever invented.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from models.routines.language.apps import spellings
from models.routines.language.entities import TextEntity
from models.routines.language.lexicon import PhraseMention
from models.routines.language.patterns import patterns
from models.routines.language.tokens import QuotedText, TokenizedText


class ExtractionInput(NamedTuple):
    """What an extractor may look at."""

    text: TokenizedText
    entities: tuple[TextEntity, ...]
    verb: PhraseMention
    before: PhraseMention | None
    """The verb that stands before ``verb`` in its sentence."""
    thing: tuple[int, int]
    """Offsets of the thing in the text."""
    app: str | None
    """The app that the pool names for the function."""

    @property
    def sentence(self) -> tuple[int, int]:
        return self.text.sentences[self.text.tokens[self.verb.first].sentence]

    @property
    def verb_start(self) -> int:
        return self.text.tokens[self.verb.first].start

    @property
    def verb_end(self) -> int:
        return self.text.tokens[self.verb.last].end


Extractor = Callable[[ExtractionInput], JsonValue]

_NUMBERS = frozenset({"percent", "minutes", "seconds"})


def _first(match: re.Match[str] | None) -> str | None:
    """The first named group that matched, trimmed."""
    found = next((value for value in match.groupdict().values() if value), None) if match else None
    return found.strip(" .'\"’“”‘") if found else None


def _of_kind(scene: ExtractionInput, kind: str) -> list[TextEntity]:
    """The sentence's entities of one kind; those of the whole text when the sentence has none.

    Not so for bare numbers: one of another sentence measures something else.
    """
    start, end = scene.sentence
    all_of_kind = [entity for entity in scene.entities if entity.kind == kind]
    here = [entity for entity in all_of_kind if start <= entity.start < end]
    return here if here or kind in _NUMBERS else all_of_kind


def _entity(kind: str) -> Extractor:
    """The entity of this kind that stands nearest to the verb."""

    def extract(scene: ExtractionInput) -> JsonValue:
        found = _of_kind(scene, kind)
        return min(found, key=lambda entity: abs(entity.start - scene.verb_end)).value if found else None

    return extract


def _whole_number(kind: str, times: int = 1) -> Extractor:
    def extract(scene: ExtractionInput) -> JsonValue:
        value = _entity(kind)(scene)
        return int(str(value)) * times if value is not None else None

    return extract


def _quotes(scene: ExtractionInput) -> list[QuotedText]:
    """The quotes of the sentence that stand after the verb."""
    start, end = scene.sentence
    return [quote for quote in scene.text.quotes if start <= quote.start < end and quote.start >= scene.verb_start]


def _quote(scene: ExtractionInput) -> JsonValue:
    """The first quote after the verb, without the comma that belongs to the narrative."""
    names_only = [quote for quote in _quotes(scene) if not _is_channel(scene, quote)]
    return names_only[0].text.strip(" ,，") if names_only else None


def _is_channel(scene: ExtractionInput, quote: QuotedText) -> bool:
    return any(
        entity.kind == "channel" and entity.start <= quote.start and quote.end <= entity.end + 1
        for entity in scene.entities
    )


def _object(scene: ExtractionInput) -> JsonValue:
    """The words after the verb up to the next comma, preposition or conjunction, without articles."""
    rest = scene.text.raw[scene.verb_end : scene.sentence[1]]
    stop = patterns().phrases["end_of_object"].search(rest)
    phrase = patterns().phrases["articles"].sub("", rest[: stop.start() if stop else None].strip(" '\"’“”‘"))
    return phrase.strip(" '\"’“”‘") or None


def _thing(scene: ExtractionInput) -> JsonValue:
    return scene.text.raw[scene.thing[0] : scene.thing[1]]


def _names_in(text: str) -> list[str]:
    phrases, no_names = patterns().phrases, patterns().no_names
    found = [match[0] for match in phrases["capitalised"].finditer(text)] + phrases["title"].findall(text)
    trimmed = [" ".join(word for word in name.split() if word not in no_names) for name in found]
    return [name for name in trimmed if len(name) > 1]


def _sources(scene: ExtractionInput) -> JsonValue:
    """All names from the verb to the end of its sentence: a habit keeps those that its days have in common."""
    return list(dict.fromkeys(_names_in(scene.text.raw[scene.verb_end : scene.sentence[1]]))) or None


def _opened_name(scene: ExtractionInput) -> JsonValue:
    """The name that is the verb's object: "opened the Camera app", "打开微信"."""
    phrase = _object(scene)
    if not isinstance(phrase, str):
        return None
    names = _names_in(patterns().phrases["app_suffix"].sub("", phrase))
    return names[0] if names and phrase.startswith(names[0]) else None


def _channel(scene: ExtractionInput) -> JsonValue:
    """The conversation written to: "#x", "the x channel", or "navigated to x, and posted"."""
    found = _of_kind(scene, "channel")
    if found:
        value = min(found, key=lambda entity: abs(entity.start - scene.verb_start)).value
        for spelling in spellings(scene.app):
            value = value.removeprefix(spelling).strip()
        return value or None
    if scene.before is None or "open" not in scene.before.names:
        return None
    phrase = _object(scene._replace(verb=scene.before))
    is_app = isinstance(phrase, str) and (phrase.endswith(" app") or phrase in spellings(scene.app))
    return None if is_app else phrase


def _subject(scene: ExtractionInput) -> JsonValue:
    """A quote beside the words "subject" or 主题."""
    raw = scene.text.raw
    for quote in scene.text.quotes:
        if patterns().phrases["subject_word"].search(raw[max(0, quote.start - 24) : quote.end + 24]):
            return quote.text
    return None


def _note(scene: ExtractionInput) -> JsonValue:
    """What stands in brackets behind the object, or is quoted after "note"."""
    match = patterns().phrases["note"].search(scene.text.raw, scene.verb_end, scene.sentence[1])
    if match:
        return _first(match)
    word = patterns().phrases["note_word"]
    noted = [quote for quote in _quotes(scene) if word.search(scene.text.raw[max(0, quote.start - 30) : quote.end])]
    return noted[0].text if noted else None


def _last_date(scene: ExtractionInput) -> JsonValue:
    found = _of_kind(scene, "date")
    return found[-1].value if found else None


def _emails(scene: ExtractionInput) -> JsonValue:
    found: list[JsonValue] = [entity.value for entity in _of_kind(scene, "email")]
    return found or None


def _percent_text(scene: ExtractionInput) -> JsonValue:
    value = _entity("percent")(scene)
    return f"{value}%" if value is not None else None


def _in_sentence(phrase: str) -> Extractor:
    return lambda scene: _first(patterns().phrases[phrase].search(scene.text.raw, *scene.sentence))


def _after_verb(phrase: str) -> Extractor:
    return lambda scene: _first(patterns().phrases[phrase].search(scene.text.raw, scene.verb_start, scene.sentence[1]))


def _level(scene: ExtractionInput) -> JsonValue:
    value = _after_verb("level")(scene)
    return int(str(value)) if value else None


EXTRACTORS: Mapping[str, Extractor] = {
    "app": lambda scene: scene.app,
    "callee": _in_sentence("callee"),
    "channel": _channel,
    "clock_time": _entity("clock_time"),
    "destination": _after_verb("destination"),
    "email": _entity("email"),
    "emails": _emails,
    "file": _entity("file"),
    "last_date": _last_date,
    "level": _level,
    "money": _entity("money"),
    "name": _opened_name,
    "note": _note,
    "object": _object,
    "opened_name": _opened_name,
    "percent": _whole_number("percent"),
    "percent_text": _percent_text,
    "person": _after_verb("person"),
    "place": _object,
    "quote": _quote,
    "seconds": lambda scene: _whole_number("seconds")(scene) or _whole_number("minutes", 60)(scene),
    "sources": _sources,
    "subject": _subject,
    "thing": _thing,
    "url": _entity("url"),
}
