from hypothesis import given
from hypothesis import strategies as st

from function_pool.spec import default_pool
from models.requests.features import BUCKETS, hashed_words
from models.requests.weights import NONE, dump, shipped_request_weights
from models.requests.words import _table


@given(st.text(max_size=200))
def test_any_text_has_buckets_of_the_table(text: str) -> None:
    assert all(0 <= bucket < BUCKETS for bucket in hashed_words(text))


def test_numbers_are_alike() -> None:
    assert hashed_words("alarm at 6") == hashed_words("alarm at 7")


def test_the_shipped_weights_know_the_pool_and_are_small() -> None:
    weights = shipped_request_weights()
    assert set(weights.functions) == {NONE, *(spec.name for spec in default_pool())}
    assert len(dump(weights)) < 500_000


def test_the_words_name_values_of_the_pool() -> None:
    for name, rows in _table().items():
        function, _, parameter = name.partition(".")
        assert {value for value, _ in rows} <= set(map(str, default_pool().get(function).parameters[parameter].choices))
