"""The incoming text of a trigger, the owner and the facts of the moment."""

from datetime import datetime

import pytest
from pydantic import JsonValue

from heed.language import Language
from models.reader.description import Appointment, Moment
from models.reader.moment import MAIL_APPS, incoming_text, moment_of, person_of
from models.values.incoming import IncomingText
from models.values.person import Person
from tests.models.routines.moments import context

AT = "2026-05-04T10:00:00+02:00"


def text_of(trigger: str, **data: JsonValue) -> IncomingText | None:
    return incoming_text(context(AT, trigger, data))


def test_a_message_is_from_the_contact_or_from_the_number() -> None:
    sms = {"number": "+49170", "text": "Hi"}
    assert text_of("sms_received", **sms, contact="Ann") == IncomingText(app="sms", sender="Ann", known=True, text="Hi")
    nobody = IncomingText(app="sms", sender="+49170", known=False, text="Hi")
    assert text_of("sms_received", **sms, contact=None) == nobody
    assert text_of("sms_received", **sms) == nobody.model_copy(update={"known": None})


def test_a_chat_message_is_from_its_sender_and_has_the_conversation_as_title() -> None:
    chat = {"package": "com.whatsapp", "app": "WhatsApp", "title": "Football", "text": "7 pm?", "sender": "Dave"}
    assert text_of("notification", **chat, contact="Dave") == IncomingText(
        app="com.whatsapp", app_name="WhatsApp", sender="Dave", known=True, title="Football", text="7 pm?"
    )


def test_another_notification_is_from_its_title() -> None:
    shown = {"package": "com.example", "title": "Parcel", "text": "It is here."}
    assert text_of("notification", **shown) == IncomingText(
        app="com.example", sender="Parcel", title="Parcel", text="It is here."
    )


@pytest.mark.parametrize("package", sorted(MAIL_APPS))
def test_the_first_line_of_a_mail_is_its_subject(package: str) -> None:
    mail = {"package": package, "title": "Craig", "text": "Rev C\nPlease check.\nThanks"}
    assert text_of("notification", **mail, contact=None) == IncomingText(
        app="mail", sender="Craig", known=False, title="Rev C", text="Please check.\nThanks"
    )


def test_a_mail_without_a_body_says_its_subject() -> None:
    found = text_of("notification", package="com.google.android.gm", title="Craig", text="Rev C")
    assert found is not None
    assert (found.title, found.text) == ("Rev C", "Rev C")


@pytest.mark.parametrize(
    ("trigger", "data"),
    [
        ("battery_level", {"level": 15, "text": "Hi"}),
        ("calendar_event", {"title": "Dentist", "text": "Hi"}),
        ("clock", {}),
        ("a_plug_ins_own", {"text": "Hi"}),
        ("notification", {"package": "com.example"}),
    ],
)
def test_no_other_trigger_has_an_incoming_text(trigger: str, data: dict[str, JsonValue]) -> None:
    assert text_of(trigger, **data) is None


def test_the_moment_is_read_from_the_facts() -> None:
    facts: dict[str, JsonValue] = {
        "calendar.next": [
            {"title": "Dentist", "start": "2026-05-04T15:00:00+02:00"},
            {"title": "no start"},
            "no event",
        ],
        "alarms.next": {"time": "2026-05-05T06:30:00+02:00"},
        "battery.level": 18,
        "ringer.mode": "silent",
        "dnd.mode": "priority",
        "place": "work",
    }
    assert moment_of(context(AT, facts=facts)) == Moment(
        now=datetime.fromisoformat(AT),
        appointments=(Appointment(title="Dentist", start=datetime.fromisoformat("2026-05-04T15:00:00+02:00")),),
        next_alarm=datetime.fromisoformat("2026-05-05T06:30:00+02:00"),
        battery=18,
        ringer="silent",
        do_not_disturb="priority",
        place="work",
    )


def test_what_was_not_read_is_absent() -> None:
    assert moment_of(context(AT)) == Moment(now=datetime.fromisoformat(AT))


def test_a_place_of_the_owners_own_is_none_that_the_network_knows() -> None:
    assert moment_of(context(AT, facts={"place": "gym"})).place == ""


@pytest.mark.parametrize(
    ("locale", "language", "region"),
    [
        ("en-GB", Language.EN, "GB"),
        ("zh-Hans-CN", Language.ZH, "CN"),
        ("de-DE", Language.EN, "DE"),
        ("zh", Language.ZH, ""),
        ("", Language.EN, ""),
    ],
)
def test_the_owner_is_read_from_locale_and_profile(locale: str, language: Language, region: str) -> None:
    found = person_of(context(AT, facts={"phone.locale": locale}, profile={"locations.home.address": "1 High St"}))
    assert found == Person(language=language, region=region, home="1 High St")
