"""The texts of a played day become examples, each with the moment at which it arrived."""

import json

import pytest

from training.reader.days import load_days
from training.reader.examples import ReaderExample

DAY = """
name: morning
start: 2026-05-04T08:00:00+01:00
timezone: Europe/London
persona:
  profile:
    locations:
      home: {latitude: 51.5, longitude: -0.12}
state:
  battery: 80
  messages: []
  alarms: []
  contacts: [{name: Ann, number: "+44 7700 900111"}]
  calendar: [{title: Dentist, start: "2026-05-04T15:00:00+01:00"}]
timeline:
  - {at: "08:10", battery: {level: 18}}
  - {at: "08:20", sms: {from: "+44 7700 900111", text: "Please call me back"}}
  - {at: "08:30", chat: {app: com.whatsapp, with: Dave, text: "7 pm?"}}
  - {at: "08:40", mail: {from: Craig, subject: Rev C, text: Please check.}}
  - {at: "08:50", notification: {app: com.example, title: Parcel, text: It is here.}}
  - {at: "09:00", sms: {from: "+44 7700 900222", text: "Your saver?"}}
"""
ANSWERS = {
    "morning": [
        {"kind": "ordinary"},
        {"kind": "need", "source": "text", "accept": ["make_phone_call"]},
        {"kind": "lookalike"},
        {"kind": "ordinary"},
        {"kind": "ordinary"},
        {"kind": "need", "source": "state", "accept": ["set_power_saving_mode"]},
    ]
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[ReaderExample]:
    folder = tmp_path_factory.mktemp("days")
    (folder / "morning.yaml").write_text(DAY, "utf-8")
    (folder / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")
    return list(load_days(folder))


def test_each_text_of_a_day_is_an_example_but_for_needs_that_rest_on_something_else(found: list[ReaderExample]) -> None:
    assert [(one.kind, one.functions) for one in found] == [
        ("need", ("make_phone_call",)),
        ("lookalike", ()),
        ("ordinary", ()),
        ("ordinary", ()),
    ]
    assert not any(one.spans_known for one in found)


def test_a_text_is_described_by_app_and_sender(found: list[ReaderExample]) -> None:
    assert [one.given.head for one in found] == [
        "sms from Ann in contacts",
        "WhatsApp from Dave not in contacts",
        "mail from Craig not in contacts",
        "com.example from Parcel not in contacts",
    ]
    assert [one.given.text for one in found] == ["Please call me back", "7 pm?", "Rev C\nPlease check.", "It is here."]


def test_the_moment_is_that_of_the_phone_when_the_text_arrived(found: list[ReaderExample]) -> None:
    first, second, *_ = found
    assert first.given.facts[0] == "Monday 4 May 08:20"
    assert second.given.facts[0] == "Monday 4 May 08:30"
    assert "calendar today 15:00 Dentist" in first.given.facts
    assert "battery 18" in first.given.facts
