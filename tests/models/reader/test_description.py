"""A text and its moment in the words of the network."""

from datetime import UTC, datetime

import pytest

from models.reader.description import MOST_APPOINTMENTS, Appointment, Moment, describe
from models.values.incoming import IncomingText

NOW = datetime(2026, 5, 4, 10, 5, tzinfo=UTC)
QUIET = Moment(now=NOW)


def head(sender: str, *, known: bool | None = None, app: str = "sms", app_name: str = "") -> str:
    return describe(IncomingText(app=app, app_name=app_name, sender=sender, known=known, text="Hi"), QUIET).head


@pytest.mark.parametrize(
    ("sender", "shown"),
    [
        ("Jonas", "Jonas"),
        ("+49 170 1112233", "phone number"),
        ("13800138000", "phone number"),
        ("10086", "service number"),
        ("95588", "service number"),
        ("106575258192", "service number"),
        ("12306", "service number"),
        ("88101", "service number"),
        ("", ""),
    ],
)
def test_a_number_is_described_by_its_kind_and_a_name_by_itself(sender: str, shown: str) -> None:
    assert head(sender) == f"sms from {shown} "


def test_a_sender_is_known_unknown_or_neither() -> None:
    assert head("Jonas", known=True) == "sms from Jonas in contacts"
    assert head("Jonas", known=False) == "sms from Jonas not in contacts"
    assert head("Jonas") == "sms from Jonas "


def test_an_app_is_called_by_its_name_where_that_is_known() -> None:
    assert head("Jonas", app="com.whatsapp", app_name="WhatsApp").startswith("WhatsApp from")
    assert head("Jonas", app="com.example.unknown").startswith("com.example.unknown from")


@pytest.mark.parametrize(("title", "shown"), [("", "Hi"), ("Jonas", "Hi"), ("Invoice 7", "Invoice 7\nHi")])
def test_a_title_that_is_not_the_sender_is_part_of_the_text(title: str, shown: str) -> None:
    assert describe(IncomingText(app="mail", sender="Jonas", title=title, text="Hi"), QUIET).text == shown


def test_a_quiet_moment_is_its_time_only() -> None:
    assert facts(QUIET) == ("Monday 4 May 10:05",)


def test_a_moment_names_what_is_not_as_usual() -> None:
    moment = Moment(
        now=NOW,
        appointments=(
            Appointment(title="Dentist", start=NOW.replace(hour=15)),
            Appointment(title="Lunch", start=NOW.replace(day=5, hour=12, minute=0)),
            Appointment(title="Trip", start=NOW.replace(day=9, hour=7, minute=30)),
        ),
        next_alarm=NOW.replace(day=5, hour=6, minute=30),
        battery=20,
        ringer="vibrate",
        do_not_disturb="priority",
        place="home",
    )
    assert facts(moment) == (
        "Monday 4 May 10:05",
        "at home",
        "calendar today 15:05 Dentist",
        "calendar tomorrow 12:00 Lunch",
        "calendar Saturday 9 May 07:30 Trip",
        "alarm tomorrow 06:30",
        "ringer vibrate",
        "do not disturb on",
        "battery 20",
    )


def test_what_is_as_usual_is_not_named() -> None:
    assert facts(Moment(now=NOW, battery=21, ringer="normal", do_not_disturb="off")) == ("Monday 4 May 10:05",)


def test_only_the_next_appointments_are_named() -> None:
    many = tuple(Appointment(title=f"Talk {number}", start=NOW) for number in range(20))
    assert len(facts(Moment(now=NOW, appointments=many))) == 1 + MOST_APPOINTMENTS


def facts(moment: Moment) -> tuple[str, ...]:
    return describe(IncomingText(app="sms", text="Hi"), moment).facts
