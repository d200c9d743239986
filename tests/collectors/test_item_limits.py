"""Lists and objects from outside are cut, and endless outputs refused, before any rule reads them."""

import pytest

from android_bridge.facts.notifications import parse_notifications
from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.text import MAX_OUTPUT
from collectors.limits import MOST_CHARACTERS, MOST_ROWS, MOST_TEXTS, clean_fields, clean_value


def test_lists_and_objects_are_cut() -> None:
    assert len(clean_value(["a"] * 1000)) == MOST_TEXTS  # type: ignore[arg-type]
    assert len(clean_value([{"a": 1}] * 1000)) == MOST_ROWS  # type: ignore[arg-type]
    assert len(clean_fields({str(number): number for number in range(1000)})) == MOST_TEXTS


def test_what_is_nested_too_deep_is_left_out() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert str(clean_value(deep)).count("[") < 20  # type: ignore[arg-type]


def test_the_data_of_a_trigger_is_redacted_as_one_message() -> None:
    data = clean_fields({"title": "Your verification code", "text": "482913", "more": "x" * 50_000})
    assert data["text"] == "[code]" and len(str(data["more"])) == MOST_CHARACTERS


def test_an_output_that_is_too_long_is_refused_and_not_cut() -> None:
    with pytest.raises(UnreadableError, match="longer than"):
        parse_notifications("Current Notification Manager state:\n" + " " * MAX_OUTPUT)
