"""The hand-written moments as records: each need beside the look-alike that was written with it."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import yaml
from pydantic import BeforeValidator

from evaluation.generator.records import NO_RECOMMENDATION, Record
from function_pool.spec import Pool
from heed.language import Language
from heed.model import Frozen

Names = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]


class Entry(Frozen):
    """A moment in somebody's own words."""

    function: Names = ()
    """What helps; empty where nothing is needed."""
    resembles: Names = ()
    """What a moment that needs nothing looks like."""
    say: str = ""
    profile: str
    phone: str
    world: str
    trace: tuple[str, ...]


def corpus_records(pool: Pool, *, held_out: bool = False) -> Iterator[Record]:
    """The moments as records in the benchmark's format; calls without parameters.

    ``moment`` in the metadata is the same for a need and the look-alikes that follow it.

    Args:
        pool: the functions that the moments call.
        held_out: the moments that nothing is trained or tuned on, instead of the others.
    """
    for language in Language:
        for file in sorted(_files(language, held_out), key=lambda one: one.name):
            moment = 0
            entries = map(Entry.model_validate, yaml.safe_load(file.read_text("utf-8")))
            for number, entry in enumerate(entries, 1):
                moment += bool(entry.function)
                name = f"{language.value}/{file.name.removesuffix('.yaml')}"
                yield _record(entry, language, f"{name}/{number}", f"{name}/moment-{moment}", pool)


def _files(language: Language, held_out: bool) -> list[Traversable]:
    folder = files("evaluation.generator").joinpath("data", "corpus", language.value)
    folder = folder.joinpath("held_out") if held_out else folder
    return [file for file in folder.iterdir() if file.name.endswith(".yaml")]


def _record(entry: Entry, language: Language, name: str, moment: str, pool: Pool) -> Record:
    about = (entry.function or entry.resembles)[0]
    calls: list[dict[str, Any]] = [{"name": name, "parameters": {}} for name in entry.function]
    kind = "need" if entry.function else "calm"
    return {
        "benchmark_metadata": {
            "id": name,
            "scenario": pool.get(about).scenario,
            "language": language.value,
            "template": f"{about}/{kind}/corpus",
            "moment": moment,
        },
        "reference_information": {
            "profile": entry.profile,
            "phone": entry.phone,
            "world": entry.world,
            "trace": list(entry.trace),
        },
        "recommendation": [{"instruction": entry.say or NO_RECOMMENDATION, "function": calls}],
    }
