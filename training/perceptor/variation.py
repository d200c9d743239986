"""Augmentation of moments, anew in each round: irrelevant content and the style of writing."""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from collectors.context import RenderedContext
from models.perceptor.features import PHRASE_END, phrases
from training.perceptor.examples import Example, Moment

_STEPS, _FACTS = (0, 0, 1, 2, 3), (0, 0, 1, 2)
"""How many strange steps and facts come into all records of a moment, one of these."""
_OWN_STEPS, _OWN_FACTS = (0, 0, 0, 1), (0, 0, 1, 2, 3)
"""And into each alone, so that length says nothing: what makes silence right takes some more words than the need."""
_LATEST = 0.85
"""Strange steps stand before this part of the trace: its end is what just happened."""
_GONE, _FILLED = (0, 0, 0, 0.15, 0.3, 0.5), 0.65
"""Where it is marked what decides, one of these shares of the rest goes; so often something strange comes instead."""
_DROPPED, _WORLDLESS = 0.12, 0.15
"""How often a step that all have, and the world, is left out."""
_ANOTHER_MANNER = 0.4
"""How often each mark of a manner is changed."""
_STAMP = re.compile(
    r"^[\[(【]?\s*(?:\d{1,2}月\d{1,2}日\s*|昨天|今天|周.|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\s)?\s*"
    r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?\s*(?:am\b|pm\b)?\s*[\])】]?\s*[-:：,，|]?\s*",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^(?:the user|user|he|she|用户|机主|他|她)(?![a-z])\s*", re.IGNORECASE)
_SUBJECTS: Mapping[str, Sequence[str]] = {
    "en": ("", "The user ", "User ", "She ", "The person "),
    "zh": ("", "用户", "机主", "她", "用户在手机上"),
}
_PICTURE = re.compile(r"^(?:screenshot|截图|截屏)\s*[:：]\s*", re.IGNORECASE)
_QUOTES = re.compile(r"[“”\"「」『』]|(?<!\w)['‘]|['’](?!\w)")
_OTHER_QUOTES = ("'", '"', "「", "")
_ENDS = re.compile(r"\s*[;；。]\s*|(?<=[a-z0-9%)])\.\s+")
_OTHER_ENDS: Mapping[str, Sequence[str]] = {"en": ("; ", ". ", ", "), "zh": ("；", "。", "，")}
_MARKS: Mapping[str, str] = {"en": "; ", "zh": "；"}
"""Between facts."""
_PARTS = ("phone", "profile", "world")
Change = Callable[[str], str]


class Strange(NamedTuple):
    """Steps and facts of other moments in one language, unrelated to the present one."""

    steps: Sequence[str]
    phone: Sequence[str]
    profile: Sequence[str]
    world: Sequence[str]


def strange(found: Iterable[Example]) -> dict[str, Strange]:
    """By language, what calm moments say: nothing of it is a need by itself."""
    by_language: dict[str, list[Example]] = defaultdict(list)
    for one in found:
        if not one.needed:
            by_language[one.language].append(one)
    return {
        language: Strange(
            [step for one in calm for step in one.said.trace[:-1]],
            *([bare(phrase) for one in calm for phrase in phrases(getattr(one.said, part))] for part in _PARTS),
        )
        for language, calm in by_language.items()
    }


def varied(moment: Moment, others: Strange, chance: random.Random) -> Moment:
    """A variant of the moment: other irrelevant content, another style."""
    moment = [elsewhere(one, others, chance) for one in moment]
    return [padded(one, others, chance) for one in restyled(disturbed(moment, others, chance), chance)]


def elsewhere(one: Example, others: Strange, chance: random.Random) -> Example:
    """Drops or replaces content around the marked phrases."""
    gone = chance.choice(_GONE)
    if not one.tells or not gone:
        return one

    def again(said: Sequence[str], strangers: Sequence[str]) -> list[str]:
        stays = [phrase if bare(phrase) in one.tells or chance.random() >= gone else "" for phrase in said]
        filled = [phrase or (chance.choice(strangers) if chance.random() < _FILLED else "") for phrase in stays]
        return [phrase for phrase in filled if phrase]

    def text(part: str) -> str:
        found = again(phrases(getattr(one.said, part)), getattr(others, part))
        return _MARKS[one.language].join(map(bare, found))

    trace = tuple(again(one.said.trace, others.steps)) or one.said.trace
    return one._replace(said=one.said.model_copy(update={"trace": trace, **{part: text(part) for part in _PARTS}}))


