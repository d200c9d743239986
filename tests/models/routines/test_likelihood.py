"""How likely, from how often."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from models.routines.mining.likelihood import is_stale, posterior, weekday_likelihoods, weight

FIRST = date(2026, 1, 5)
DAYS = [FIRST + timedelta(days=ahead) for ahead in range(35)]
TODAY = DAYS[-1]


@given(st.sets(st.sampled_from(DAYS)), st.sets(st.sampled_from(DAYS)))
def test_likelihoods_are_probabilities(hits: set[date], chances: set[date]) -> None:
    assert all(0 <= chance <= 1 for chance in weekday_likelihoods(hits & chances, chances, TODAY))


def test_a_weekly_action_is_likely_on_its_day_only() -> None:
    fridays = {day for day in DAYS if day.weekday() == 4}
    likelihoods = weekday_likelihoods(fridays, DAYS, TODAY)
    assert likelihoods[4] > 0.6
    assert max(likelihoods[:4]) < 0.2


def test_a_weekday_without_days_of_its_own_leans_on_the_others() -> None:
    without_monday = [day for day in DAYS if day.weekday() != 0]
    likelihoods = weekday_likelihoods({day for day in without_monday if day.weekday() < 5}, without_monday, TODAY)
    assert likelihoods[0] > 0.8
    assert likelihoods[5] < 0.3


def test_recent_days_count_more() -> None:
    assert weight(TODAY, TODAY) == 1.0
    assert weight(TODAY - timedelta(days=42), TODAY) == 0.5
    assert weight(TODAY + timedelta(days=3), TODAY) == 1.0


def test_a_posterior_moves_from_its_prior_to_what_was_seen() -> None:
    assert posterior(0, 0, mean=0.3) == 0.3
    assert abs(posterior(900, 1000, mean=0.3) - 0.9) < 0.01


def test_a_habit_is_stale_after_misses_too_many_for_it() -> None:
    assert is_stale(DAYS[:20], DAYS)
    assert not is_stale(DAYS[:32], DAYS)
    fridays = [day for day in DAYS if day.weekday() == 4]
    assert not is_stale(fridays[:-1], DAYS)
    assert is_stale([], DAYS)
