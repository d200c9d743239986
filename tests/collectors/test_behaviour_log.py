"""The behaviour log is append-only, tolerant of broken lines and never loses one."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.behaviour_log import BehaviourLog
from collectors.context import LogEntry
from heed.errors import UsageError

GOOD = '{"time": "2026-02-06T14:00:00+08:00", "location": "Home", "action": "Opened Maps"}\n'


def entry(action: str, location: str = "Home") -> LogEntry:
    return LogEntry(time=datetime(2026, 2, 6, 14, tzinfo=UTC), location=location, action=action)


def test_an_absent_log_is_empty(tmp_path: Path) -> None:
    assert BehaviourLog(tmp_path / "none.jsonl").entries() == ()


def test_what_was_appended_is_read_back_with_its_line(tmp_path: Path) -> None:
    log = BehaviourLog(tmp_path / "deep" / "log.jsonl")
    log.append(entry("Opened Maps"))
    log.append(entry("叫了一辆车", "知春路"))
    assert [(one.line, one.location, one.action) for one in log.entries()] == [
        (1, "Home", "Opened Maps"),
        (2, "知春路", "叫了一辆车"),
    ]


def test_a_broken_line_is_reported_and_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(GOOD + "not json\n\n" + '{"time": "2026-02-06T14:00:00", "action": "no zone"}\n' + GOOD)
    log = BehaviourLog(path)
    assert [one.line for one in log.entries()] == [1, 5]
    assert [fault.line for fault in log.faults()] == [2, 4]
    assert "time" in str(log.faults()[1].reason)


def test_an_append_after_a_torn_line_starts_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(GOOD + '{"time": "2026-02-06T14:0')
    log = BehaviourLog(path)
    log.append(entry("after the crash"))
    assert [(one.line, one.action) for one in log.entries()] == [(1, "Opened Maps"), (3, "after the crash")]
    assert [fault.line for fault in log.faults()] == [2]


def test_a_last_line_without_its_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text((GOOD + GOOD).rstrip("\n"))
    log = BehaviourLog(path)
    assert [one.line for one in log.entries()] == [1, 2]
    log.append(entry("third"))
    assert [one.line for one in log.entries()] == [1, 2, 3]
    assert log.faults() == ()


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + (GOOD + GOOD).replace("\n", "\r\n").encode())
    assert len(BehaviourLog(path).entries()) == 2


def test_a_log_replaced_or_edited_by_hand_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(GOOD + GOOD)
    log = BehaviourLog(path)
    assert len(log.entries()) == 2
    path.write_text(GOOD.replace("Maps", "Mail") * 3)
    assert [one.action for one in log.entries()] == ["Opened Mail"] * 3
    path.unlink()
    assert log.entries() == ()


def test_secrets_are_stored_as_labels(tmp_path: Path) -> None:
    log = BehaviourLog(tmp_path / "log.jsonl")
    log.append(entry("Read 'your verification code is 482913'"))
    assert "482913" not in log.path.read_text()
    assert "[code]" in log.entries()[0].action


def test_importing_twice_adds_once(tmp_path: Path) -> None:
    source = tmp_path / "other.jsonl"
    source.write_text(GOOD + "broken\n")
    log = BehaviourLog(tmp_path / "log.jsonl")
    assert log.import_from(source)[:2] == (1, 0)
    again = log.import_from(source)
    assert again[:2] == (0, 1)
    assert [fault.line for fault in again.faults] == [2]
    assert len(log.entries()) == 1


def test_importing_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no behaviour log to import"):
        BehaviourLog(tmp_path / "log.jsonl").import_from(tmp_path / "absent.jsonl")


def test_the_benchmark_logs_read_without_a_fault(shared: Path) -> None:
    for path in sorted((shared / "bench" / "knowu" / "logs").glob("*.jsonl")):
        log = BehaviourLog(path)
        assert log.faults() == ()
        assert len(log.entries()) == len(path.read_text().splitlines())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.one_of(st.text(max_size=20), st.just(GOOD.strip())), max_size=8))
def test_any_text_between_entries_costs_only_itself(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes("\n".join(line.replace("\n", " ") for line in lines).encode("utf-8", "surrogatepass"))
    log = BehaviourLog(path)
    expected = sum(line == GOOD.strip() for line in lines)
    assert sum(one.action == "Opened Maps" for one in log.entries()) == expected
    log.append(entry("Opened Maps"))
    assert sum(one.action == "Opened Maps" for one in log.entries()) == expected + 1
    assert json.loads(path.read_bytes().splitlines()[-1])["action"] == "Opened Maps"
