"""A rule as the fields of a form: the same phrases as in a sentence, chosen instead of typed."""

import re
from collections.abc import Mapping, Sequence
from datetime import time
from typing import TypeVar

from pydantic import Field

from function_pool.spec import Pool
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg
from heed.model import Frozen
from models.own_rules.building import Begins, at_event, at_time, build, call_of, known_place, minutes_until
from models.own_rules.phrases import EventPhrase, Phrase, filled, phrase_table
from models.routines.rules.due_time import DueTime
from models.routines.rules.situations import Situation
from models.routines.rules.value_test import WEEKDAYS, Weekday

_SLOT = re.compile(r"<(\w+)>")
_MOST_MINUTES = 24 * 60
PhraseT = TypeVar("PhraseT", bound=Phrase)


class RuleForm(Frozen):
    """A rule as it is filled in; an event and an action are the numbers of ``FormChoices``."""

    at: time | None = None
    """The time of day; None for an event."""
    days: tuple[Weekday, ...] = ()
    """The weekdays of ``at``; empty = every day."""
    event: int | None = Field(default=None, ge=0)
    value: str = Field(default="", max_length=100)
    """What the event asks for: a place, or a level of the battery."""
    action: int = Field(ge=0)
    text: str = Field(default="", max_length=200)
    """What the action asks for: whom to call, what to open."""
    until: time | None = None
    """The end of an action that lasts, for a rule with a time of day."""
    minutes: int | None = Field(default=None, ge=1, le=_MOST_MINUTES)
    """The length of an action that lasts, where ``until`` is not given."""


class FormChoice(Frozen):
    """An event or an action that the form offers."""

    number: int
    label: str
    asks: bool
    """Whether it asks for a text."""
    lasts: bool = False
    """Whether it may be given a length."""


class FormChoices(Frozen):
    """What the form offers, in one language."""

    events: tuple[FormChoice, ...]
    actions: tuple[FormChoice, ...]


def form_choices(language: Language) -> FormChoices:
    """What the form offers."""
    table = phrase_table()
    lasting = {number for number, action in enumerate(table.actions) if action.duration}
    return FormChoices(
        events=tuple(_choices(table.events, language)),
        actions=tuple(
            one.model_copy(update={"lasts": one.number in lasting}) for one in _choices(table.actions, language)
        ),
    )


def _choices(phrases: Sequence[Phrase], language: Language) -> list[FormChoice]:
    offered = [(number, phrase.form[language]) for number, phrase in enumerate(phrases) if language in phrase.form]
    return [
        FormChoice(number=number, label=_SLOT.sub("…", text), asks=bool(_SLOT.search(text))) for number, text in offered
    ]


def read_form(form: RuleForm, number: int, pool: Pool, places: Mapping[str, str], language: Language) -> Situation:
    """Read a rule; the arguments and errors are those of ``read_rule``, whose sentence it writes in ``language``."""
    table = phrase_table()
    if (form.at is None) == (form.event is None):
        raise UsageError(msg("Say when: at a time of day, or at an event."))
    if form.at is not None:
        days = tuple(day for day in WEEKDAYS if day in (form.days or WEEKDAYS))
        begins = at_time(DueTime(time=form.at, days=days))
        cause = f"{_days_text(days, language)}{form.at:%H:%M}"
    else:
        event = _chosen(table.events, form.event, language)
        begins, cause = _at_event(event, form.value, places, language), _text(event, form.value, language)
    action = _chosen(table.actions, form.action, language)
    minutes = _minutes(form)
    call = call_of(action, _groups(action, form.text, language), minutes, pool)
    wanted = _text(action, form.text, language)
    if action.duration and minutes is not None:
        wanted += _length_text(form, minutes, language)
    colon = ": " if language is Language.EN else "："
    return build(number, f"{cause}{colon}{wanted}", begins, call)


def _chosen(phrases: Sequence[PhraseT], number: int | None, language: Language) -> PhraseT:
    if number is None or number >= len(phrases) or language not in phrases[number].form:
        raise UsageError(msg("The form offers no such choice."), msg("Reload the page."))
    return phrases[number]


def _at_event(event: EventPhrase, value: str, places: Mapping[str, str], language: Language) -> Begins:
    groups = _groups(event, value, language)
    if "place" in groups:
        groups = {"named": groups["place"], "place": known_place(groups["place"], places)}
    return at_event(event, groups)


def _groups(phrase: Phrase, typed: str, language: Language) -> dict[str, str]:
    """What was typed, under the name of the phrase's place for it; ``UsageError`` where nothing was."""
    slot = _SLOT.search(phrase.form.get(language, ""))
    if slot is None:
        return {}
    words = " ".join(typed.split())
    if not words:
        raise UsageError(msg("“{choice}” lacks a word.", choice=_SLOT.sub("…", phrase.form[language])))
    return {slot[1]: words}


def _text(phrase: Phrase, typed: str, language: Language) -> str:
    return str(filled(phrase.form.get(language, ""), _groups(phrase, typed, language)))


def _minutes(form: RuleForm) -> int | None:
    if form.until is None:
        return form.minutes
    if form.at is None:
        raise UsageError(
            msg("Until when is known only for a rule with a time."), msg("Say for how long: “for 2 hours”.")
        )
    return minutes_until(form.at, form.until)


def _length_text(form: RuleForm, minutes: int, language: Language) -> str:
    if form.until is not None:
        return f" until {form.until:%H:%M}" if language is Language.EN else f"到{form.until:%H:%M}"
    return f" for {minutes} minutes" if language is Language.EN else f"{minutes}分钟"


def _days_text(days: Sequence[Weekday], language: Language) -> str:
    """The days in front of a time: those of one phrase, or else one phrase for each day; nothing for every day."""
    if days == WEEKDAYS:
        return ""
    phrases = phrase_table().days
    whole = [phrase for phrase in phrases if phrase.days == days]
    single = [phrase for phrase in phrases if len(phrase.days) == 1 and phrase.days[0] in days]
    named = [phrase.form[language] for phrase in whole or single]
    return ", ".join(named) + " " if language is Language.EN else "、".join(named)
