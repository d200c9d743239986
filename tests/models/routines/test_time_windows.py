"""Times of day lie on a circle."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from models.routines.mining.time_windows import DAY, TimeWindow, clusters, peaks, typical_window

MIDNIGHT = datetime.fromisoformat("2026-01-05T00:00:00+01:00")
minutes = st.lists(st.integers(0, DAY - 1), min_size=1, max_size=30)


def moments(values: list[int]) -> list[datetime]:
    return [MIDNIGHT + timedelta(minutes=value) for value in values]


@given(minutes, st.integers(1, 120))
def test_every_moment_is_in_exactly_one_cluster(values: list[int], gap: int) -> None:
    groups = clusters(moments(values), gap)
    assert sorted(index for group in groups for index in group) == list(range(len(values)))


@given(minutes, st.integers(1, 120), st.integers(0, DAY - 1))
def test_clusters_do_not_depend_on_where_midnight_is(values: list[int], gap: int, turn: int) -> None:
    turned = [(value + turn) % DAY for value in values]
    before = {frozenset(group) for group in clusters(moments(values), gap)}
    assert before == {frozenset(group) for group in clusters(moments(turned), gap)}


@given(st.integers(0, DAY - 1), st.lists(st.integers(0, 360), min_size=10, max_size=30))
def test_the_typical_window_holds_most_of_its_moments(first: int, later: list[int]) -> None:
    values = [(first + minute) % DAY for minute in later]
    window = typical_window(moments(values))
    inside = [window.contains(moment, before=0.01, after=0.01) for moment in moments(values)]
    assert sum(inside) >= len(values) - 2 * (1 + (len(values) - 1) // 10)


def test_a_window_over_midnight_belongs_to_the_evening_it_began_on() -> None:
    window = TimeWindow(start=22 * 60 + 30, length=180)
    late = datetime.fromisoformat("2026-01-06T01:10:00+01:00")
    assert window.contains(late)
    assert window.day_of(late) == MIDNIGHT.date()
    assert window.day_of(datetime.fromisoformat("2026-01-05T21:00:00+01:00")) == MIDNIGHT.date()
    assert not window.contains(datetime.fromisoformat("2026-01-06T02:00:00+01:00"))
    assert window.text() == "22:30-01:30"


def test_a_frequent_time_stands_out_of_a_busy_day() -> None:
    scattered = [(37 * step) % DAY for step in range(120)]
    busy = moments([*scattered, *[18 * 60 + step % 5 for step in range(60)]])
    frequent = [busy[index] for index in peaks(busy, 25)]
    assert len(frequent) >= 60
    assert {moment.hour for moment in frequent} <= {17, 18}


def test_two_moments_are_no_peak_and_three_are() -> None:
    assert peaks(moments([600, 610]), 25) == []
    assert sorted(peaks(moments([600, 610, 620, 900]), 25)) == [0, 1, 2]


def test_night_moments_around_midnight_are_one_cluster() -> None:
    assert clusters(moments([23 * 60 + 50, 5, 12 * 60]), 25) in ([[2], [0, 1]], [[0, 1], [2]])
    assert typical_window(moments([23 * 60 + 50, 10])).contains(MIDNIGHT)
