"""A long text or list from outside is cut before any rule reads it."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from android_bridge.device import Device
from android_bridge.facts.notifications import parse_notifications
from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.text import MAX_OUTPUT
from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import LogEntry, Trigger, TriggerKind
from collectors.limits import MAX_CHARACTERS, MAX_TEXTS, admitted, admitted_fields, cut
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from heed.clock import ManualClock, PhoneClock
from tests.phones import START
from virtual_phone import VirtualPhone

LONG = "x" * 50_000


def longest(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(longest, values), default=0)


def test_texts_lists_and_objects_are_cut() -> None:
    assert len(str(cut(LONG))) == MAX_CHARACTERS and str(cut(LONG)).endswith("…")
    assert cut("x" * MAX_CHARACTERS) == "x" * MAX_CHARACTERS
    assert len(cut(["a"] * 1000)) == MAX_TEXTS  # type: ignore[arg-type]
    assert len(cut({str(n): n for n in range(1000)})) == MAX_TEXTS  # type: ignore[arg-type]
    assert longest(cut({LONG: [{"text": LONG}]})) == MAX_CHARACTERS
    assert cut([1, 2.5, True, None]) == [1, 2.5, True, None]


def test_what_is_nested_too_deep_is_left_out() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert str(admitted(deep)).count("[") < 20  # type: ignore[arg-type]


def test_a_secret_at_the_place_of_the_cut_does_not_stay_as_a_half() -> None:
    text = "x" * (MAX_CHARACTERS - 60) + " Your verification code is 482913. " + "y" * 100
    assert "482913" not in str(admitted(text))


def test_the_data_of_a_trigger_is_cut_and_redacted_as_one_message() -> None:
    data = admitted_fields({"title": "Your verification code", "text": "482913", "more": LONG})
    assert data["text"] == "[code]" and longest(data) == MAX_CHARACTERS


def test_an_output_that_is_too_long_is_refused_and_not_cut() -> None:
    with pytest.raises(UnreadableError, match="longer than"):
        parse_notifications("Current Notification Manager state:\n" + " " * MAX_OUTPUT)


def test_a_long_line_of_the_behaviour_log_is_cut(tmp_path: Path) -> None:
    log = BehaviourLog(tmp_path / "log.jsonl")
    log.append(LogEntry(time=START, location="Home", action=LONG, line=0))
    assert longest([entry.action for entry in log.entries()]) == MAX_CHARACTERS
    assert (tmp_path / "log.jsonl").stat().st_size < 2 * MAX_CHARACTERS


async def test_no_text_of_a_context_is_longer_than_the_limit(phone: VirtualPhone, device: Device) -> None:
    state = phone.state
    state.notifications.post("my.chat", LONG, LONG, big_text=LONG)
    state.messages.store("+15550111", LONG)
    state.calendar.add(LONG, datetime.fromisoformat(START.isoformat()) + timedelta(hours=1))
    config = CollectorsConfig()
    snapshotter = Snapshotter(device, load_sources(config), PhoneClock(ManualClock(START)), config)
    trigger = Trigger(kind=TriggerKind.NOTIFICATION, data={"title": LONG, "text": LONG})
    context = await snapshotter.snapshot(trigger)
    assert longest(context.model_dump(mode="json")) == MAX_CHARACTERS
    assert context.value("notifications") and context.value("sms.unread")
