"""The perceptor judges moments in both languages, and the person's answers move its threshold."""

import json
import os
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.context import RenderedContext
from evaluation.generator.corpus import corpus_records
from evaluation.generator.records import records
from function_pool.spec import Pool, default_pool
from models.perceptor import Perception, Perceptor, cues
from models.perceptor.features import PER_CONTEXT, PER_FUNCTION, features
from models.perceptor.perceptor import CANDIDATES, shifted
from models.perceptor.words import WORDS, words

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


def test_the_right_function_of_new_records_is_among_the_candidates() -> None:
    acting = [record for record in records(COUNT, 99, POOL) if record["recommendation"][0]["function"]]
    wanted = [record["recommendation"][0]["function"][0]["name"] for record in acting]
    seen = [perceptor().perceive(said(record)) for record in acting]
    among = [_is_candidate(one, name) for one, name in zip(seen, wanted, strict=True)]
    first = [one.candidates[0][0] == name for one, name in zip(seen, wanted, strict=True)]
    assert sum(among) / len(among) >= 0.8
    assert sum(first) / len(first) >= 0.3


def test_the_gate_opens_on_new_needs_more_often_than_on_their_look_alikes() -> None:
    opens: dict[bool, list[bool]] = {True: [], False: []}
    for record in records(COUNT, 99, POOL):
        opens[bool(record["recommendation"][0]["function"])].append(perceptor().perceive(said(record)).opens)
    needed, quiet = (sum(opens[kind]) / len(opens[kind]) for kind in (True, False))
    assert quiet <= 0.15
    assert needed >= 2 * quiet


def test_moments_kept_from_training_open_the_gate_when_something_is_needed() -> None:
    opens: dict[bool, list[bool]] = {True: [], False: []}
    among = []
    for record in corpus_records(POOL, held_out=True):
        seen, calls = perceptor().perceive(said(record)), record["recommendation"][0]["function"]
        opens[bool(calls)].append(seen.opens)
        among += [_is_candidate(seen, call["name"]) for call in calls]
    needed, quiet = (sum(opens[kind]) / len(opens[kind]) for kind in (True, False))
    assert quiet <= 0.10
    assert needed >= 0.40
    assert sum(among) / len(among) >= 0.95


def test_a_need_that_is_met_never_raises_the_probability() -> None:
    start = ("Opened Settings", "Looked at the battery")
    one = perceptor().perceive(steps(*start, "Waited at the station"))
    two = perceptor().perceive(steps(*start, "Waited at the station, already done"))
    assert two.p_act < one.p_act


@pytest.mark.parametrize(
    ("step", "function"),
    [
        ("Listened: wake me before the early shift, I overslept again", "set_alarm"),
        ("看到闸机，地铁进站要刷码", "show_transit_code"),
        ("Read about blurry duplicate photos, storage almost full", "clean_up_media_files"),
    ],
)
def test_words_outside_the_grammar_lead_to_their_function(step: str, function: str) -> None:
    assert function in {name for name, _ in perceptor().perceive(steps("Opened Messages", step)).candidates[:3]}


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
@settings(max_examples=30)
def test_any_text_is_judged_the_same_twice(phone: str, trace: list[str]) -> None:
    context = RenderedContext(profile="", phone=phone, world="", trace=tuple(trace))
    assert perceptor().perceive(context) == perceptor().perceive(context)


def test_endings_full_width_forms_and_case_do_not_matter() -> None:
    one, two = (cues.evidence(steps(text)) for text in ("ALARMS", "alarm"))
    assert (one.functions == two.functions).all()
    assert (cues.evidence(steps("闹钟")).functions > 0).any()


def test_a_cue_counts_where_it_was_said() -> None:
    late, early = (cues.evidence(steps(*trace)).functions for trace in (("x", "alarm"), ("alarm", "x")))
    at = cues.table().functions.index("set_alarm")
    assert late[at].argmax() == cues.SECTIONS.index("last")
    assert early[at].argmax() == cues.SECTIONS.index("before")


@pytest.mark.parametrize(("phone", "low"), [("Battery 12%", True), ("电量：9%", True), ("Battery 80%", False)])
def test_a_low_battery_is_a_cue_of_power_saving(phone: str, low: bool) -> None:
    at = cues.table().functions.index("set_power_saving_mode")
    said = cues.evidence(RenderedContext(profile="", phone=phone, world="")).functions[at].sum()
    plain = cues.evidence(RenderedContext(profile="", phone=phone.rstrip("0123456789%"), world="")).functions[at].sum()
    assert (said > plain) == low


def test_a_context_has_the_same_shape_however_short_its_trace() -> None:
    for trace in ((), ("a",), tuple("abcdefgh")):
        seen = features(steps(*trace))
        assert seen.functions.shape == (len(POOL), PER_FUNCTION)
        assert (seen.signs.shape, seen.words.shape) == ((PER_CONTEXT,), (WORDS,))


def test_words_weigh_the_same_in_a_step_and_on_the_phone_and_together_one() -> None:
    step, phone = (
        words(steps("Bill not paid, 20:00")),
        words(EMPTY.model_copy(update={"phone": "bill NOT paid, 21:30"})),
    )
    assert (step == phone).all()
    assert np.linalg.norm(step) == pytest.approx(1)
    assert not words(EMPTY).any()


def test_rejections_raise_the_threshold_and_acceptances_lower_it_less() -> None:
    assert shifted(0.5, 0, 0) == pytest.approx(0.5)
    assert shifted(0.5, 0, 1) > 0.5 > shifted(0.5, 1, 0)
    assert shifted(0.5, 0, 1) - 0.5 > 0.5 - shifted(0.5, 1, 0)
    assert shifted(0.5, 0, 1000) == 0.95
    assert shifted(0.5, 1000, 0) == 0.01
    assert Perceptor.load(rejected=3).threshold > Perceptor.load().threshold
