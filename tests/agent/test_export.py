"""What ``heed export`` writes of a journal."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent.consent.request import Answer, ChannelName
from agent.journal import Stores, stores_in
from agent.maintenance.export import benchmark_records, pictures_beside
from agent.policy.verdict import Decision, Rule
from collectors.context import Context, LogEntry, Section, StoredFrame, Trigger, TriggerKind
from evaluation.proactivemobile.cases import load_cases
from function_pool.call import FunctionCall
from function_pool.secrets import CONCEALED
from heed.language import Language
from models.prompt.history import HistoryReader
from models.reasoner import Recommendation, silence
from tests.agent.command import heed
from tests.agent.make import NOON, context, fact, plan, recommendation, saver_call, step

SAVER = {"name": "set_power_saving_mode", "parameters": {"enabled": True}}


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with ExitStack() as stack:
        yield stack.enter_context(stores_in(tmp_path / "journal.sqlite3"))


def decided(
    stores: Stores,
    made: Recommendation,
    answer: Answer | None = None,
    *,
    seen: Context | None = None,
    decision: Decision = Decision.ASK,
    rule: Rule = Rule.ASK_FIRST,
) -> None:
    """Record one decision and, with ``answer``, what became of its question."""
    journal = stores.journal
    found = journal.record_context(seen or context(battery__level=15))
    number = journal.record_decision(found, NOON, made, decision=decision, rule=rule, reason="")
    if answer is not None:
        proposed = plan(*(step(call) for call in made.calls))
        row = journal.record_plan(number, proposed)
        assert journal.record_answer(row, proposed.hash, NOON, answer, ChannelName.TERMINAL)


def records(stores: Stores, **options: Any) -> list[dict[str, Any]]:
    return benchmark_records(stores.journal, Language.EN, **options)


@pytest.mark.parametrize("answer", [Answer.ONCE, Answer.ALWAYS])
def test_what_was_accepted_is_a_positive(stores: Stores, answer: Answer) -> None:
    decided(stores, recommendation(), answer)
    (record,) = records(stores)
    assert record["recommendation"] == [{"instruction": "Turn on battery saver?", "function": [SAVER]}]
    assert record["benchmark_metadata"]["answer"] == answer
    assert "declined" not in record
    assert "battery 15%" in record["reference_information"]["phone"].lower()


@pytest.mark.parametrize("answer", [Answer.NOT_NOW, Answer.NEVER])
def test_what_was_declined_is_a_negative_that_tells_what_was_declined(stores: Stores, answer: Answer) -> None:
    decided(stores, recommendation(), answer)
    (record,) = records(stores)
    assert record["recommendation"] == []
    assert record["declined"][0]["function"] == [SAVER]


def test_a_moment_in_which_the_reasoner_had_nothing_to_say_is_a_silence(stores: Stores) -> None:
    made = silence("routines", "nothing fits")
    decided(stores, made, decision=Decision.SILENT, rule=Rule.NO_RECOMMENDATION)
    (record,) = records(stores)
    assert (record["recommendation"], record["benchmark_metadata"]["answer"]) == ([], "none")
    assert "declined" not in record


def test_what_nobody_judged_is_left_out(stores: Stores) -> None:
    decided(stores, recommendation(), Answer.NO_ANSWER)
    decided(stores, recommendation())
    for rule in (Rule.QUIET_HOURS, Rule.COOL_DOWN, Rule.LOW_CONFIDENCE, Rule.REASONER_FAILED):
        decided(stores, recommendation(), decision=Decision.SILENT, rule=rule)
    assert records(stores) == []


def test_a_call_typed_by_hand_is_left_out(stores: Stores) -> None:
    typed = context(battery__level=15).model_copy(update={"trigger": Trigger(kind=TriggerKind.COMMAND)})
    decided(stores, recommendation(), Answer.ONCE, seen=typed)
    assert records(stores) == []


def test_a_call_whose_argument_is_not_stored_is_left_out(stores: Stores) -> None:
    join = FunctionCall(name="set_connectivity", parameters={"ssid": "Cafe", "password": CONCEALED})
    decided(stores, recommendation(join), Answer.ONCE)
    assert records(stores) == []


def test_a_silence_of_which_only_the_trigger_was_kept_is_left_out(stores: Stores) -> None:
    decided(stores, silence("routines", ""), decision=Decision.SILENT, rule=Rule.NO_RECOMMENDATION, seen=context())
    assert records(stores) == []


def test_habits_and_log_entries_of_the_past_are_part_of_a_record(stores: Stores) -> None:
    decided(stores, recommendation(), Answer.ONCE, seen=context(battery__level=15, foreground__app="Maps"))
    entry = LogEntry(time=NOON - timedelta(days=1), location="", action="opened Maps")
    later = entry.model_copy(update={"time": NOON + timedelta(days=1), "action": "opened Maps again"})
    (record,) = records(stores, history=HistoryReader(tuple, lambda: (entry, later), 100))
    assert record["reference_information"]["log"] == ["2026-02-05 12:00: opened Maps"]


def frame(folder: Path, minute: int) -> StoredFrame:
    file = folder / f"{minute}.jpg"
    file.write_bytes(bytes([minute]))
    return StoredFrame(
        sha256=f"{minute:02d}" * 32, path=str(file), width=1, height=1, taken_at=NOON - timedelta(minutes=minute)
    )


def opened(app: str, minute: int) -> dict[str, str]:
    moment: datetime = NOON - timedelta(minutes=minute)
    return {"time": moment.isoformat(), "kind": "open", "package": "com.a", "app": app}


def test_pictures_stand_where_they_were_taken_with_paths_from_the_file(stores: Stores, tmp_path: Path) -> None:
    frames = tuple(frame(tmp_path, minute) for minute in (9, 5, 4, 1))
    Path(frames[2].path).unlink()
    steps = fact("trajectory.steps", [opened("Maps", 8), opened("Clock", 3)])
    seen = context(battery__level=15).model_copy(update={"trajectory": Section(facts=(steps,)), "frames": frames})
    decided(stores, recommendation(), Answer.ONCE, seen=seen)
    file = tmp_path / "out" / "mine.json"
    file.parent.mkdir()
    (record,) = made = records(stores, keep=pictures_beside(file))
    trace = record["reference_information"]["trace"]
    assert [isinstance(item, dict) for item in trace] == [True, False, True, False, True, False]
    assert "Maps" in trace[1]
    assert "Clock" in trace[3]
    assert "Now:" in trace[-1]
    file.write_text(json.dumps(made), "utf-8")
    (case,) = load_cases(file)
    assert case.places == (0, 1, 2)
    assert case.pictures[0] == f"mine-pictures/{'09' * 8}.jpg"
    assert [(file.parent / path).read_bytes() for path in case.pictures] == [b"\x09", b"\x05", b"\x01"]
    assert not any(isinstance(item, dict) for item in records(stores)[0]["reference_information"]["trace"])


async def test_the_command_writes_records_and_their_pictures(heed_home: Path, tmp_path: Path) -> None:
    with stores_in(heed_home / "data" / "journal.sqlite3") as stores:
        seen = context(battery__level=15).model_copy(update={"frames": (frame(tmp_path, 1),)})
        decided(stores, recommendation(saver_call(enabled=False)), Answer.NOT_NOW, seen=seen)
    file = tmp_path / "mine.json"
    assert (await heed("export", str(file))).code == 0
    (case,) = load_cases(file)
    assert case.silent
    assert (tmp_path / case.pictures[0]).is_file()
    assert (await heed("export")).data[0]["declined"]
