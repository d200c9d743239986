"""Values of parameters from a sentence of the behaviour log.

An extractor looks at one act (a verb done to a thing) and returns a value, or None: nothing is ever invented.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from models.routines.apps import spellings
from models.routines.entities import Entity
from models.routines.lexicon import Mention
from models.routines.text import Quote, Text


class Scene(NamedTuple):
    """What an extractor may look at."""

    text: Text
    entities: tuple[Entity, ...]
    verb: Mention
    before: Mention | None
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


Extractor = Callable[[Scene], JsonValue]

_STOP = re.compile(
    r"\s*(?:[,;:.!?()（），。；：、]|\s(?:and|then|from|for|with|to|at|via|on|in|while|using|after|before|as|by|into|onto)\s|$"
    r"|(?:和|并|然后|到|在|用))"
)
_ARTICLES = re.compile(
    r"^(?:(?:a|an|the|his|her|my|their|usual|another|some|up|for|one|same|usual|portion of|bowl of|plate of|cup of)\s+)+|^(?:了|一?[杯份个碗盒瓶]|他的|她的|我的|的)+",
    re.IGNORECASE,
)
# CamelCase or capitalised words in a row; a sentence's first word and pronouns are no names.
_NAME = re.compile(r"(?<![\w#@.])(?:[A-Z][\w-]*|[a-z]+[A-Z]\w*)(?:\s+(?:[A-Z][\w-]*|[a-z]+[A-Z]\w*))*")
_TITLE = re.compile(r"《([^》]+)》")
_NO_NAME = frozenset(
    ["At", "He", "She", "I", "It", "They", "We", "The", "A", "An", "In", "On", "His", "Her", "My", "This", "That", "Then", "After", "Before", "While", "Later", "When", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
)
_PERSON = re.compile(
    r"\b(?i:to|messaged|texted|told|emailed|notified|message|text|tell|with)\s+(?:his\s+|her\s+|my\s+)?"
    r"(?P<value>(?:[A-Z][\w.’'-]*)(?:\s+[A-Z][\w’'-]*)*|mom|mum|dad|mother|father|wife|husband|sister|brother|boss)"
    r"|[给向](?P<value_zh>[\u4e00-\u9fff]{1,4}?)(?:发|打|回|留|转|说|寄)"
)
_CALLEE = re.compile(
    r"\b(?i:called|phoned|rang|dialled|dialed|calls|phones|call|phone|video-called|facetimed|gave)\s+(?:up\s+)?(?:his\s+|her\s+|my\s+)?"
    r"(?P<value>(?:[A-Z][\w.’'-]*)(?:\s+[A-Z][\w’'-]*)*|mom|mum|dad|mother|father|wife|husband|sister|brother|parents"
    r"|grandma|grandmother|son|daughter)"
    r"|[给跟和](?P<value_zh>[\u4e00-\u9fff]{1,4}?)(?:打电话|打了|视频|通话|去电|通了)|(?:打给|致电|拨打)(?P<value_dial>[\u4e00-\u9fff]{1,4})"
)
_DESTINATION = re.compile(
    r"\b(?:destination|drop-off)\s+(?:set\s+)?(?:to|as)\s+(?P<value>[^,.;]+?)(?=\s+(?:and|for|at)\s|[,.;]|$)"
    r"|\b(?:to|for)\s+(?P<plain>(?:the\s+)?[A-Z][\w’' -]+?|home|work|the office|the airport)(?=\s+(?:and|for|at|before)\s|[,.;(（]|$)"
    r"|(?:去|到|回|前往)(?P<value_zh>[\u4e00-\u9fffA-Za-z0-9]{2,12}?)(?=[，。,.、]|的|$)"
)
_NOTE = re.compile(r"\((?P<value>[^)]+)\)|（(?P<value_zh>[^）]+)）")
_NOTE_WORD = re.compile(r"(?:note|remark|instruction|comment|备注|留言)", re.IGNORECASE)
_LEVEL = re.compile(r"\b(?:to|at)\s+(?P<value>\d{1,3})\b|[到为成]\s*(?P<value_zh>\d{1,3})")


_NUMBERS = frozenset({"percent", "minutes", "seconds"})


def _first(match: re.Match[str] | None) -> str | None:
    """The first named group that matched, trimmed."""
    found = next((value for value in match.groupdict().values() if value), None) if match else None
    return found.strip(" .'\"’“”‘") if found else None


def _of_kind(scene: Scene, kind: str) -> list[Entity]:
    """The sentence's entities of one kind; those of the whole text when the sentence has none.

    Not so for bare numbers: one of another sentence measures something else.
    """
    start, end = scene.sentence
    all_of_kind = [entity for entity in scene.entities if entity.kind == kind]
    here = [entity for entity in all_of_kind if start <= entity.start < end]
    return here if here or kind in _NUMBERS else all_of_kind


def _entity(kind: str) -> Extractor:
    """The entity of this kind that stands nearest to the verb."""

    def extract(scene: Scene) -> JsonValue:
        found = _of_kind(scene, kind)
        return min(found, key=lambda entity: abs(entity.start - scene.verb_end)).value if found else None

    return extract


def _whole_number(kind: str, times: int = 1) -> Extractor:
    def extract(scene: Scene) -> JsonValue:
        value = _entity(kind)(scene)
        return int(str(value)) * times if value is not None else None

    return extract


def _quotes(scene: Scene) -> list[Quote]:
    """The quotes of the sentence that stand after the verb."""
    start, end = scene.sentence
    return [quote for quote in scene.text.quotes if start <= quote.start < end and quote.start >= scene.verb_start]


def _quote(scene: Scene) -> JsonValue:
    """The first quote after the verb, without the comma that belongs to the narrative."""
    names_only = [quote for quote in _quotes(scene) if not _is_channel(scene, quote)]
    return names_only[0].text.strip(" ,，") if names_only else None


def _is_channel(scene: Scene, quote: Quote) -> bool:
    return any(
        entity.kind == "channel" and entity.start <= quote.start and quote.end <= entity.end + 1
        for entity in scene.entities
    )


def _object(scene: Scene) -> JsonValue:
    """The words after the verb up to the next comma, preposition or conjunction, without articles."""
    rest = scene.text.raw[scene.verb_end : scene.sentence[1]]
    stop = _STOP.search(rest)
    phrase = _ARTICLES.sub("", rest[: stop.start() if stop else None].strip(" '\"’“”‘"))
    return phrase.strip(" '\"’“”‘") or None


def _thing(scene: Scene) -> JsonValue:
    return scene.text.raw[scene.thing[0] : scene.thing[1]]


def _names_in(text: str) -> list[str]:
    found = [match[0] for match in _NAME.finditer(text)] + _TITLE.findall(text)
    trimmed = [" ".join(word for word in name.split() if word not in _NO_NAME) for name in found]
    return [name for name in trimmed if len(name) > 1]


def _sources(scene: Scene) -> JsonValue:
    """All names from the verb to the end of its sentence: a habit keeps those that its days have in common."""
    return list(dict.fromkeys(_names_in(scene.text.raw[scene.verb_end : scene.sentence[1]]))) or None


def _opened_name(scene: Scene) -> JsonValue:
    """The name that is the verb's object: "opened the Camera app", "打开微信"."""
    phrase = _object(scene)
    if not isinstance(phrase, str):
        return None
    names = _names_in(re.sub(r"\s+app$", "", phrase))
    return names[0] if names and phrase.startswith(names[0]) else None


