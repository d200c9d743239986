"""The sentences of the routines reasoner, from one table (``data/wording.yaml``)."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import cache
from importlib.resources import files

from pydantic import Field, JsonValue, TypeAdapter, model_validator

from function_pool.call import FunctionCall
from function_pool.taught import PREFIX
from function_pool.wording import argument_text
from heed.dates import day_text, moment_text
from heed.language import Language
from heed.messages import msg, template_in, translate
from heed.model import Frozen
from heed.trust import Trust
from models.routines.documents import parse_document
from models.routines.language.current_moment import CurrentMoment
from models.routines.mining.habit import AtTime, Habit

_OPTIONAL = re.compile(r"\[([^\[\]]*+)\]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_LONGEST_SENDER = 40
"""Characters of a sender's name in a question: others chose it."""
_WEEKLY = 2.0
"""A habit is weekly if one weekday is this many times as likely as any other."""


class Sentence(Frozen):
    """A sentence of a situation, which its author writes in both languages, with placeholders ``{name}``."""

    en: str
    zh: str

    def text(self, language: Language, **values: object) -> str:
        """The sentence with its placeholders filled."""
        return _fill(self.en if language is Language.EN else self.zh, values)


class _Phrase(Frozen):
    """An English template with ``{slots}`` and [optional parts]; the catalogue has its translations."""

    say: str
    given: Mapping[str, JsonValue] = Field(default_factory=dict)
    """The arguments for which it is said."""
    known: tuple[str, ...] = ()
    """The arguments that must have a value, whichever it is."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        return {"say": value} if isinstance(value, str) else value

    def fits(self, call: FunctionCall, known: Collection[str]) -> bool:
        """Whether it is said for a call of which these arguments have a value."""
        given = all(call.parameters.get(name) == value for name, value in self.given.items())
        return given and all(name in known for name in self.known)

    def text(self, language: Language, **values: object) -> str:
        """The phrase with its slots filled."""
        return _fill(template_in(language, self.say), values)


class _Table(Frozen):
    offers: Mapping[str, tuple[_Phrase, ...]]
    habit: Mapping[str, _Phrase]
    situation: _Phrase
    text: Mapping[str, _Phrase]
    """Of the reader of incoming texts."""
    joint: _Phrase
    """Joins two offers."""
    why: Mapping[str, _Phrase]
    silent: Mapping[str, _Phrase]
    weekdays: tuple[_Phrase, ...]


@cache
def _table() -> _Table:
    text = files("models.routines").joinpath("data").joinpath("wording.yaml").read_text("utf-8")
    return parse_document(text, TypeAdapter(_Table), "wording.yaml")


def _fill(template: str, values: Mapping[str, object]) -> str:
    def optional(match: re.Match[str]) -> str:
        return match[1] if all(name in values for name in _PLACEHOLDER.findall(match[1])) else ""

    return _PLACEHOLDER.sub(lambda match: _show(values.get(match[1], "…")), _OPTIONAL.sub(optional, template))


def _show(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def offer(call: FunctionCall, language: Language) -> str:
    """Words for a proposed call, without a full stop: "turn on battery saver"."""
    filled = {name: value for name, value in call.parameters.items() if value not in (None, "", [])}
    known = {name: argument_text(name, value, language) for name, value in filled.items()} | _period(call, language)
    for each in _table().offers.get(call.name, ()):
        if each.fits(call, known):
            return each.text(language, **known)
    if call.name.startswith(PREFIX):
        return _taught(call, language)
    return call.name


def _period(call: FunctionCall, language: Language) -> dict[str, str]:
    """The slot ``period``: the day from start_time to end_time, or both where they are not of one day."""
    try:
        start, end = (datetime.fromisoformat(str(call.parameters[name])) for name in ("start_time", "end_time"))
        length = end - start
    except (KeyError, ValueError, TypeError):  # TypeError: only one of them has an offset
        return {}
    if start.time() == time.min and timedelta(hours=23, minutes=59) <= length <= timedelta(days=1):
        return {"period": day_text(start, language)}
    first, last = (moment_text(moment, language) for moment in (start, end))
    return {"period": translate(msg("{start} to {end}", start=first, end=last), language)}


def _taught(call: FunctionCall, language: Language) -> str:
    name = call.name.removeprefix(PREFIX).replace("_", " ")
    values = [str(value) for value in call.shown.values()]
    if not values:
        return translate(msg("do “{name}” as you taught it", name=name), language)
    return translate(msg("do “{name}” as you taught it, with {values}", name=name, values=values), language)


def habit_sentence(habit: Habit, call: FunctionCall, moment: CurrentMoment, language: Language) -> str:
    """The question that proposes a habit's call; it calls nothing usual that rests on third-party text."""
    if any(call.trust_of(name) is Trust.THIRD_PARTY for name in call.parameters):
        return _table().habit["third_party"].text(language, offer=offer(call, language))
    kind = habit.when.kind
    if isinstance(habit.when, AtTime) and _is_weekly(habit.when):
        kind_name = "weekly"
        weekday = _table().weekdays[habit.when.window.day_of(moment.context.now).weekday()].text(language)
    else:
        kind_name, weekday = kind, ""
    time = habit.when.window.usual() if isinstance(habit.when, AtTime) else ""
    return _table().habit[kind_name].text(language, offer=offer(call, language), time=time, weekday=weekday)


