"""Labelled arguments are read in both of their forms."""

import json
from pathlib import Path

import pytest

from function_pool.spec import default_pool
from heed.errors import UsageError
from tests.conftest import shared_folder
from training.chats.arguments import read_labels


def labels(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_a_label_has_calls_or_one_function(tmp_path: Path) -> None:
    several = {"id": "a/en/0", "calls": [{"f": "set_alarm", "args": {"time": "07:00"}, "from": {}, "open": []}]}
    one = {"id": "a/en/1", "function": "set_timer", "args": {"duration_seconds": 60}, "say": "A minute?"}
    found = read_labels([labels(tmp_path, several, one)])
    told = {name: [(call.name, dict(call.parameters)) for call in calls] for name, calls in found.items()}
    assert told == {
        "a/en/0": [("set_alarm", {"time": "07:00"})],
        "a/en/1": [("set_timer", {"duration_seconds": 60})],
    }


def test_arguments_that_cannot_be_filled_are_a_label_without_calls(tmp_path: Path) -> None:
    empty = {"id": "a/en/0", "calls": []}
    null = {"id": "a/en/1", "function": "set_timer", "args": None, "say": "A minute?"}
    assert read_labels([labels(tmp_path, empty, null)]) == {"a/en/0": (), "a/en/1": ()}


def test_a_line_that_is_no_label_is_named(tmp_path: Path) -> None:
    path = labels(tmp_path, {"id": "a/en/0", "calls": []}, {"calls": []})
    with pytest.raises(UsageError, match="line 2 is no label"):
        read_labels([path])


def test_the_given_labels_are_read() -> None:
    path = shared_folder() / "training" / "arguments.jsonl"
    found = read_labels([path])
    assert len(found) == 1500
    assert {call.name for calls in found.values() for call in calls} == set(default_pool().functions)
