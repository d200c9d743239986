"""The moments written by hand keep the form the training reads."""

from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest
import yaml
from pydantic import model_validator

from function_pool.spec import default_pool
from heed.model import Frozen

CORPUS = Path(__file__).parents[2] / "evaluation" / "generator" / "data" / "corpus"
POOL = default_pool()
MOST_ALIKE = 0.7
"""Two needs, or two look-alikes, share at most this part of their runs of three characters."""


class Moment(Frozen):
    """One entry: either a need with its call and sentence, or a look-alike of one."""

    function: str | tuple[str, ...] = ()
    resembles: str | None = None
    say: str | None = None
    profile: str
    phone: str
    world: str
    trace: tuple[str, ...]

    @model_validator(mode="after")
    def _one_kind(self) -> "Moment":
        if bool(self.function) == bool(self.resembles) or bool(self.function) != bool(self.say):
            raise ValueError("a moment has a function and a sentence, or resembles a function")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        calls = (self.function,) if isinstance(self.function, str) else self.function
        return calls or (str(self.resembles),)

    @property
    def text(self) -> str:
        return "\n".join((self.profile, self.phone, self.world, *self.trace))


@cache
def moments(language: str) -> list[tuple[str, Moment]]:
    """Every entry of ``language``, held out or not, with the name of its file."""
    return [
        (path.stem, Moment.model_validate(entry))
        for path in sorted((CORPUS / language).rglob("*.yaml"))
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


def scenario_file(function: str) -> str:
    return POOL.get(function).scenario.lower().replace("&", "and").replace(" ", "_")


@pytest.mark.parametrize("language", ["en", "zh"])
class TestCorpus:
    def test_every_function_has_as_many_look_alikes_as_needs(self, language: str) -> None:
        found = moments(language)
        needs = Counter(name for _, moment in found if moment.function for name in moment.names)
        calm = Counter(name for _, moment in found if moment.resembles for name in moment.names)
        assert set(needs) == {spec.name for spec in POOL}
        assert needs == calm

    def test_a_moment_stands_in_the_file_of_its_scenario(self, language: str) -> None:
        for file, moment in moments(language):
            assert file in {scenario_file(name) for name in moment.names}, moment.profile

    def test_a_moment_has_two_to_eight_steps(self, language: str) -> None:
        for _, moment in moments(language):
            assert 2 <= len(moment.trace) <= 8, moment.profile

    def test_the_number_of_steps_does_not_tell_a_need_from_a_look_alike(self, language: str) -> None:
        steps: dict[bool, list[int]] = {True: [], False: []}
        for _, moment in moments(language):
            steps[bool(moment.function)].append(len(moment.trace))
        assert abs(fmean(steps[True]) - fmean(steps[False])) <= 0.1

    def test_no_two_moments_of_a_kind_are_nearly_the_same(self, language: str) -> None:
        for need in (True, False):
            shingles = [_shingles(moment.text) for _, moment in moments(language) if bool(moment.function) == need]
            for one, two in combinations(shingles, 2):
                assert 2 * len(one & two) <= MOST_ALIKE * (len(one) + len(two)), one & two


def _shingles(text: str) -> set[str]:
    return {text[at : at + 3] for at in range(len(text) - 2)}