def bare(phrase: str) -> str:
    """A phrase without what ends it."""
    return phrase.rstrip(".。;；,， ")


def disturbed(moment: Moment, others: Strange, chance: random.Random) -> Moment:
    """The same strange steps and facts in all records of a moment, and what all have left out at times.

    What tells the need from its look-alikes stays; everything else is never quite the same.
    """
    drawn = [(chance.choice(others.steps), _LATEST * chance.random()) for _ in range(chance.choice(_STEPS))]
    own = {step for one in moment for step in one.said.trace}
    steps = [(step, place) for step, place in drawn if step not in own]
    facts = [chance.choice(others.phone) for _ in range(chance.choice(_FACTS))]
    common = set.intersection(*(set(one.said.trace) for one in moment)) if len(moment) > 1 else set()
    gone = {step for step in sorted(common) if chance.random() < _DROPPED}
    worldless = chance.random() < _WORLDLESS and len({one.said.world for one in moment}) == 1
    mark = _MARKS[moment[0].language]

    def changed(said: RenderedContext) -> RenderedContext:
        trace = [step for step in said.trace if step not in gone]
        for step, place in steps:
            trace.insert(int(place * len(trace)), step)
        phone = mark.join([said.phone.rstrip(".。"), *facts])
        world = "" if worldless else said.world
        return said.model_copy(update={"trace": tuple(trace), "phone": phone, "world": world})

    return [one._replace(said=changed(one.said)) for one in moment]


def padded(one: Example, others: Strange, chance: random.Random) -> Example:
    """The record with strange steps and facts of its own, wherever they fall but at the trace's end."""
    steps = [chance.choice(others.steps) for _ in range(chance.choice(_OWN_STEPS))]
    facts = [chance.choice(others.phone) for _ in range(chance.choice(_OWN_FACTS))]
    trace, phone = list(one.said.trace), one.said.phone
    for step in steps:
        trace.insert(int(_LATEST * chance.random() * len(trace)), step)
    for fact in facts:
        place = chance.choice([0, *(found.end() for found in PHRASE_END.finditer(phone))])
        phone = phone[:place] + fact + _MARKS[one.language] + phone[place:]
    said = one.said.model_copy(update={"trace": tuple(trace), "phone": phone})
    return one._replace(said=said, strange=frozenset(map(bare, (*steps, *facts))))


def restyled(moment: Moment, chance: random.Random) -> Moment:
    """Pictures, clock times and subjects before steps, quotation marks and the ends of facts otherwise, in all alike.

    Each manner of writing shifts what the gate makes of a moment; hearing several teaches it to listen to the rest.
    Steps that differ go on differing.
    """
    language = moment[0].language
    picture = _at_times(_PICTURE, "", chance)
    stamp = _at_times(_STAMP, "", chance)
    subject = _at_times(_SUBJECT, chance.choice(_SUBJECTS[language]), chance)
    quotes = _at_times(_QUOTES, chance.choice(_OTHER_QUOTES), chance)
    ends = _at_times(_ENDS, chance.choice(_OTHER_ENDS[language]), chance)
    steps = {step: _changed(step, picture, stamp, subject, quotes) for one in moment for step in one.said.trace}
    if len(set(steps.values())) < len(steps):
        steps = {step: step for step in steps}

    def rewritten(said: RenderedContext) -> RenderedContext:
        phone, profile = _changed(said.phone, quotes, ends), _changed(said.profile, subject, quotes)
        trace = tuple(steps[step] for step in said.trace)
        return said.model_copy(update={"trace": trace, "phone": phone, "profile": profile})

    def marked(one: Example) -> frozenset[str]:
        """Keeps the marked phrases identifiable after the change."""
        manners = ((quotes, ends), (subject, quotes))
        found = {_changed(phrase, *manner) for phrase in one.tells for manner in manners}
        told = {new for step, new in steps.items() if bare(step) in one.tells}
        return frozenset(map(bare, found | told))

    return [one._replace(said=rewritten(one.said), tells=marked(one)) for one in moment]


def _at_times(what: re.Pattern[str], by: str, chance: random.Random) -> Change:
    if chance.random() < _ANOTHER_MANNER:
        return lambda text: what.sub(by, text)
    return lambda text: text


def _changed(text: str, *changes: Change) -> str:
    new = text
    for change in changes:
        new = change(new)
    return new if new.strip() else text
