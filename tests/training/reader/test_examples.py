"""Labelled messages become examples with their spans, and days with the texts that arrive in them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from function_pool.spec import default_pool
from models.reader.roles import roles
from tests.conftest import REPO
from training.reader.examples import ReaderExample, Span, by_kind, example, load

TEXT = "Your table for 4 at Bella Napoli is booked for Friday at 19:30."
ROW: Mapping[str, Any] = {
    "kind": "need",
    "app": "sms",
    "from": "Bella Napoli",
    "known": False,
    "title": "",
    "text": TEXT,
    "now": "2026-05-04T10:00:00+02:00",
    "facts": {
        "calendar": [
            {"title": "Dentist", "start": "2026-05-04T15:00"},
            {"title": "no start"},
            {"title": "x", "start": "?"},
        ],
        "battery": 18,
        "ringer": "vibrate",
        "place": "gym",
    },
    "calls": [
        {
            "function": "create_calendar_event",
            "spans": {
                "start_time": "Friday at 19:30",
                "location": "Bella Napoli",
                "title": "nowhere",
                "recurrence": "4",
            },
        },
        {"function": "create_reminder", "spans": {"due_time": "Friday at 19:30"}},
        {"function": "create_calendar_event", "spans": {}},
    ],
}
DATA = sorted((REPO / "training" / "reader" / "data").glob("*.jsonl"))


def made(**change: Any) -> ReaderExample:
    return example({**ROW, **change}, "hand")


def shown(one: ReaderExample) -> dict[str, str]:
    return {roles()[span.role]: one.given.text[span.start : span.end] for span in one.spans}


def test_a_message_is_described_as_the_daemon_describes_it() -> None:
    one = made()
    assert one.given.head == "sms from Bella Napoli not in contacts"
    assert one.given.text == TEXT
    assert one.given.facts == ("Monday 4 May 10:00", "calendar today 15:00 Dentist", "ringer vibrate", "battery 18")
    assert one.hand == "hand"
    assert one.spans_known


@pytest.mark.parametrize(
    ("alarms", "fact"),
    [(["06:50 School", "09:30"], "tomorrow 06:50"), (["23:15"], "today 23:15"), (["early", "25:00"], None), ([], None)],
)
def test_the_next_of_the_stated_alarms_is_a_fact(alarms: list[str], fact: str | None) -> None:
    found = [one for one in made(facts={"alarms": alarms}).given.facts if one.startswith("alarm")]
    assert found == ([f"alarm {fact}"] if fact else [])


def test_an_example_has_the_appointments_that_its_calls_create() -> None:
    dinner = {"title": "Dinner", "start_time": "2026-05-08T19:30"}
    for arguments, titles in ((dinner, ["Dinner"]), ({**dinner, "start_time": "soon"}, []), ({"title": "Dinner"}, [])):
        one = made(calls=[{"function": "create_calendar_event", "arguments": arguments}])
        assert [event.title for event in one.appointments] == titles


def test_the_accepted_functions_are_named_once_in_their_order() -> None:
    assert made().functions == ("create_calendar_event", "create_reminder")
    assert made(kind="lookalike", calls=None).functions == ()


def test_a_span_stands_in_the_text_and_has_a_role() -> None:
    one = made()
    assert shown(one) == {"when": "Friday at 19:30", "place": "Bella Napoli"}
    assert len(one.spans) == len(set(one.spans)) == 2


def test_a_span_may_stand_in_the_subject() -> None:
    call = {"function": "create_calendar_event", "spans": {"title": "Sports day"}}
    one = made(app="mail", title="Sports day moved", text="Now on Friday.", calls=[call])
    assert one.spans == (Span(roles().index("title"), 0, len("Sports day")),)


@pytest.mark.parametrize("value", [["a", "b"], "", " "])
def test_what_is_no_span_is_left_out(value: Any) -> None:
    assert made(calls=[{"function": "create_calendar_event", "spans": {"title": value}}]).spans == ()


def test_a_file_has_one_example_per_line(tmp_path: Path) -> None:
    kinds = ("need", "lookalike", "ordinary", "ordinary")
    lines = "\n\n".join(json.dumps({**ROW, "kind": kind}) for kind in kinds)
    (tmp_path / "messages.jsonl").write_text(f"{lines}\n", "utf-8")
    found = list(load(tmp_path / "messages.jsonl", "hand"))
    assert by_kind(found) == {"need": 1, "lookalike": 1, "ordinary": 2}


def stored() -> Iterator[ReaderExample]:
    for path in DATA:
        yield from load(path, path.stem)


def test_the_stored_texts_name_functions_of_the_pool_and_have_spans() -> None:
    if not DATA:
        pytest.skip("no labelled texts are stored")
    found = list(stored())
    pool = {spec.name for spec in default_pool()}
    assert {name for one in found for name in one.functions} <= pool
    assert all(one.given.text[span.start : span.end].strip() for one in found for span in one.spans)
    assert all(bool(one.functions) == (one.kind == "need") for one in found)
    assert all(by_kind(found).values())
