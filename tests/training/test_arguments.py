"""The labelled arguments belong to moments of the corpus, and hold what the pool allows."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from function_pool.validation import InvalidCallError, validate
from heed.language import Language
from training.generator.corpus import NeedMoment, Written, written
from training.reader.contexts import LABELS, load_contexts

POOL = default_pool()


def rows(language: Language) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(LABELS, f"{language}.jsonl").read_text("utf-8").splitlines()]


@cache
def moments(writer: str, language: Language) -> list[Written]:
    return written(writer, language)


def moment(row: dict[str, Any]) -> NeedMoment:
    writer, language, number = row["id"].split("/")
    found = moments(writer, Language(language))[int(number)]
    assert isinstance(found, NeedMoment), row["id"]
    return found


def calls(language: Language) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for row in rows(language):
        for call in row["calls"]:
            yield row, call


def test_there_are_at_least_eight_thousand_moments_with_calls() -> None:
    labelled = [row for language in Language for row in rows(language) if row["calls"]]
    assert len(labelled) >= 8_000
    assert len({row["id"] for row in labelled}) == len(labelled)
    assert {call["f"] for row in labelled for call in row["calls"]} == {spec.name for spec in POOL}


@pytest.mark.parametrize("language", list(Language))
def test_each_call_is_one_of_its_moment_with_the_words_that_it_was_read_from(language: Language) -> None:
    for row, call in calls(language):
        need = moment(row)
        assert call["f"] in need.function, row["id"]
        text = "\n".join([need.profile, need.phone, need.world, " / ".join(need.trace), *need.trace])
        for words in call.get("from", {}).values():
            assert words in text, (row["id"], words)


@pytest.mark.parametrize("language", list(Language))
def test_values_are_those_of_the_pool_but_for_names_that_its_lists_lack(language: Language) -> None:
    for row, call in calls(language):
        spec = POOL.get(call["f"])
        assert all(name in call["args"] for name, parameter in spec.parameters.items() if parameter.required), row["id"]
        for name, value in call["args"].items():
            choices = spec.parameters[name].choices
            if name not in call.get("open", ()) and choices:
                assert all(one in choices for one in (value if isinstance(value, list) else [value])), (row["id"], name)


def test_most_calls_are_valid_as_they_stand() -> None:
    """But for names that lists lack, days without a year, and masked numbers, which stay as the moment has them."""
    valid = total = 0
    for language in Language:
        for _, call in calls(language):
            total += 1
            try:
                validate(POOL, FunctionCall(name=call["f"], parameters=call["args"]))
                valid += 1
            except InvalidCallError:
                continue
    assert valid >= 0.7 * total, (valid, total)


def test_most_values_have_a_place_in_their_context() -> None:
    examples = list(load_contexts())
    assert sum(bool(one.spans) for one in examples) >= 0.85 * len(examples)
    assert sum(bool(one.choices) for one in examples) >= 0.5 * len(examples)
