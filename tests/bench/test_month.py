"""A month lived through: few suggestions, most of them wanted, and a no that is remembered."""

from pathlib import Path

import pytest

from agent.config import PolicyConfig
from bench.month import lives
from evaluation.knowu.cases import load_log
from function_pool.spec import default_pool
from tests.models.routines.personas import OFFICE, at, english, numbered

POOL = default_pool()


def test_a_known_persona_is_asked_seldom_and_mostly_says_yes() -> None:
    new, known = lives(english(), POOL, PolicyConfig())
    assert new.suggestions < known.suggestions
    assert known.most_on_a_day <= PolicyConfig().per_day
    assert known.accepted / known.suggestions >= 0.7
    assert known.false_per_day <= 1


def test_nobody_is_asked_more_often_than_the_policy_allows() -> None:
    for life in lives(english(), POOL, PolicyConfig(per_day=1)):
        assert life.most_on_a_day <= 1


def test_a_habit_that_ended_is_asked_for_ever_more_seldom() -> None:
    ended = [at(day, "09:30", OFFICE, "She put the phone on do not disturb.") for day in range(14)]
    after = [at(day, "18:00", OFFICE, "She looked at a few pictures in the gallery.") for day in range(14, 35)]
    life, _ = lives(numbered([*ended, *after]), POOL, PolicyConfig())
    accepted, rejected = life.of_function["set_do_not_disturb"]
    assert accepted >= 5
    assert rejected <= 5


@pytest.mark.parametrize("log", ["developer.clean", "user.noise"])
def test_a_recorded_month_stays_within_the_default_limit(shared: Path, log: str) -> None:
    for life in lives(load_log(shared / "bench" / "knowu" / "logs" / f"{log}.jsonl"), POOL, PolicyConfig()):
        assert life.suggestions > 0
        assert life.most_on_a_day <= 6
        assert life.false_per_day <= 1
