"""A text message is filled in and left to the person to send."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from function_pool.risk import Risk
from tests.executors.acting import Acting


async def test_it_stops_at_the_compose_screen(acting: Acting) -> None:
    sent = len(acting.phone.state.messages.stored)
    outcome = await acting.do("send_sms", recipient="Alice Chen", content="On my way, 10 min")
    assert outcome.kind is OutcomeKind.HANDED_OVER
    front = acting.phone.state.apps.foreground
    assert front.package == "com.google.android.apps.messaging"
    assert front.intent.data == "smsto:%2B8613800138000"
    assert front.intent.extras["sms_body"] == "On my way, 10 min"
    assert len(acting.phone.state.messages.stored) == sent
    assert (await acting.undo()).kind is OutcomeKind.REFUSED


async def test_the_consent_shows_name_number_and_text(acting: Acting) -> None:
    (step,) = (await acting.prepare("send_sms", recipient="alice  chen", content="Hi")).steps
    assert step.effects[0].detail == {"name": "Alice Chen", "number": "+8613800138000", "text": "Hi"}
    assert step.risk is Risk.R2
    assert step.hands_over and not step.undo


async def test_a_number_is_used_as_it_is_and_named_if_known(acting: Acting) -> None:
    (known,) = (await acting.prepare("send_sms", recipient="+86 139 1122 3344", content="Hi")).steps
    assert known.effects[0].detail["name"] == "Bob Li"
    (unknown,) = (await acting.prepare("send_sms", recipient="+44 7700 900461", content="Hi")).steps
    assert [effect.kind for effect in unknown.opening] == ["sms_compose"]


async def test_a_recipient_from_a_message_raises_the_risk(acting: Acting) -> None:
    plan = await acting.prepare("send_sms", ("recipient",), recipient="+447700900461", content="Hi")
    assert plan.risk is Risk.R5
    assert [reason.rule for reason in plan.steps[0].reasons] == ["third_party_recipient"]


async def test_the_sim_is_left_to_the_person(acting: Acting) -> None:
    (step,) = (await acting.prepare("send_sms", recipient="Alice Chen", content="Hi", sim_slot=2)).steps
    assert [effect.kind for effect in step.opening] == ["sms_compose_named", "sim_by_hand"]


async def test_a_first_name_that_one_person_has_is_enough(acting: Acting) -> None:
    (step,) = (await acting.prepare("send_sms", recipient="Bob", content="Hi")).steps
    assert step.effects[0].detail["name"] == "Bob Li"


async def test_nobody_of_that_name_is_refused(acting: Acting) -> None:
    with pytest.raises(RefusedError, match="No contact with a number is called 'Carol'"):
        await acting.prepare("send_sms", recipient="Carol", content="Hi")


async def test_two_numbers_of_one_name_are_not_guessed_between(acting: Acting) -> None:
    acting.phone.state.contacts.add("Alice Chen", "+86 150 0000 0000")
    with pytest.raises(RefusedError, match="has 2 numbers"):
        await acting.prepare("send_sms", recipient="Alice Chen", content="Hi")
