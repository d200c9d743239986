"""Times as people write them have one reading or none."""

from datetime import date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from function_pool import times

NOW = datetime(2026, 2, 6, 14, 30, 5, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7:30", time(7, 30)),
        ("07:30", time(7, 30)),
        ("7：30", time(7, 30)),
        (" 7:30 PM ", time(19, 30)),
        ("19:30:00", time(19, 30)),
        ("7pm", time(19)),
        ("12 am", time(0)),
        ("12pm", time(12)),
        ("早上七点半", time(7, 30)),
        ("下午3点一刻", time(15, 15)),
        ("晚上8点05分", time(20, 5)),
        ("二十三点", time(23)),
        ("中午1点", time(13)),
        ("凌晨两点", time(2)),
    ],
)
def test_a_clock_time_with_one_reading_is_understood(text: str, expected: time) -> None:
    assert times.clock_time(text) == expected


@pytest.mark.parametrize("text", ["7", "25:00", "7:61", "晚上12点", "tonight at 1", "soon", "", "7:3", "上午15点"])
def test_a_clock_time_with_no_or_two_readings_is_not_guessed(text: str) -> None:
    assert times.clock_time(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-02-06", date(2026, 2, 6)),
        ("2026/2/6", date(2026, 2, 6)),
        ("2026年2月6日", date(2026, 2, 6)),
        ("2025-10-21T08:00:00", date(2025, 10, 21)),
        ("today", date(2026, 2, 6)),
        ("明天", date(2026, 2, 7)),
        ("30 days ago", date(2026, 1, 7)),
        ("30天前", date(2026, 1, 7)),
        ("in 2 weeks", date(2026, 2, 20)),
    ],
)
def test_a_day_is_understood_against_the_phones_clock(text: str, expected: date) -> None:
    assert times.day(text, NOW) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-02-07T07:00", "2026-02-07T07:00:00"),
        ("2026-02-07 07:00:00", "2026-02-07T07:00:00"),
        ("2026-02-07T07:00:00Z", "2026-02-07T15:00:00"),
        ("2026年2月7日 9点", "2026-02-07T09:00:00"),
        ("tomorrow at 9am", "2026-02-07T09:00:00"),
        ("9:00 tomorrow", "2026-02-07T09:00:00"),
        ("明天早上9点", "2026-02-07T09:00:00"),
        ("今晚8点", "2026-02-06T20:00:00"),
        ("tonight at 8:00", "2026-02-06T20:00:00"),
        ("半小时后", "2026-02-06T15:00:05"),
        ("in 30 minutes", "2026-02-06T15:00:05"),
        ("一个小时后", "2026-02-06T15:30:05"),
        ("15:00", "2026-02-06T15:00:00"),
        ("09:00", "2026-02-07T09:00:00"),
    ],
)
def test_a_moment_is_the_phones_local_time_without_an_offset(text: str, expected: str) -> None:
    moment = times.moment(text, NOW)
    assert moment is not None and moment.isoformat(timespec="seconds") == expected


@pytest.mark.parametrize("text", ["明天", "next friday", "2026-02-30 10:00", "in 99999999 weeks", "今晚12点", "today"])
def test_a_moment_that_is_not_clear_is_not_guessed(text: str) -> None:
    assert times.moment(text, NOW) is None


def test_relative_times_need_the_phones_clock() -> None:
    assert times.moment("tomorrow 9:00", None) is None
    assert times.day("tomorrow", None) is None


@given(st.text(max_size=30) | st.text(alphabet="0123456789:半点分时明今晚后天前 inago-/年月日pm", max_size=20))
def test_no_text_breaks_the_reading_of_times(text: str) -> None:
    assert isinstance(times.clock_time(text), time | None)
    assert isinstance(times.day(text, NOW), date | None)
    assert isinstance(times.moment(text, NOW), datetime | None)


@given(st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2100-01-01")))
def test_the_canonical_form_reads_back_as_itself(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    assert times.moment(moment.isoformat(timespec="seconds"), NOW) == moment
    assert times.day(moment.date().isoformat(), NOW) == moment.date()
    assert times.clock_time(f"{moment:%H:%M}") == moment.time().replace(second=0)
