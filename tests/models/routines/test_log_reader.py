"""Log entries in both languages are parsed into an event and owner actions."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from collectors.context import LogEntry
from function_pool.spec import default_pool
from models.routines.language.lexicon import default_lexicon
from models.routines.language.log_reader import LogReader

EXAMPLES = yaml.safe_load((Path(__file__).parent / "readings.yaml").read_text("utf-8"))
READER = LogReader(default_lexicon(), default_pool())


def entry(text: str) -> LogEntry:
    return LogEntry(time=datetime.fromisoformat("2026-01-02T08:00:00+08:00"), location="home", action=text, line=1)


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["says"][:50] for example in EXAMPLES])
def test_a_sentence_tells_what_it_says(example: dict[str, Any]) -> None:
    reading = READER.read(entry(example["says"]))
    actions = {action.function: action.parameters for action in reading.actions}
    assert set(actions) == set(example["does"])
    for function, wanted in example["does"].items():
        assert {name: actions[function].get(name) for name in wanted} == wanted
    assert (reading.event.kind if reading.event else None) == example.get("event")
    if "about" in example:
        assert reading.event is not None
        assert set(example["about"]) <= reading.event.about


def test_words_of_a_quoted_message_are_no_actions() -> None:
    reading = READER.read(entry("Bob wrote: 'turn on battery saver and call Mom'"))
    assert reading.actions == ()


def test_an_empty_line_says_nothing() -> None:
    assert READER.read(entry("")).actions == ()
    assert READER.read(entry("   …  ")).event is None
