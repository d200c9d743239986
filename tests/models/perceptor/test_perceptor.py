"""The perceptor judges moments in both languages, and the person's answers move its threshold."""

import json
import os
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.context import RenderedContext
from evaluation.generator.records import records
from function_pool.spec import Pool, default_pool
from models.perceptor import Perception, Perceptor
from models.perceptor.features import features, terms
from models.perceptor.perceptor import CANDIDATES, shifted

POOL = default_pool()
COUNT = 2_000 if os.environ.get("HEED_PROVE") == "1" else 200
EMPTY = RenderedContext(profile="", phone="", world="")


@cache
def perceptor() -> Perceptor:
    return Perceptor.load()


def said(record: dict[str, dict[str, object]]) -> RenderedContext:
    return RenderedContext.model_validate_json(json.dumps(record["reference_information"]))


def test_the_card_names_the_functions_of_the_pool() -> None:
    assert set(perceptor().card.functions) == {spec.name for spec in POOL}


def test_new_records_of_the_generator_are_judged_well() -> None:
    made = list(records(COUNT, 99, POOL))
    seen = [perceptor().perceive(said(record)) for record in made]
    quiet = [one.opens for one, record in zip(seen, made, strict=True) if not record["recommendation"][0]["function"]]
    acting = [(one, record) for one, record in zip(seen, made, strict=True) if record["recommendation"][0]["function"]]
    assert sum(quiet) / len(quiet) <= 0.2
    assert sum(one.opens for one, _ in acting) / len(acting) >= 0.25
    among = [_is_candidate(one, record["recommendation"][0]["function"][0]["name"]) for one, record in acting]
    assert sum(among) / len(among) >= 0.8


def _is_candidate(seen: Perception, name: str) -> bool:
    return name in {candidate for candidate, _ in seen.candidates}


def test_a_perception_is_ordered_and_bounded() -> None:
    seen = perceptor().perceive(said(next(records(1, 5, POOL))))
    shares = [share for _, share in seen.candidates]
    assert len(seen.candidates) == CANDIDATES
    assert shares == sorted(shares, reverse=True)
    assert sum(share for _, share in seen.scenarios) == pytest.approx(1)
    assert 0 <= seen.p_act <= 1


def test_only_functions_of_the_pool_are_candidates() -> None:
    few = Pool(functions={name: POOL.get(name) for name in ("set_alarm", "play_music")})
    assert {name for name, _ in perceptor().perceive(EMPTY, few).candidates} == {"set_alarm", "play_music"}
    none = perceptor().perceive(EMPTY, Pool(functions={}))
    assert (none.candidates, none.opens) == ((), False)


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=6))
@settings(max_examples=30, deadline=None)
def test_any_text_is_judged_the_same_twice(phone: str, trace: list[str]) -> None:
    context = RenderedContext(profile="", phone=phone, world="", trace=tuple(trace))
    assert perceptor().perceive(context) == perceptor().perceive(context)


def test_words_and_characters_are_terms_and_digits_are_not() -> None:
    assert list(terms("Ordered 3 PIZZAS")) == ["ordere", "pizzas", "ordere pizzas"]
    assert list(terms("下雨了")) == ["下雨", "雨了", "下雨了"]
    assert not list(terms("12:30"))


def test_the_latest_step_counts_more_than_an_early_one() -> None:
    def with_steps(*steps: str) -> RenderedContext:
        return RenderedContext(profile="", phone="", world="", trace=steps)

    assert (features(with_steps("alpha", *"bcdefg")) != features(with_steps(*"bcdefg", "alpha"))).any()


def test_rejections_raise_the_threshold_and_acceptances_lower_it_less() -> None:
    assert shifted(0.5, 0, 0) == pytest.approx(0.5)
    assert shifted(0.5, 0, 1) > 0.5 > shifted(0.5, 1, 0)
    assert shifted(0.5, 0, 1) - 0.5 > 0.5 - shifted(0.5, 1, 0)
    assert shifted(0.5, 0, 1000) == 0.95
    assert shifted(0.5, 1000, 0) == 0.01
    assert Perceptor.load(rejected=3).threshold > Perceptor.load().threshold
