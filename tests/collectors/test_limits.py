"""Text from outside is cut where it comes in, and never in the middle of a secret."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.behaviour_log import BehaviourLog
from collectors.limits import MOST_CHARACTERS, clean_fields, clean_text, clean_value

CARD = "4111 1111 1111 1111"


def test_short_text_is_left_alone() -> None:
    assert clean_text("See you at 6") == "See you at 6"
    assert clean_text("x" * MOST_CHARACTERS) == "x" * MOST_CHARACTERS


@pytest.mark.parametrize("text", [" " * 20_000, "a" * 10_000_000, "\u202e" * 50_000, "1" * 50_000, "@" * 50_000])
def test_long_text_is_cut(text: str) -> None:
    assert len(clean_text(text)) <= MOST_CHARACTERS
    assert len(str(clean_value([{"deep": {"text": text}}]))) <= len("[{'deep': {'text': ''}}]") + 6 * MOST_CHARACTERS
    assert all(len(str(value)) <= MOST_CHARACTERS for value in clean_fields({"title": text, "number": text}).values())


@pytest.mark.parametrize("before", range(MOST_CHARACTERS - 25, MOST_CHARACTERS + 2))
def test_no_half_of_a_secret_is_left_at_the_end(before: int) -> None:
    text = ("x" * (before - 1) + " ")[:before] + CARD + " is my card " + "y" * 9000
    assert "4111" not in clean_text(text)
    assert "4111" not in str(clean_value({"text": text}))


def test_a_line_of_the_log_is_cut_too(tmp_path: Path) -> None:
    line = {"time": datetime(2026, 1, 1, tzinfo=UTC).isoformat(), "action": "Read " + " " * 100_000 + "x"}
    (tmp_path / "log").write_text(json.dumps(line) + "\n")
    (entry,) = BehaviourLog(tmp_path / "log").entries()
    assert len(entry.action) <= MOST_CHARACTERS


def test_only_the_newest_lines_of_a_long_log_are_read_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "log"
    line = '{{"time": "2026-01-01T00:00:00Z", "action": "did {}"}}\n'
    path.write_text("".join(line.format(number) for number in range(1, 101)))
    log = BehaviourLog(path, newest=10)
    assert [(one.line, one.action) for one in log.entries()] == [(n, f"did {n}") for n in range(91, 101)]
    with path.open("a") as file:
        file.write(line.format(101))
    assert log.entries()[-1].line == 101
    assert len(BehaviourLog(path).entries()) == 101
