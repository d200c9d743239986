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


@pytest.mark.parametrize(
    ("text", "function", "arguments"),
    [
        ("play something by Radiohead", "play_music", {"query": "Radiohead"}),
        ("how do I get to King's Cross from here", "plan_route_and_navigate", {"destination": "King's Cross"}),
        ("send £20 to Priya for lunch", "transfer_money", {"payee": "Priya", "amount": "20"}),
        ("order a large pepperoni pizza", "order_food_delivery", {"keyword": "large pepperoni pizza"}),
        ("pause the music", "control_media_playback", {"action": "pause"}),
        ("what did I walk this week", "view_health_summary", {"metric": "steps"}),
        ("continue my Spanish course", "open_course", {"course_name": "Spanish"}),
        (
            "book a table for four at Nando's on Friday at 7",
            "reserve_restaurant",
            {"restaurant_name": "Nando's", "reserve_time": "2026-03-13T19:00:00", "party_size": 4},
        ),
        (
            "put dentist in my diary for thursday at half two",
            "create_calendar_event",
            {"title": "dentist", "start_time": "2026-03-12T14:30:00"},
        ),
        (
            "buy two tickets for Hamlet on 12 May",
            "book_event_ticket",
            {"event_name": "Hamlet", "date": "2026-05-12", "ticket_num": 2},
        ),
        (
            "save John Smith's number 07700 900456",
            "save_contact",
            {"name": "John Smith", "phone_number": "07700900456"},
        ),
        ("find Thai restaurants in Soho", "search_restaurant", {"keyword": "Thai", "location": "Soho"}),
        ("点一份黄焖鸡米饭", "order_food_delivery", {"keyword": "黄焖鸡米饭", "quantity": 1}),
        ("放一首周杰伦的晴天", "play_music", {"query": "周杰伦的晴天"}),
        ("附近有没有药店", "search_nearby_places", {"keyword": "药店"}),
        ("交一下水费", "pay_bill", {"bill_type": "water"}),
        ("给李雷转账50元", "transfer_money", {"payee": "李雷", "amount": "50"}),
        (
            "挂个协和医院皮肤科的号",
            "book_medical_appointment",
            {"service": "registration", "hospital": "协和医院", "department": "皮肤科"},
        ),
    ],
)
def test_words_of_one_value_are_not_read_as_another(text: str, function: str, arguments: dict[str, JsonValue]) -> None:
    [call] = read(text, BRITON if text.isascii() or "£" in text else CHINESE)
    assert (call.function, call.arguments) == (function, arguments)


@pytest.mark.parametrize(
    ("text", "parameter", "app"),
    [
        ("listen to jazz on Deezer", "app_name", "Deezer"),
        ("get groceries on Ocado", "platform_info", "Ocado"),
        ("read me the headlines from The Guardian", "source", "Guardian"),
        ("message Anna on Signal that dinner's at 8", "app_name", "Signal"),
        ("directions to the nearest petrol station using Waze", "map_app", "Waze"),
        ("pay the council tax with PayPal", "platform_info", "PayPal"),
        ("play songs with Frank Sinatra", "app_name", None),
        ("find a hotel on Lake Como", "platform_info", None),
        ("在美团上点一份麻辣香锅", "platform_info", "Meituan"),
        ("打开B站看原神视频", "app_name", "Bilibili"),
        ("导航去虹桥火车站", "map_app", None),
        ("打开客厅空调调到26度", "platform", None),
    ],
)
def test_an_app_is_one_that_the_pool_lists_or_the_words_introduce(text: str, parameter: str, app: str | None) -> None:
    [call] = read(text, BRITON if text.isascii() else CHINESE)
    assert call.arguments.get(parameter) == app


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("find me a cheap hotel in Porto from 3 to 6 April", ("2026-04-03", "2026-04-06")),
        ("book a hotel in Rome from 12 May to 15 May", ("2026-05-12", "2026-05-15")),
        ("get me a hotel in Lyon June 9 until the 11th", ("2026-06-09", "2026-06-11")),
        ("订一间三亚的酒店，5月1号到4号", ("2026-05-01", "2026-05-04")),
    ],
)
def test_a_stay_whose_month_is_said_once(text: str, days: tuple[str, str]) -> None:
    [call] = read(text, BRITON if text.isascii() else CHINESE)
    assert (call.arguments["check_in_date"], call.arguments["check_out_date"]) == days


@pytest.mark.parametrize(
    ("text", "parameter", "words"),
    [
        ("发微信给张伟说我晚点到", "recipient", "张伟"),
        ("在微信上告诉张三明天不用来了", "content", "明天不用来了"),
        ("翻译成英文：今天不去了", "text", "今天不去了"),
        ("把这句话翻译成日语：谢谢你", "text", "谢谢你"),
        ("把这句话翻译成日语：谢谢你", "target_language", "日语"),
        ("用高德导航到最近的加油站", "destination", "最近的加油站"),
        ("导航去虹桥火车站", "destination", "虹桥火车站"),
        ("打开健康码", "app_name", "健康码"),
        ("用网易云放一首夜曲", "query", "夜曲"),
        ("周五晚上六点订海底捞四个人", "restaurant_name", "海底捞"),
        ("下周三下午三点和王总开会记到日历", "title", "和王总开会"),
    ],
)
def test_chinese_words_are_read_whole(text: str, parameter: str, words: str) -> None:
    [call] = read(text, CHINESE)
    assert call.arguments[parameter] == words
