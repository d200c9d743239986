"""The written moments as records: each need, and the look-alikes that were written with it."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from evaluation.generator.records import NO_RECOMMENDATION, Record
from function_pool.spec import Pool
from heed.language import Language
from heed.model import Frozen

Names = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]


class Moment(Frozen):
    """What a phone knows at one moment, in the benchmark's four fields."""

    profile: str
    phone: str
    world: str
    trace: tuple[str, ...] = Field(min_length=1)


class Calm(Frozen):
    """A look-alike in which silence is right: what differs from its need."""

    why: str
    """What makes silence right, in English."""
    profile: str | None = None
    phone: str | None = None
    world: str | None = None
    trace: tuple[str, ...] | None = Field(default=None, min_length=1)


class Need(Moment):
    """A moment in which something should be offered."""

    function: Names = Field(min_length=1)
    """What helps."""
    say: str
    """The offer, in one sentence."""
    calm: tuple[Calm, ...] = Field(min_length=1)

    def moment(self, calm: Calm | None = None) -> Moment:
        """The need itself, or the look-alike."""
        own = {name: getattr(self, name) for name in Moment.model_fields}
        other = calm.model_dump(include=set(own), exclude_none=True) if calm is not None else {}
        return Moment.model_validate(own | other)


def writers() -> tuple[str, ...]:
    """Whoever wrote moments, in order; each in a manner of their own."""
    folder = files("evaluation.generator").joinpath("data", "corpus")
    return tuple(sorted(one.name for one in folder.iterdir() if one.is_dir()))


def needs(writer: str, language: Language) -> list[Need]:
    """What ``writer`` wrote in ``language``."""
    folder = files("evaluation.generator").joinpath("data", "corpus", writer)
    text = folder.joinpath(f"{language.value}.jsonl").read_text("utf-8")
    return [Need.model_validate_json(line) for line in text.splitlines()]


def corpus_records(pool: Pool) -> Iterator[Record]:
    """The moments as records in the benchmark's format; calls without parameters.

    In the metadata, ``moment`` is the same for a need and its look-alikes, ``writer`` tells who wrote them, and ``why``
    what makes silence right.
    """
    for writer in writers():
        for language in Language:
            for number, need in enumerate(needs(writer, language), 1):
                yield from _records(need, writer, language, f"{writer}/{language.value}/{number}", pool)


def _records(need: Need, writer: str, language: Language, name: str, pool: Pool) -> Iterator[Record]:
    about = need.function[0]
    told = {"scenario": pool.get(about).scenario, "language": language.value, "moment": name, "writer": writer}

    def record(moment: Moment, kind: str, part: str, answer: dict[str, Any], **more: str) -> Record:
        return {
            "benchmark_metadata": {"id": f"{name}/{part}", "template": f"{about}/{kind}/corpus", **told, **more},
            "reference_information": moment.model_dump(mode="json"),
            "recommendation": [answer],
        }

    calls = [{"name": function, "parameters": {}} for function in need.function]
    yield record(need.moment(), "need", "need", {"instruction": need.say, "function": calls})
    for number, calm in enumerate(need.calm, 1):
        silence = {"instruction": NO_RECOMMENDATION, "function": []}
        yield record(need.moment(calm), "calm", f"calm-{number}", silence, why=calm.why)