def _channel(scene: Scene) -> JsonValue:
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


def _subject(scene: Scene) -> JsonValue:
    """A quote beside the words "subject" or 主题."""
    raw = scene.text.raw
    for quote in scene.text.quotes:
        if re.search(r"subject|title|主题|标题", raw[max(0, quote.start - 24) : quote.end + 24], re.IGNORECASE):
            return quote.text
    return None


def _note(scene: Scene) -> JsonValue:
    """What stands in brackets behind the object, or is quoted after "note"."""
    match = _NOTE.search(scene.text.raw, scene.verb_end, scene.sentence[1])
    if match:
        return _first(match)
    noted = [
        quote for quote in _quotes(scene) if _NOTE_WORD.search(scene.text.raw[max(0, quote.start - 30) : quote.end])
    ]
    return noted[0].text if noted else None


def _last_date(scene: Scene) -> JsonValue:
    found = _of_kind(scene, "date")
    return found[-1].value if found else None


def _emails(scene: Scene) -> JsonValue:
    found: list[JsonValue] = [entity.value for entity in _of_kind(scene, "email")]
    return found or None


def _percent_text(scene: Scene) -> JsonValue:
    value = _entity("percent")(scene)
    return f"{value}%" if value is not None else None


def _in_sentence(pattern: re.Pattern[str]) -> Extractor:
    return lambda scene: _first(pattern.search(scene.text.raw, scene.sentence[0], scene.sentence[1]))


def _after_verb(pattern: re.Pattern[str]) -> Extractor:
    return lambda scene: _first(pattern.search(scene.text.raw, scene.verb_start, scene.sentence[1]))


def _level(scene: Scene) -> JsonValue:
    value = _first(_LEVEL.search(scene.text.raw, scene.verb_start, scene.sentence[1]))
    return int(value) if value else None


EXTRACTORS: Mapping[str, Extractor] = {
    "app": lambda scene: scene.app,
    "callee": _in_sentence(_CALLEE),
    "channel": _channel,
    "clock_time": _entity("clock_time"),
    "destination": _after_verb(_DESTINATION),
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
    "person": _after_verb(_PERSON),
    "place": _object,
    "quote": _quote,
    "seconds": lambda scene: _whole_number("seconds")(scene) or _whole_number("minutes", 60)(scene),
    "sources": _sources,
    "subject": _subject,
    "thing": _thing,
    "url": _entity("url"),
}
