"""Generated records keep what their format and their report promise."""

import os
from itertools import islice

import pytest

from function_pool.spec import default_pool
from heed.language import Language
from training.generator.grammar import call_templates, grammar
from training.generator.records import records
from training.generator.report import describe, near_duplicates, text_of

POOL = default_pool()
COUNT = 50_000 if os.environ.get("HEED_PROVE") == "1" else 1_000


def test_the_grammar_covers_the_pool_in_both_languages() -> None:
    names = {spec.name for spec in POOL}
    assert set(call_templates()) == names
    assert all(set(grammar(language).functions) == names for language in Language)


def test_a_set_of_records_is_balanced_and_without_near_duplicates() -> None:
    said = describe(list(records(COUNT, 3, POOL)))
    assert said.records == COUNT
    assert 0.35 <= said.no_action <= 0.5
    assert said.near_duplicates < 0.01
    assert said.functions == len(POOL)
    assert len(said.scenarios) == 14
    assert min(said.languages.values()) > COUNT // 3


def test_every_positive_is_followed_by_its_look_alike() -> None:
    made = list(records(200, 4, POOL))
    for positive, negative in zip(made[::2], made[1::2], strict=True):
        function = positive["recommendation"][0]["function"][0]["name"]
        assert negative["recommendation"] == [{"instruction": "No Recommendation", "function": []}]
        assert negative["benchmark_metadata"]["template"].startswith(f"{function}/")


def test_the_same_seed_gives_the_same_records() -> None:
    assert list(records(50, 7, POOL)) == list(records(50, 7, POOL))
    assert list(records(50, 7, POOL)) != list(records(50, 8, POOL))


def test_no_slot_is_left_open() -> None:
    for record in islice(records(300, 5, POOL), 300):
        assert "{" not in text_of(record)


@pytest.mark.parametrize(("second", "near"), [("a b c d e f g h", 1), ("i j k l m n o p", 0)])
def test_near_duplicates_are_found(second: str, near: int) -> None:
    assert near_duplicates(["a b c d e f g h", second]) == near
