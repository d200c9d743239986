"""Extractors: read parameter values from a sentence of the behaviour log.

An extractor gets one action (a verb with its object) and returns a value that the text states, or None.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from models.routines.language.app_finder import spellings
from models.routines.language.entities import TextEntity
from models.routines.language.lexicon import PhraseMention
from models.routines.language.patterns import patterns
from models.routines.language.tokens import QuotedText, TokenizedText


class ExtractionInput(NamedTuple):
    """One action in its text: the input of an extractor."""

    text: TokenizedText
    entities: tuple[TextEntity, ...]
    verb: PhraseMention
    before: PhraseMention | None
    """The previous verb of the sentence."""
    object_span: tuple[int, int]
    """Character offsets of the object."""
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


def _of_kind(inputs: ExtractionInput, kind: str) -> list[TextEntity]:
    """The entities of one kind in the sentence; those of the whole text when the sentence has none.

    Numbers are taken from the sentence alone: a number in another sentence measures something else.
    """
    start, end = inputs.sentence
    all_of_kind = [entity for entity in inputs.entities if entity.kind == kind]
    here = [entity for entity in all_of_kind if start <= entity.start < end]
    return here if here or kind in _NUMBERS else all_of_kind


def _entity(kind: str) -> Extractor:
    """An extractor of the entity of this kind that is nearest to the verb."""

    def extract(inputs: ExtractionInput) -> JsonValue:
        found = _of_kind(inputs, kind)
        return min(found, key=lambda entity: abs(entity.start - inputs.verb_end)).value if found else None

    return extract


def _whole_number(kind: str, times: int = 1) -> Extractor:
    def extract(inputs: ExtractionInput) -> JsonValue:
        value = _entity(kind)(inputs)
        return int(str(value)) * times if value is not None else None

    return extract


def _quotes(inputs: ExtractionInput) -> list[QuotedText]:
    """The quotes of the sentence after the verb."""
    start, end = inputs.sentence
    return [quote for quote in inputs.text.quotes if start <= quote.start < end and quote.start >= inputs.verb_start]


def _quote(inputs: ExtractionInput) -> JsonValue:
    """The first quote after the verb that is not a channel name, without trailing commas."""
    names_only = [quote for quote in _quotes(inputs) if not _is_channel(inputs, quote)]
    return names_only[0].text.strip(" ,，") if names_only else None


def _is_channel(inputs: ExtractionInput, quote: QuotedText) -> bool:
    return any(
        entity.kind == "channel" and entity.start <= quote.start and quote.end <= entity.end + 1
        for entity in inputs.entities
    )


def _object_phrase(inputs: ExtractionInput) -> JsonValue:
    """The words after the verb up to the next comma, preposition or conjunction, without articles."""
    rest = inputs.text.raw[inputs.verb_end : inputs.sentence[1]]
    stop = patterns().phrases["end_of_object"].search(rest)
    phrase = patterns().phrases["articles"].sub("", rest[: stop.start() if stop else None].strip(" '\"’“”‘"))
    return phrase.strip(" '\"’“”‘") or None


def _object_word(inputs: ExtractionInput) -> JsonValue:
    return inputs.text.raw[inputs.object_span[0] : inputs.object_span[1]]


def _names_in(text: str) -> list[str]:
    phrases, no_names = patterns().phrases, patterns().no_names
    found = [match[0] for match in phrases["capitalised"].finditer(text)] + phrases["title"].findall(text)
    trimmed = [" ".join(word for word in name.split() if word not in no_names) for name in found]
    return [name for name in trimmed if len(name) > 1]


def _sources(inputs: ExtractionInput) -> JsonValue:
    """All names from the verb to the end of its sentence; mining keeps those that the occurrences have in common."""
    return list(dict.fromkeys(_names_in(inputs.text.raw[inputs.verb_end : inputs.sentence[1]]))) or None


def _opened_name(inputs: ExtractionInput) -> JsonValue:
    """The name that is the verb's object: "opened the Camera app", "打开微信"."""
    phrase = _object_phrase(inputs)
    if not isinstance(phrase, str):
        return None
    names = _names_in(patterns().phrases["app_suffix"].sub("", phrase))
    return names[0] if names and phrase.startswith(names[0]) else None


