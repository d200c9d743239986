"""Every effect has words in both languages, and foreign text cannot pose as ours."""

import json
import string
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executors.plan import Effect, Outcome, OutcomeKind
from executors.wording import describe, describe_outcome
from heed.language import Language
from heed.messages import msg, template_in

TABLE: dict[str, list[str]] = json.loads(files("executors").joinpath("wording.json").read_text("utf-8"))


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("kind", TABLE)
def test_both_languages_tell_the_same_values(kind: str) -> None:
    assert len(TABLE[kind]) in (1, 2)
    for english in TABLE[kind]:
        chinese = template_in(Language.ZH, english)
        assert english.isascii() or "“" in english
        assert not chinese.isascii()
        # English leaves nothing out that Chinese tells, and the other way round.
        assert fields(english) == fields(chinese)


@pytest.mark.parametrize("kind", TABLE)
def test_every_sentence_is_one(kind: str) -> None:
    assert all(sentence[-1] == "." for sentence in TABLE[kind])


def test_an_effect_is_told_in_the_persons_language() -> None:
    effect = Effect(kind="brightness", detail={"percent": 40})
    assert describe(effect, Language.EN) == "Sets the brightness to 40 %."
    assert describe(effect, Language.ZH) == "将亮度设为 40%。"


def test_what_is_now_so_has_words_of_its_own() -> None:
    effect = Effect(kind="power_saving_on")
    assert describe(effect, Language.EN, done=True) == "Battery saver is on."
    assert describe(effect, Language.ZH, done=True) == "省电模式已开启。"
    outcome = Outcome(kind=OutcomeKind.VERIFIED, told=(effect, Effect(kind="ends_by_itself", detail={"minutes": 5})))
    assert describe_outcome(outcome, Language.EN) == "Battery saver is on. It ends by itself after 5 minutes."
    refused = Outcome(kind=OutcomeKind.REFUSED, message=msg("The phone is locked."))
    assert describe_outcome(refused, Language.ZH) == "手机已锁定。"


def test_moments_sizes_and_lists_are_written_for_people() -> None:
    alarm = Effect(kind="alarm_set_again", detail={"at": "2026-02-07T07:00:00+08:00"})
    assert "Sat 7 Feb 2026, 07:00" in describe(alarm, Language.EN)
    assert "2026年2月7日周六07:00" in describe(alarm, Language.ZH)
    review = Effect(kind="media_review", detail={"count": 3, "bytes": 4_200_000})
    assert describe(review, Language.EN) == "Shows the files (3, 4.2 MB); nothing is moved."
    kept = Effect(kind="contact_extended", detail={"name": "Bob", "kept": ["123", "456"]})
    assert describe(kept, Language.EN) == "Adds to the contact Bob, who keeps 123, 456."


def test_direction_and_control_marks_are_made_visible() -> None:
    text = describe(Effect(kind="sms_compose", detail={"number": "123", "text": "a\n\u202eb\x1b[2J"}), Language.EN)
    assert "a⏎[U+202E]b␛[2J" in text


def test_braces_in_foreign_text_stay_what_they_are() -> None:
    effect = Effect(kind="contact_new", detail={"name": "{name.__class__} {0} {"})
    assert describe(effect, Language.EN) == "Saves a new contact, {name.__class__} {0} {."


def test_a_plug_ins_effect_brings_its_own_words() -> None:
    effect = Effect(kind="feeds_the_cat", detail={"en": "Feeds the cat.", "zh": "喂猫。"})
    assert (describe(effect, Language.EN), describe(effect, Language.ZH)) == ("Feeds the cat.", "喂猫。")


@given(st.text(), st.sampled_from(list(Language)))
def test_any_text_can_be_told(text: str, language: Language) -> None:
    assert describe(Effect(kind="contact_note", detail={"text": text}), language)


def test_arguments_that_the_owner_enters_are_told_in_words() -> None:
    fields = [["check_in_date", "2026-02-13"], ["guest_num", 2], ["password", None], ["note", "a\u202eb"]]
    effect = Effect(kind="page_by_hand", detail={"fields": fields})
    assert describe(effect, Language.EN) == (
        "Enter yourself: check-in date “Fri 13 Feb 2026”, guests “2”, password, note “a[U+202E]b”."
    )
    assert describe(effect, Language.ZH).startswith("请自行填写：入住日期 “2026年2月13日周五”、")


def test_arguments_in_older_journals_are_told_as_they_were() -> None:
    effect = Effect(kind="page_by_hand", detail={"fields": ["guest_num = 2", "password"]})
    assert describe(effect, Language.EN) == "Enter yourself: guest_num = 2, password."


def test_listed_values_days_and_actions_are_told_in_words() -> None:
    alarm = Effect(kind="alarm_set_days", detail={"time": "07:30", "days": ["mon", "tue"]})
    assert describe(alarm, Language.EN) == "Sets an alarm for 07:30 on Mondays, Tuesdays."
    home = Effect(kind="home_service", detail={"device": "Lamp", "action": "set_value 30%", "state": "…"})
    assert describe(home, Language.EN) == "Tells Home Assistant: set 30%, Lamp."
    assert describe(home, Language.ZH) == "通知 Home Assistant：设置 30%，Lamp。"
    told = Effect(kind="weather_told", detail={"place": "York", "date": "2026-02-06", "text": "rain"})
    assert describe(told, Language.EN) == "Weather of York on Fri 6 Feb 2026: rain."
