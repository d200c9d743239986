"""What changes in a moment from round to round leaves what tells its need from its look-alikes."""

import random

from collectors.context import RenderedContext
from function_pool.spec import default_pool
from models.perceptor.features import phrases
from training.generator.corpus import corpus_records
from training.perceptor.examples import Example, Moment, examples, moments
from training.perceptor.variation import bare, disturbed, elsewhere, padded, restyled, strange, varied

PAIRED, MARKED = "annotator", "tester"


def by(writer: str) -> list[Example]:
    told = [one for one in corpus_records(default_pool()) if one["benchmark_metadata"]["writer"] == writer]
    return examples(told, tuple(spec.name for spec in default_pool()))


FOUND = by(PAIRED)[:400]
OTHERS = strange(FOUND)


def made(seed: int) -> list[Moment]:
    chance = random.Random(seed)
    return [disturbed(moment, OTHERS[moment[0].language], chance) for moment in moments(FOUND)]


def own(one: Example, moment: Moment) -> set[str]:
    """The steps of ``one`` that its moment's other kind does not have."""
    return set(one.said.trace).difference(*(other.said.trace for other in moment if other.needed != one.needed))


def test_a_need_stands_with_its_look_alikes() -> None:
    for moment in moments(FOUND):
        assert [one.needed for one in moment] == [True, *[False] * (len(moment) - 1)]
        assert len(moment) >= 2
        assert all(one.gist for one in moment)


def test_what_tells_a_need_from_its_look_alikes_stays() -> None:
    for before, after in zip(moments(FOUND), made(1), strict=True):
        for plain, changed in zip(before, after, strict=True):
            assert own(plain, before) <= set(changed.said.trace)
            assert changed.said.profile == plain.said.profile
            assert plain.said.phone.rstrip(".。") in changed.said.phone


def test_all_of_a_moment_get_the_same_strange_steps_and_the_last_step_stays_last() -> None:
    grown = 0
    for before, after in zip(moments(FOUND), made(1), strict=True):
        strange_steps = [set(new.said.trace) - set(old.said.trace) for old, new in zip(before, after, strict=True)]
        assert all(steps == strange_steps[0] for steps in strange_steps)
        grown += bool(strange_steps[0])
        for old, new in zip(before, after, strict=True):
            if old.said.trace[-1] in new.said.trace:
                assert new.said.trace[-1] == old.said.trace[-1]
    assert grown >= len(made(1)) / 3


def test_strange_words_of_one_record_alone_leave_its_own_and_are_named() -> None:
    chance, grown = random.Random(5), 0
    for one in FOUND:
        new = padded(one, OTHERS[one.language], chance)
        assert [step for step in new.said.trace if step in one.said.trace] == list(one.said.trace)
        assert new.said.trace[-1] == one.said.trace[-1]
        extra = {bare(phrase) for phrase in (*phrases(new.said.phone), *new.said.trace)}
        assert extra <= new.strange | {bare(phrase) for phrase in ("", *phrases(one.said.phone), *one.said.trace)}
        grown += len(new.said.phone) > len(one.said.phone)
    assert grown > len(FOUND) / 3


def test_a_seed_gives_the_same_moments() -> None:
    assert made(2) == made(2) != made(3)


def test_another_manner_changes_texts_and_keeps_apart_what_differs() -> None:
    chance, changed = random.Random(4), 0
    for before in moments(FOUND):
        after = restyled(before, chance)
        changed += after != before
        for plain, new in zip(before, after, strict=True):
            assert len(new.said.trace) == len(plain.said.trace)
            assert len(own(new, after)) == len(own(plain, before))
    assert changed > len(moments(FOUND)) / 2


def test_marks_of_a_manner_are_found() -> None:
    said = RenderedContext(
        profile="The user likes tea.", phone="Battery 40 %; 'Home' Wi-Fi", world="", trace=("[08:12] She opened Maps",)
    )
    one = FOUND[0]._replace(said=said, language="en")
    chance = random.Random(1)
    seen = [restyled([one], chance)[0].said for _ in range(200)]
    assert {"opened Maps" in text.trace[0] for text in seen} == {True}
    assert any(text.trace[0] == "She opened Maps" for text in seen)
    assert any(text.trace[0].endswith("User opened Maps") for text in seen)
    assert any(text.phone == 'Battery 40 %. "Home" Wi-Fi' for text in seen)
    assert any(text.profile == "likes tea." for text in seen)


def test_around_what_decides_another_life_may_be_told() -> None:
    alone, chance, changed = by(MARKED), random.Random(6), 0
    others = strange(alone)
    for one in alone:
        new = elsewhere(one, others[one.language], chance)
        said = {bare(phrase) for phrase in all_phrases(new)}
        assert one.tells <= said
        changed += said != {bare(phrase) for phrase in all_phrases(one)}
    assert len(alone) / 3 < changed < 2 * len(alone) / 3


def test_what_decides_is_found_again_in_another_manner() -> None:
    alone, chance = by(MARKED), random.Random(7)
    others = strange(alone)
    found = asked = 0
    for one in alone:
        (new,) = varied([one], others[one.language], chance)
        found += len(new.tells & {bare(phrase) for phrase in all_phrases(new)})
        asked += len(one.tells)
    assert found >= 0.97 * asked


def all_phrases(one: Example) -> list[str]:
    said = one.said
    return [*phrases(said.profile), *phrases(said.world), *phrases(said.phone), *said.trace]
