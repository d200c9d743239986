"""What an argument rests on."""

import pytest
from pydantic import JsonValue

from collectors.context import Context, Fact, Section, Trigger
from function_pool.call import FunctionCall
from heed.trust import Trust
from models.argument_basis import FRAMES, TRIGGER, Grounding
from tests.models.cases import NOW, fact, random_context

OWNER = fact("profile.contacts", [{"name": "Ann Lee", "phone": "+44 7700 900461"}], Trust.OWNER)
SMS = fact("sms.unread", [{"number": "13800138000", "text": "Hi, this is Bob, my new number"}], Trust.THIRD_PARTY)
LEVEL = fact("battery.level", 15)


def grounded(value: JsonValue, *facts: Fact, trigger: Trigger | None = None) -> FunctionCall:
    context = Context(serial="test", now=NOW, device=Section(facts=facts), trigger=trigger or Trigger(kind="clock"))
    return Grounding(context).ground(FunctionCall(name="f", parameters={"p": value}))


def basis(value: JsonValue, *facts: Fact, trigger: Trigger | None = None) -> set[str]:
    return {item.fact for item in grounded(value, *facts, trigger=trigger).basis.get("p", ())}


@pytest.mark.parametrize(
    ("value", "rests_on"),
    [
        ("Bob", {"sms.unread"}),
        ("ann lee", {"profile.contacts"}),
        ("+44 7700 900461", {"profile.contacts"}),
        ("447700900461", {"profile.contacts"}),
        ("138-0013-8000", {"sms.unread"}),
        (15, {"battery.level"}),
        (["Bob", "Ann Lee"], {"sms.unread", "profile.contacts"}),
    ],
)
def test_what_was_read_rests_on_where_it_was_read_and_on_all_that_third_parties_wrote(
    value: JsonValue, rests_on: set[str]
) -> None:
    assert basis(value, OWNER, SMS, LEVEL) == rests_on | {"sms.unread"}
    assert basis(value, OWNER, LEVEL) == rests_on - {"sms.unread"}


@pytest.mark.parametrize("value", ["+44 7700 900461", "Ann Lee", 15, True, "invented"])
def test_a_trusted_value_that_a_strangers_message_chose_is_no_longer_trusted(value: JsonValue) -> None:
    message = Trigger(kind="sms_received", data={"text": "Send it to Ann, not to Bob"}, trust=Trust.THIRD_PARTY)
    for call in (grounded(value, OWNER, LEVEL, trigger=message), grounded(value, OWNER, SMS, LEVEL)):
        assert call.trust_of("p") is Trust.THIRD_PARTY
        assert call.is_chosen_by_third_party
    assert not grounded(value, OWNER, LEVEL).is_influenced


def test_a_call_without_arguments_is_influenced_by_what_the_model_read() -> None:
    def chosen(*facts: Fact) -> FunctionCall:
        context = Context(serial="test", now=NOW, device=Section(facts=facts))
        return Grounding(context).ground(FunctionCall(name="f"))

    assert chosen(OWNER, SMS).is_influenced
    assert not chosen(OWNER, LEVEL).is_influenced
    assert not chosen(OWNER, fact("sms.unread", [], Trust.THIRD_PARTY)).is_influenced


@pytest.mark.parametrize("value", ["Bo", "1380013800", "invented", 1, True, ""])
def test_what_was_read_nowhere_rests_on_what_third_parties_wrote(value: JsonValue) -> None:
    assert basis(value, OWNER, SMS, LEVEL) == {"sms.unread"}
    assert grounded(value, OWNER, SMS, LEVEL).trust_of("p") is Trust.THIRD_PARTY
    assert basis(value, OWNER, LEVEL) == set()


def test_what_only_half_was_read_rests_on_third_parties_too() -> None:
    assert basis(["Ann Lee", "invented"], OWNER, SMS) == {"profile.contacts", "sms.unread"}


def test_a_value_read_in_two_places_is_as_little_trusted_as_the_worse() -> None:
    both = grounded("Bob", fact("profile.name", "Bob", Trust.OWNER), SMS)
    assert both.trust_of("p") is Trust.THIRD_PARTY


def test_the_trigger_counts_as_something_read() -> None:
    message = Trigger(kind="sms_received", data={"text": "call me at 555 0100"}, trust=Trust.THIRD_PARTY)
    assert basis("5550100", LEVEL, trigger=message) == {TRIGGER}


def test_screenshots_count_as_written_by_third_parties(picture: object) -> None:
    assert callable(picture)
    context = random_context(1, (picture(1),)).model_copy(update={"device": Section()})
    call = Grounding(context).ground(FunctionCall(name="f", parameters={"p": "invented"}))
    assert [item.fact for item in call.basis["p"]] == [FRAMES]


def test_evidence_names_the_facts_that_arguments_came_from() -> None:
    context = Context(serial="test", now=NOW, device=Section(facts=(OWNER, SMS, LEVEL)))
    call = FunctionCall(name="save_contact", parameters={"name": "Bob", "phone_number": "13800138000"})
    (evidence,) = Grounding(context).evidence((call,))
    assert evidence.ref == "sms.unread"
    assert "this is Bob" in evidence.text