def _channel(inputs: ExtractionInput) -> JsonValue:
    """The conversation that the message went to: "#x", "the x channel", or "navigated to x, and posted"."""
    found = _of_kind(inputs, "channel")
    if found:
        value = min(found, key=lambda entity: abs(entity.start - inputs.verb_start)).value
        for spelling in spellings(inputs.app):
            value = value.removeprefix(spelling).strip()
        return value or None
    if inputs.before is None or "open" not in inputs.before.names:
        return None
    phrase = _object_phrase(inputs._replace(verb=inputs.before))
    is_app = isinstance(phrase, str) and (phrase.endswith(" app") or phrase in spellings(inputs.app))
    return None if is_app else phrase


def _subject(inputs: ExtractionInput) -> JsonValue:
    """A quote beside the words "subject" or 主题."""
    raw = inputs.text.raw
    for quote in inputs.text.quotes:
        if patterns().phrases["subject_word"].search(raw[max(0, quote.start - 24) : quote.end + 24]):
            return quote.text
    return None


def _note(inputs: ExtractionInput) -> JsonValue:
    """The text in brackets after the object, or the quote after "note"."""
    match = patterns().phrases["note"].search(inputs.text.raw, inputs.verb_end, inputs.sentence[1])
    if match:
        return _first(match)
    word = patterns().phrases["note_word"]
    noted = [quote for quote in _quotes(inputs) if word.search(inputs.text.raw[max(0, quote.start - 30) : quote.end])]
    return noted[0].text if noted else None


def _last_date(inputs: ExtractionInput) -> JsonValue:
    found = _of_kind(inputs, "date")
    return found[-1].value if found else None


def _emails(inputs: ExtractionInput) -> JsonValue:
    found: list[JsonValue] = [entity.value for entity in _of_kind(inputs, "email")]
    return found or None


def _percent_text(inputs: ExtractionInput) -> JsonValue:
    value = _entity("percent")(inputs)
    return f"{value}%" if value is not None else None


def _in_sentence(phrase: str) -> Extractor:
    return lambda inputs: _first(patterns().phrases[phrase].search(inputs.text.raw, *inputs.sentence))


def _after_verb(phrase: str) -> Extractor:
    def extract(inputs: ExtractionInput) -> JsonValue:
        return _first(patterns().phrases[phrase].search(inputs.text.raw, inputs.verb_start, inputs.sentence[1]))

    return extract


def _level(inputs: ExtractionInput) -> JsonValue:
    value = _after_verb("level")(inputs)
    return int(str(value)) if value else None


EXTRACTORS: Mapping[str, Extractor] = {
    "app": lambda inputs: inputs.app,
    "callee": _in_sentence("callee"),
    "channel": _channel,
    "clock_time": _entity("clock_time"),
    "destination": _after_verb("destination"),
    "email": _entity("email"),
    "emails": _emails,
    "file": _entity("file"),
    "last_date": _last_date,
    "level": _level,
    "minutes": _whole_number("minutes"),
    "money": _entity("money"),
    "name": _opened_name,
    "note": _note,
    "object_phrase": _object_phrase,
    "object_word": _object_word,
    "opened_name": _opened_name,
    "percent": _whole_number("percent"),
    "percent_text": _percent_text,
    "person": _after_verb("person"),
    "place": _object_phrase,
    "quote": _quote,
    "seconds": lambda inputs: _whole_number("seconds")(inputs) or _whole_number("minutes", 60)(inputs),
    "sources": _sources,
    "subject": _subject,
    "url": _entity("url"),
}
