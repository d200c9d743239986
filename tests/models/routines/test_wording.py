"""What is offered is said in words, never in the pool's own values."""

import re

import pytest
from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, default_pool
from heed.language import Language
from models.routines.wording import offer

_LISTED = re.compile(r"[a-z]+(?:_[a-z]+)*")
"""A value that is a word of the pool's, not the name of an app or a place."""


def listed(spec: FunctionSpec) -> list[tuple[str, str]]:
    values = ((name, value) for name, one in spec.parameters.items() for value in one.choices)
    return [(name, value) for name, value in values if isinstance(value, str) and _LISTED.fullmatch(value)]


@pytest.mark.parametrize("spec", default_pool(), ids=lambda spec: spec.name)
def test_an_offer_says_every_value_that_the_pool_lists_in_words(spec: FunctionSpec) -> None:
    for name, value in listed(spec):
        call = FunctionCall(name=spec.name, parameters={name: value})
        assert "_" not in offer(call, Language.EN)
        chinese = re.sub(r"[A-Z][\w-]*", "", offer(call, Language.ZH))
        assert not re.search(rf"\b{value}\b", chinese, re.ASCII), chinese


def test_old_videos_are_reviewed_in_both_languages() -> None:
    call = FunctionCall(name="clean_up_media_files", parameters={"category": "large_videos", "action": "review_only"})
    assert offer(call, Language.EN) == "review old large videos"
    assert offer(call, Language.ZH) == "查看旧的大视频"


@pytest.mark.parametrize("spec", default_pool(), ids=lambda spec: spec.name)
def test_an_offer_tells_apart_what_a_required_argument_chooses(spec: FunctionSpec) -> None:
    for name, one in spec.parameters.items():
        chosen: list[JsonValue] = [value for parameter, value in listed(spec) if parameter == name and one.required]
        said = [offer(FunctionCall(name=spec.name, parameters={name: value}), Language.EN) for value in chosen]
        assert len(set(said)) == len(said)


_SAID: list[tuple[str, dict[str, JsonValue], str, str]] = [
    (
        "query_calendar_events",
        {"start_time": "2026-03-11T00:00:00", "end_time": "2026-03-11T23:59:59"},
        "look at the agenda for Wed 11 Mar",
        "查看3月11日周三的日程",
    ),
    (
        "query_calendar_events",
        {"start_time": "2026-03-14T00:00:00", "end_time": "2026-03-15T23:59:00"},
        "look at the agenda for Sat 14 Mar, 00:00 to Sun 15 Mar, 23:59",
        "查看3月14日周六00:00至3月15日周日23:59的日程",
    ),
    (
        "set_alarm",
        {"time": "07:00", "repeat_days": ["mon", "fri"]},
        "set an alarm for 07:00 on Mondays, Fridays",
        "设置周一、周五07:00的闹钟",
    ),
    ("set_alarm", {"time": "07:00", "repeat_days": []}, "set an alarm for 07:00", "设置07:00的闹钟"),
    (
        "record_expense",
        {"amount": 20, "category": "gift", "type": "income"},
        "note the income of 20 (gift)",
        "记一笔gift收入20",
    ),
    ("search_nearby_places", {"keyword": "café", "location": "Soho"}, "look for café near Soho", "查找Soho附近的café"),
    ("search_nearby_places", {"keyword": "café"}, "look for café", "查找café"),
    ("set_bluetooth", {"enabled": True}, "turn on Bluetooth", "打开蓝牙"),
    (
        "set_bluetooth",
        {"enabled": True, "device_name": "Buds"},
        "open the Bluetooth settings for Buds",
        "打开蓝牙设置，找到Buds",
    ),
    ("set_bluetooth", {"enabled": False, "action": "disconnect"}, "open the Bluetooth settings", "打开蓝牙设置"),
    (
        "set_connectivity",
        {"connection_type": "wifi", "enabled": True, "ssid": "Guest"},
        "join the Wi-Fi network Guest",
        "连接无线网络Guest",
    ),
    (
        "set_connectivity",
        {"connection_type": "hotspot", "enabled": True},
        "open the hotspot settings",
        "打开热点设置",
    ),
]


@pytest.mark.parametrize(("name", "parameters", "english", "chinese"), _SAID)
def test_an_offer_says_what_the_call_does(
    name: str, parameters: dict[str, JsonValue], english: str, chinese: str
) -> None:
    call = FunctionCall(name=name, parameters=parameters)
    assert offer(call, Language.EN) == english
    assert offer(call, Language.ZH) == chinese
