from datetime import datetime

import pytest
from pydantic import JsonValue

from function_pool.spec import default_pool
from heed.language import Language
from models.requests.reader import RequestedCall, shipped_request_reader
from models.values.person import Person

NOW = datetime(2026, 3, 11, 10, 20)  # noqa: DTZ001 - the phone's local time; a Wednesday
BRITON = Person(language=Language.EN, region="GB")
CHINESE = Person(language=Language.ZH, region="CN")


def read(text: str, person: Person = BRITON, candidates: tuple[str, ...] | None = None) -> tuple[RequestedCall, ...]:
    return shipped_request_reader().read(text, NOW, person, default_pool(), candidates)


@pytest.mark.parametrize(
    ("text", "function", "arguments"),
    [
        ("set an alarm for half past six", "set_alarm", {"time": "06:30"}),
        ("set a timer for 10 minutes", "set_timer", {"duration_seconds": 600}),
        ("remind me to buy milk", "create_reminder", {"content": "buy milk"}),
        ("turn off bluetooth", "set_bluetooth", {"enabled": False}),
        ("take a screenshot", "capture_image", {"mode": "screenshot"}),
        ("pay my electricity bill", "pay_bill", {"bill_type": "electricity"}),
        ("uninstall Facebook", "manage_app", {"app_name": "Facebook", "action": "uninstall"}),
        ("turn on dark mode", "set_display", {"setting": "dark_mode", "value": "on"}),
    ],
)
def test_an_english_request_is_read(text: str, function: str, arguments: dict[str, JsonValue]) -> None:
    [call] = read(text)
    assert call.function == function
    assert {name: call.arguments.get(name) for name in arguments} == arguments
    assert call.missing == ()


@pytest.mark.parametrize(
    ("text", "function", "arguments"),
    [
        ("设个六点半的闹钟", "set_alarm", {"time": "06:30"}),
        ("关闭蓝牙", "set_bluetooth", {"enabled": False}),
        ("微信告诉妈妈我到家了", "send_instant_message", {"app_name": "WeChat", "recipient": "妈妈"}),
        ("截屏", "capture_image", {"mode": "screenshot"}),
        ("充话费50元", "pay_bill", {"bill_type": "phone", "amount": "50"}),
    ],
)
def test_a_chinese_request_is_read(text: str, function: str, arguments: dict[str, JsonValue]) -> None:
    [call] = read(text, CHINESE)
    assert call.function == function
    assert {name: call.arguments.get(name) for name in arguments} == arguments


@pytest.mark.parametrize("text", ["write my essay", "flip a coin", "format the phone"])
def test_a_request_that_no_function_serves_has_no_call(text: str) -> None:
    assert read(text) == ()


def test_what_a_request_does_not_state_is_missing_and_not_guessed() -> None:
    [call] = read("set up a wake up alarm")
    assert call.function == "set_alarm"
    assert "time" not in call.arguments
    assert call.missing == ("time",)


def test_two_requests_in_one_sentence_are_two_calls() -> None:
    calls = read("set an alarm for 6am and turn on do not disturb")
    assert [call.function for call in calls] == ["set_alarm", "set_do_not_disturb"]


def test_a_joint_within_what_is_to_be_remembered_does_not_split_it() -> None:
    [call] = read("remind me to buy milk and call the plumber")
    assert call.function == "create_reminder"


def test_only_candidates_are_chosen() -> None:
    assert "set_bluetooth" not in [call.function for call in read("turn off bluetooth", candidates=("set_alarm",))]


def test_a_very_long_request_is_read_in_bounded_time() -> None:
    assert [call.function for call in read("set an alarm " * 5000)] == ["set_alarm"]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("wake me at 7", "07:00"),
        ("set an alarm for 6 in the evening", "18:00"),
        ("alarm at 18:30", "18:30"),
        ("wake me at 7pm", "19:00"),
    ],
)
def test_an_alarm_without_a_half_of_the_day_is_one_of_the_morning(text: str, time: str) -> None:
    [call] = read(text)
    assert call.arguments["time"] == time
