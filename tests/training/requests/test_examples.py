from collections import Counter

import pytest

from function_pool.spec import default_pool
from heed.language import Language, language_of
from training.requests.examples import LANGUAGES, held_out_requests, training_requests

LEAST_WORDINGS = 15


def test_every_function_has_wordings_in_both_languages() -> None:
    counts = Counter((one.function, language_of(one.text)) for one in training_requests())
    by_function = Counter(one.function for one in training_requests())
    for spec in default_pool():
        assert by_function[spec.name] >= 2 * LEAST_WORDINGS
        assert all(counts[spec.name, language] for language in Language)


def test_spans_are_words_of_their_request_and_name_parameters() -> None:
    for one in training_requests():
        known = default_pool().get(one.function).parameters if one.function else {}
        assert {*one.spans, *one.choices} <= set(known), one.text
        assert all(words in one.text for words in one.spans.values()), one.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_held_out_requests_cover_the_pool_and_are_not_learned_from(language: str) -> None:
    held_out = held_out_requests(language)
    served = [one for one in held_out if one.function]
    assert len(served) == 150
    assert {one.function for one in served} == {spec.name for spec in default_pool()}
    learned = {one.text.casefold() for one in training_requests()}
    assert not learned.intersection(one.text.casefold() for one in held_out)
