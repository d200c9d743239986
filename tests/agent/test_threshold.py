"""How sure a suggestion must be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.policy.threshold import DEEPEST_FALL, HIGHEST_RISE, Tally, contradicts, learned_shift, reaches
from models.reasoner import silence
from tests.agent.make import contact_call, recommendation, saver_call

COUNTS = st.integers(min_value=0, max_value=1000)


@pytest.mark.parametrize(
    ("accepted", "rejected", "shift"),
    [(0, 0, 0.0), (0, 1, 0.0), (0, 2, 0.1), (0, 3, 0.2), (0, 9, 0.3), (3, 4, 0.0), (2, 0, 0.0), (4, 0, -0.04)],
)
def test_the_bar_follows_the_answers(accepted: int, rejected: int, shift: float) -> None:
    assert Tally(accepted=accepted, rejected=rejected).shift == pytest.approx(shift)


@given(COUNTS, COUNTS)
def test_no_history_moves_the_bar_beyond_its_bounds_or_the_wrong_way(accepted: int, rejected: int) -> None:
    shift = Tally(accepted=accepted, rejected=rejected).shift
    assert -DEEPEST_FALL <= shift <= HIGHEST_RISE
    assert Tally(accepted=accepted, rejected=rejected + 1).shift >= shift
    assert Tally(accepted=accepted + 1, rejected=rejected).shift <= shift


def test_the_most_careful_history_counts() -> None:
    assert learned_shift([Tally(accepted=9), Tally(rejected=2)]) == pytest.approx(0.1)
    assert learned_shift([]) == 0.0


@pytest.mark.parametrize(
    ("confidence", "raised_by", "enough"),
    [(0.6, 0.0, True), (0.5, 0.0, True), (0.4, 0.0, False), (0.6, 0.2, False), (0.8, 0.2, True), (0.45, -0.1, True),
     (None, 0.0, True), (None, 0.1, False), (None, -0.1, True), (1.0, 0.9, True)],
)  # fmt: skip
def test_an_unknown_confidence_reaches_the_configured_threshold_and_no_higher_one(
    confidence: float | None, raised_by: float, enough: bool
) -> None:
    assert reaches(confidence, 0.5, raised_by) is enough


def test_a_second_opinion_contradicts_only_with_a_proposal_of_its_own() -> None:
    first = recommendation(saver_call())
    assert contradicts(first, recommendation(contact_call()))
    assert contradicts(first, recommendation(saver_call(enabled=False)))
    assert not contradicts(first, recommendation(saver_call()))
    assert not contradicts(first, recommendation(contact_call(), saver_call()))
    assert not contradicts(first, silence("routines", "nothing fits"))
    assert not contradicts(first, None)
    assert not contradicts(silence("llama", "nothing"), recommendation(saver_call()))