def _is_weekly(when: AtTime) -> bool:
    *_, second, first = sorted(when.likelihoods["any"])
    return first >= _WEEKLY * second


def habit_reason(habit: Habit, language: Language) -> str:
    """The counts and times of a habit; of a weekly habit, the counts of its weekday."""
    if isinstance(habit.when, AtTime) and _is_weekly(habit.when):
        return _weekly_reason(habit, habit.when, language)
    if isinstance(habit.when, AtTime) and not any(day.hits for day in habit.when.seen[5:]):
        return _workday_reason(habit, habit.when, language)
    time = habit.when.window.text() if isinstance(habit.when, AtTime) else ""
    return (
        _table()
        .why[habit.when.kind]
        .text(language, support=habit.support, chances=habit.chances, time=time, last=_last(habit, language))
    )


def _weekly_reason(habit: Habit, when: AtTime, language: Language) -> str:
    likelihoods = when.likelihoods["any"]
    weekday = likelihoods.index(max(likelihoods))
    table, seen = _table(), when.seen[weekday]
    return table.why["weekly"].text(
        language,
        support=seen.hits,
        chances=seen.chances,
        weekday=table.weekdays[weekday].text(language),
        time=when.window.text(),
        last=_last(habit, language),
    )


def _workday_reason(habit: Habit, when: AtTime, language: Language) -> str:
    workdays = when.seen[:5]
    return (
        _table()
        .why["workdays"]
        .text(
            language,
            support=sum(day.hits for day in workdays),
            chances=sum(day.chances for day in workdays),
            time=when.window.text(),
            last=_last(habit, language),
        )
    )


def _last(habit: Habit, language: Language) -> str:
    return day_text(habit.last_seen.date(), language, with_year=True)


def situation_sentence(because: str, calls: Sequence[FunctionCall], language: Language) -> str:
    """The question that proposes a situation's calls."""
    table = _table()
    offers = table.joint.text(language).join(offer(call, language) for call in calls)
    return table.situation.text(language, because=because, offer=offers)


def text_sentence(sender: str, call: FunctionCall, language: Language) -> str:
    """The question that proposes what an incoming text calls for."""
    shown = offer(call, language)
    if not sender:
        return _table().text["nobody"].text(language, offer=shown)
    name = sender if len(sender) <= _LONGEST_SENDER else f"{sender[: _LONGEST_SENDER - 1]}…"
    return _table().text["question"].text(language, sender=name, offer=shown)


def text_reason(words: Sequence[str], language: Language) -> str:
    """The words of the text that an offer rests on."""
    if not words:
        return _table().text["whole"].text(language)
    return _table().text["words"].text(language, words=", ".join(f"“{one}”" for one in words))


def silent_reason(name: str, language: Language, **values: object) -> str:
    """The reason for silence."""
    return _table().silent[name].text(language, **values)
