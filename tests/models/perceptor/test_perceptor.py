"""The perceptor judges moments in both languages, and the person's answers move its threshold."""

import json
import os
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.context import RenderedContext
from function_pool.spec import Pool, default_pool
from heed.language import Language
from models.perceptor import Perception, Perceptor
from models.perceptor.perceptor import CANDIDATES, shifted
from training.generator.corpus import corpus_records, writers
from training.generator.records import Record, records
from training.perceptor.examples import examples, moments
from training.perceptor.figures import figures, perceived

POOL = default_pool()
COUNT = 1_000 if os.environ.get("HEED_PROVE") == "1" else 200
GROUPS = tuple(f"{name}_" for name in (*Language, *writers()))
EMPTY = RenderedContext(profile="", phone="", world="")


@cache
def perceptor() -> Perceptor:
    return Perceptor.load()


def said(record: Record) -> RenderedContext:
    return RenderedContext.model_validate_json(json.dumps(record["reference_information"]))


def is_need(record: Record) -> bool:
    return bool(record["recommendation"][0]["function"])


def test_the_card_names_the_functions_of_the_pool() -> None:
    assert set(perceptor().card.functions) == {spec.name for spec in POOL}


def test_the_right_function_of_new_records_is_among_the_candidates() -> None:
    """Records of the grammar, in which noise is 5 to 20 times the signal; of another seed than in the training."""
    acting = [record for record in records(COUNT, 99, POOL) if is_need(record)]
    wanted = [record["recommendation"][0]["function"][0]["name"] for record in acting]
    seen = [perceptor().perceive(said(record)) for record in acting]
    assert np.mean([_is_candidate(one, name) for one, name in zip(seen, wanted, strict=True)]) >= 0.8
    assert np.mean([one.candidates[0][0] == name for one, name in zip(seen, wanted, strict=True)]) >= 0.3


def test_the_card_tells_how_the_network_judges_writers_it_does_not_know() -> None:
    """At the full count all of them; else every third of their moments, and not by writer and language."""
    card, step = perceptor().card, 1 if os.environ.get("HEED_PROVE") == "1" else 3
    held = [record for record in corpus_records(POOL) if record["benchmark_metadata"]["writer"] in card.held_out]
    found = [one for moment in moments(examples(held, card.functions))[::step] for one in moment]
    taken = figures(found, perceived(found, perceptor()), card.functions, card.threshold)
    told = {name: value for name, value in card.metrics.items() if step == 1 or not name.startswith(GROUPS)}
    assert {name: taken[name] for name in told} == pytest.approx(told, abs=0.02 if step == 1 else 0.05)


@pytest.mark.parametrize(
    ("step", "function"),
    [
        ("Texted Ana: wake me before the early shift, I overslept again", "set_alarm"),
        ("走到地铁闸机前，准备刷码进站", "show_transit_code"),
        ("Photos: storage almost full, 400 blurry duplicates found", "clean_up_media_files"),
        ("收到短信：您的快递已到菜鸟驿站，请凭取件码领取", "show_pickup_code"),
    ],
)
def test_a_step_leads_to_its_function(step: str, function: str) -> None:
    assert function in {name for name, _ in perceptor().perceive(steps("Opened the phone", step)).candidates[:3]}


def steps(*trace: str) -> RenderedContext:
    return RenderedContext(profile="", phone="", world="", trace=trace)


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


def test_case_accents_and_full_width_forms_do_not_matter() -> None:
    assert perceptor().perceive(steps("Café: ALARM at 07：40")) == perceptor().perceive(steps("cafe: alarm at 07:40"))


def test_rejections_raise_the_threshold_and_acceptances_lower_it_less() -> None:
    assert shifted(0.5, 0, 0) == pytest.approx(0.5)
    assert shifted(0.5, 0, 1) > 0.5 > shifted(0.5, 1, 0)
    assert shifted(0.5, 0, 1) - 0.5 > 0.5 - shifted(0.5, 1, 0)
    assert shifted(0.5, 0, 1000) == 0.95
    assert shifted(0.5, 1000, 0) == 0.01
    assert Perceptor.load(rejected=3).threshold > Perceptor.load().threshold
