from datetime import datetime

import pytest

from function_pool.spec import default_pool
from models.requests.arguments import missing_arguments, read_arguments
from models.requests.words import named_value
from models.values.person import Person

NOW = datetime(2026, 3, 11, 10, 20)  # noqa: DTZ001 - the phone's local time


def test_an_argument_of_a_message_keeps_the_owners_words() -> None:
    spans = {"recipient": "Dad", "content": "that the train is late"}
    read = read_arguments(default_pool().get("send_sms"), "tell Dad that the train is late", spans, NOW, Person())
    assert read == {"recipient": "Dad", "content": "the train is late"}


@pytest.mark.parametrize(
    ("request_text", "span", "content"),
    [
        ("send a text to Alice saying On my way", "my way", "On my way"),
        ("text Alice: in the office until six", "office until six", "in the office until six"),
        ("发短信给爸爸：在路上了", "路上了", "在路上了"),
        ("text Alice my way of cooking rice", "my way of cooking rice", "my way of cooking rice"),
    ],
)
def test_a_message_begins_where_it_is_introduced(request_text: str, span: str, content: str) -> None:
    read = read_arguments(default_pool().get("send_sms"), request_text, {"content": span}, NOW, Person())
    assert read["content"] == content


def test_subject_and_text_of_a_mail_are_told_apart() -> None:
    text = "email bob@example.com subject Return saying I want to send the shoes back"
    read = read_arguments(default_pool().get("compose_email"), text, {}, NOW, Person())
    assert read["subject"] == "Return"
    assert read["body"] == "I want to send the shoes back"
    assert read["to"] == ["bob@example.com"]


def test_a_day_without_a_time_asks_about_the_whole_day() -> None:
    read = read_arguments(default_pool().get("query_calendar_events"), "what's on my calendar", {}, NOW, Person())
    assert str(read["start_time"]).startswith("2026-03-11T00:00")
    assert str(read["end_time"]).startswith("2026-03-11T23:59")


def test_a_value_outside_its_range_is_left_out() -> None:
    spec = default_pool().get("set_volume_and_ringer")
    assert "level_percent" not in read_arguments(spec, "volume to 400", {"level_percent": "400"}, NOW, Person())


@pytest.mark.parametrize(
    ("function", "values", "missing"),
    [
        ("set_alarm", {}, ("time",)),
        ("make_phone_call", {}, ("contact_name",)),
        ("make_phone_call", {"contact_name": "Bob"}, ()),
        ("cancel_alarm", {"search_mode": "time"}, ("time",)),
        ("cancel_alarm", {"search_mode": "next"}, ()),
    ],
)
def test_what_is_missing_includes_what_only_some_calls_need(
    function: str, values: dict[str, str], missing: tuple[str, ...]
) -> None:
    assert missing_arguments(default_pool().get(function), values) == missing


def test_the_first_value_with_a_word_in_the_request_counts() -> None:
    allowed = ("screenshot", "photo")
    assert named_value("capture_image", "mode", "Take a SCREENSHOT of the photo", allowed) == "screenshot"
    assert named_value("capture_image", "mode", "nothing of it", allowed) is None
