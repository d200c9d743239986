"""Converts the corpus to records: needs with look-alikes (pairs), and moments that stand alone.

The look-alikes of a need differ from it only in what makes silence right. Moments that stand alone are as in real use
and in benchmarks: there, a moment that calls for silence is unrelated to any need.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter

from function_pool.spec import Pool
from heed.language import Language
from heed.model import Frozen
from training.generator.records import NO_RECOMMENDATION, Record

Names = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]


class WrittenMoment(Frozen):
    """A context in the benchmark's four fields."""

    profile: str
    phone: str
    world: str
    trace: tuple[str, ...] = Field(min_length=1)


class LookAlike(Frozen):
    """A variant of a need in which silence is right, given by the fields that differ."""

    why: str
    """What makes silence right, in English."""
    profile: str | None = None
    phone: str | None = None
    world: str | None = None
    trace: tuple[str, ...] | None = Field(default=None, min_length=1)


class NeedMoment(WrittenMoment):
    """A moment in which something should be offered."""

    function: Names = Field(min_length=1)
    """The functions that help."""
    say: str
    """The offer, in one sentence."""
    calm: tuple[LookAlike, ...] = ()
    """Empty if the moment stands alone."""
    tells: tuple[str, ...] = ()
    """Decisive phrases, as split by ``features.phrases``; empty with look-alikes, which show what decides."""

    def moment(self, calm: LookAlike | None = None) -> WrittenMoment:
        """The need itself, or one of its look-alikes."""
        own = {name: getattr(self, name) for name in WrittenMoment.model_fields}
        other = calm.model_dump(include=set(own), exclude_none=True) if calm is not None else {}
        return WrittenMoment.model_validate(own | other)


class SilentMoment(WrittenMoment):
    """A moment that stands alone and in which silence is right although something seems to be needed."""

    function: Names = Field(min_length=1)
    """The functions that seem to help."""
    why: str
    """What makes silence right, in English."""
    tells: tuple[str, ...] = ()
    """Phrases that make silence right."""


Written = NeedMoment | SilentMoment
_WRITTEN: TypeAdapter[Written] = TypeAdapter(Written)


def writers() -> tuple[str, ...]:
    """Names of the writers, sorted."""
    folder = files("training").joinpath("corpus")
    return tuple(sorted(one.name for one in folder.iterdir() if one.is_dir()))


def written(writer: str, language: Language) -> list[Written]:
    """The moments of ``writer`` in ``language``."""
    folder = files("training").joinpath("corpus", writer)
    text = folder.joinpath(f"{language.value}.jsonl").read_text("utf-8")
    return [_WRITTEN.validate_json(line) for line in text.splitlines()]


def corpus_records(pool: Pool) -> Iterator[Record]:
    """The corpus as records in the benchmark's format; calls have no parameters.

    Metadata: ``moment`` (the same for a need and its look-alikes), ``writer``, ``why`` (the reason for silence) and
    ``tells`` (the decisive phrases of a moment that stands alone).
    """
    for writer in writers():
        for language in Language:
            for number, one in enumerate(written(writer, language), 1):
                yield from _records(one, writer, language, f"{writer}/{language.value}/{number}", pool)


def _records(one: Written, writer: str, language: Language, name: str, pool: Pool) -> Iterator[Record]:
    about = one.function[0]
    told = {"scenario": pool.get(about).scenario, "language": language.value, "moment": name, "writer": writer}

    def record(moment: WrittenMoment, kind: str, part: str, answer: dict[str, Any], **more: Any) -> Record:
        return {
            "benchmark_metadata": {"id": f"{name}/{part}", "template": f"{about}/{kind}/corpus", **told, **more},
            "reference_information": moment.model_dump(mode="json", include=set(WrittenMoment.model_fields)),
            "recommendation": [answer],
        }

    silence = {"instruction": NO_RECOMMENDATION, "function": []}
    if isinstance(one, SilentMoment):
        yield record(one, "calm", "calm", silence, why=one.why, tells=list(one.tells))
        return
    calls = [{"name": function, "parameters": {}} for function in one.function]
    yield record(one.moment(), "need", "need", {"instruction": one.say, "function": calls}, tells=list(one.tells))
    for number, calm in enumerate(one.calm, 1):
        yield record(one.moment(calm), "calm", f"calm-{number}", silence, why=calm.why)
