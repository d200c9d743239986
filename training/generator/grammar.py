"""The scenario grammars: needs, look-alikes and manual steps, per language and function."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import Field, JsonValue

from heed.language import Language
from heed.model import Frozen


class Moments(Frozen):
    """The grammar of one function."""

    rec: str
    """The sentence of the recommendation."""
    done: str
    """The step of doing it by hand."""
    need: tuple[str, ...] = Field(min_length=2)
    calm: tuple[str, ...] = Field(min_length=1)
    words: tuple[str, ...] = ()
    """Words that occur when it is wanted."""


class Noise(Frozen):
    """Content unrelated to any function."""

    apps: tuple[str, ...]
    steps: tuple[str, ...]
    profile: tuple[str, ...]
    calendar: tuple[str, ...]


class ScenarioGrammar(Frozen):
    """The grammar of one language."""

    functions: Mapping[str, Moments]
    noise: Noise
    dismissed: tuple[str, ...]
    loose: tuple[str, ...]
    """Templates of moments with two words, ``{one}`` and ``{two}``."""
    idle: tuple[str, ...]
    """The same, for moments in which nothing is needed."""
    slots: Mapping[str, tuple[str, ...]]


class Parts(Frozen):
    """The parts of a moment: ``profile``, ``calendar``, notifications and SMS as (app or ``sms``, text), steps."""

    profile: tuple[str, ...] = ()
    calendar: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    steps: tuple[str, ...] = ()

    def all(self) -> frozenset[str]:
        """Every text of it."""
        told = (text for pair in self.texts for text in pair)
        return frozenset((*self.profile, *self.calendar, *told, *self.steps))

    def __len__(self) -> int:
        return sum(map(len, self.all()))


_PROFILE, _CALENDAR, _STEPS = "me", ("cal", "日程"), "do"


def parts_of(written: Sequence[str]) -> Parts:
    """The parts of moments as the grammar writes them: ``App| text && do| step / step``."""
    pairs = [tuple(part.split("| ", 1)) for text in written for part in text.split(" && ")]
    return Parts(
        profile=tuple(text for head, text in pairs if head == _PROFILE),
        calendar=tuple(text for head, text in pairs if head in _CALENDAR),
        texts=tuple((head, text) for head, text in pairs if head not in (_PROFILE, _STEPS, *_CALENDAR)),
        steps=tuple(step for head, text in pairs if head == _STEPS for step in text.split(" / ")),
    )


def _read(name: str) -> Any:
    return yaml.safe_load(files("training.generator").joinpath("data").joinpath(name).read_text("utf-8"))


@cache
def grammar(language: Language) -> ScenarioGrammar:
    """The grammar of a language."""
    raw: dict[str, Any] = _read(f"{language.value}.yaml")
    rest = {name: raw.pop(name) for name in ("noise", "dismissed", "loose", "idle", "slots")}
    words: dict[str, dict[str, str]] = _read("words.yaml")
    functions = {name: {**one, "words": words[name][language].split(", ")} for name, one in raw.items()}
    return ScenarioGrammar.model_validate({"functions": functions, **rest})


@cache
def call_templates() -> Mapping[str, Mapping[str, JsonValue]]:
    """The parameters of each function's call, with slots."""
    calls: Mapping[str, Mapping[str, JsonValue]] = _read("calls.yaml")
    return calls
