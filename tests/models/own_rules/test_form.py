"""A rule that is filled in is the rule that its sentence, typed, would be."""

from datetime import time
from typing import Any

import pytest

from function_pool.spec import default_pool
from heed.errors import PersonError
from heed.language import Language
from models.own_rules.form import FormChoice, RuleForm, form_choices, read_form
from models.own_rules.phrases import Phrase, phrase_table
from models.own_rules.sentence import read_rule
from models.routines.rules.situations import Situation, example_sentence
from tests.models.own_rules.test_sentence import PLACES

WORDS = {"place": {"en": "the gym", "zh": "健身房"}, "level": {"en": "20", "zh": "20"}}
"""What is typed for an event."""


def filled_in(language: Language = Language.EN, **fields: Any) -> Situation:
    return read_form(RuleForm(**fields), 1, default_pool(), {**PLACES, "the gym": "gym"}, language)


def typed(rule: Situation, language: Language) -> Situation:
    """The rule that its own sentence is read as."""
    return read_rule(rule.about.text(language), 1, default_pool(), {**PLACES, "the gym": "gym"})


def number(label: str, language: Language = Language.EN) -> int:
    return next(one.number for one in form_choices(language).actions if one.label == label)


def test_every_phrase_is_offered_in_a_language_and_each_label_once() -> None:
    table = phrase_table()
    phrases: list[Phrase] = [*table.events, *table.actions, *table.days]
    assert all(phrase.form for phrase in phrases)
    for language in Language:
        choices = form_choices(language)
        labels = [one.label for one in (*choices.events, *choices.actions)]
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("language", Language)
def test_each_event_and_action_is_read_as_the_sentence_that_it_writes(language: Language) -> None:
    choices = form_choices(language)
    for event in choices.events:
        slot = next(
            iter(name for name in WORDS if f"<{name}>" in phrase_table().events[event.number].form[language]), ""
        )
        value = WORDS[slot][language] if slot else ""
        rule = filled_in(language, event=event.number, value=value, action=choices.actions[-2].number, text="Spotify")
        assert rule == typed(rule, language), rule.about
        assert example_sentence(rule, language)
    for action in choices.actions:
        rule = filled_in(language, at="18:00", action=action.number, text="Alice" if action.asks else "")
        assert rule == typed(rule, language), rule.about


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "days", [(), ("mon", "tue", "wed", "thu", "fri"), ("sun", "sat"), ("mon", "wed", "sat"), ("tue",)]
)
def test_days_and_lengths_are_read_as_the_sentence_that_they_write(language: Language, days: tuple[str, ...]) -> None:
    quiet = next(one for one in form_choices(language).actions if one.lasts).number
    for fields in ({}, {"until": time(7)}, {"minutes": 45}):
        rule = filled_in(language, at=time(22, 30), days=days, action=quiet, **fields)
        assert rule == typed(rule, language), rule.about
    assert rule.calls[0].parameters["duration_minutes"] == 45


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"action": 0, "text": "x"}, "Say when"),
        ({"action": 0, "text": "x", "at": "18:00", "event": 0}, "Say when"),
        ({"action": 0, "at": "18:00"}, "“remind me to …” lacks a word"),
        ({"action": 0, "text": " \n ", "at": "18:00"}, "lacks a word"),
        ({"action": 999, "at": "18:00"}, "no such choice"),
        ({"action": 0, "text": "x", "event": 999}, "no such choice"),
        ({"action": 4, "event": 0, "until": "07:00"}, "Until when is known only for a rule with a time"),
        ({"action": 4, "event": 4, "value": "the moon"}, "Your profile has no place 'the moon'"),
        ({"action": 4, "event": 2, "value": "low"}, "The rule was not understood"),
    ],
)
def test_what_does_not_fit_is_told(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(PersonError, match=said):
        filled_in(**fields)


def test_a_choice_says_what_it_asks_for() -> None:
    actions = {one.label: one for one in form_choices(Language.EN).actions}
    assert actions["call …"] == FormChoice(number=2, label="call …", asks=True)
    assert actions["do not disturb"].lasts and not actions["do not disturb"].asks
