"""Contacts: made once, extended where they exist, and undo takes back exactly what was added."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from function_pool.risk import Risk
from tests.executors.acting import Acting, difference


def rows(acting: Acting, name: str) -> list[tuple[str, str | None]]:
    """The data rows of the contacts of that name: kind and first column."""
    return [
        (row.mimetype.rpartition("/")[2], row.values.get("data1"))
        for contact in acting.phone.state.contacts.raw
        if contact.name == name
        for row in contact.data
    ]


async def test_a_new_contact_is_made_and_removed(acting: Acting) -> None:
    before = acting.state()
    outcome = await acting.do("save_contact", name="Carol Wu", phone_number="+44 7700 900461")
    assert outcome.kind is OutcomeKind.VERIFIED
    assert rows(acting, "Carol Wu") == [("name", "Carol Wu"), ("phone_v2", "+447700900461")]
    assert all(path.startswith("contacts.raw.") for path in difference(before, acting.state()))
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_every_field_is_saved(acting: Acting) -> None:
    outcome = await acting.do(
        "save_contact",
        name="张伟",
        phone_number="13900000000",
        email="zhang@example.com",
        company="Example GmbH",
        job_title="Chef, Küche",
        note="met at 'Bar \"X\"'; call $(later)",
    )
    assert outcome.kind is OutcomeKind.VERIFIED
    assert rows(acting, "张伟") == [
        ("name", "张伟"),
        ("phone_v2", "13900000000"),
        ("email_v2", "zhang@example.com"),
        ("organization", "Example GmbH"),
        ("note", "met at 'Bar \"X\"'; call $(later)"),
    ]


async def test_a_number_of_somebody_known_is_added_to_the_contact(acting: Acting) -> None:
    before = acting.state()
    (step,) = (await acting.prepare("save_contact", name="bob li", phone_number="+447700900461")).steps
    assert [effect.kind for effect in step.effects] == ["contact_extended", "contact_number"]
    assert step.effects[0].detail == {"name": "Bob Li", "kept": ["+86 139 1122 3344"]}
    assert (await acting.do("save_contact", name="bob li", phone_number="+447700900461")).kind is OutcomeKind.VERIFIED
    assert rows(acting, "Bob Li") == [
        ("name", "Bob Li"),
        ("phone_v2", "+86 139 1122 3344"),
        ("phone_v2", "+447700900461"),
    ]
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_a_first_name_that_one_person_has_means_that_person(acting: Acting) -> None:
    (step,) = (await acting.prepare("save_contact", name="Bob", phone_number="+447700900461")).steps
    assert step.effects[0].detail == {"name": "Bob Li", "kept": ["+86 139 1122 3344"]}
    assert (await acting.do("save_contact", name="Bob", phone_number="+447700900461")).kind is OutcomeKind.VERIFIED


async def test_a_first_name_that_several_have_makes_a_new_contact(acting: Acting) -> None:
    acting.phone.state.contacts.add("Bob Wu", "+86 150 0000 0000")
    (step,) = (await acting.prepare("save_contact", name="Bob", phone_number="+447700900461")).steps
    assert step.effects[0].kind == "contact_new"


async def test_a_number_that_the_contact_has_is_nothing_to_do(acting: Acting) -> None:
    before = acting.state()
    outcome = await acting.do("save_contact", name="Bob Li", phone_number="139 1122 3344")
    assert outcome.kind is OutcomeKind.ALREADY
    assert difference(before, acting.state()) == {}


async def test_a_number_that_somebody_else_has_is_told(acting: Acting) -> None:
    (step,) = (await acting.prepare("save_contact", name="Robert", phone_number="+8613911223344")).steps
    assert step.effects[-1].kind == "contact_number_also"
    assert step.effects[-1].detail == {"name": "Bob Li"}


async def test_two_people_of_one_name_are_not_guessed_between(acting: Acting) -> None:
    acting.phone.state.contacts.add("Bob Li", "+86 150 0000 0000")
    with pytest.raises(RefusedError, match="2 contacts are called"):
        await acting.prepare("save_contact", name="Bob Li", phone_number="+447700900461")


async def test_a_job_that_is_there_is_not_overwritten(acting: Acting) -> None:
    await acting.do("save_contact", name="Carol Wu", phone_number="+447700900461", company="Old")
    await acting.do("save_contact", name="Carol Wu", phone_number="+447700900462", company="New")
    assert [value for kind, value in rows(acting, "Carol Wu") if kind == "organization"] == ["Old"]


async def test_what_the_person_added_since_is_not_deleted(acting: Acting) -> None:
    await acting.do("save_contact", name="Carol Wu", phone_number="+447700900461")
    carol = acting.phone.state.contacts.raw[-1]
    acting.phone.state.contacts.insert_data(
        carol.identifier, "vnd.android.cursor.item/email_v2", {"data1": "carol@example.com"}
    )
    outcome = await acting.undo()
    assert outcome.kind is OutcomeKind.REFUSED
    assert "changed since" in str(outcome.message)
    assert ("email_v2", "carol@example.com") in rows(acting, "Carol Wu")


async def test_a_number_from_a_message_is_asked_each_time(acting: Acting) -> None:
    plan = await acting.prepare("save_contact", ("name", "phone_number"), name="Bob", phone_number="+447700900461")
    assert plan.risk is Risk.R2
    assert not plan.risk.may_be_remembered


async def test_a_name_that_looks_like_the_shell_variable_stays_a_name(acting: Acting) -> None:
    await acting.do("save_contact", name="$raw_contact", phone_number="+447700900461")
    assert rows(acting, "$raw_contact") == [("name", "$raw_contact"), ("phone_v2", "+447700900461")]
