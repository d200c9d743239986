"""Names and calls of the functions that the owner taught: ``taught_NAME``, with a text for each slot."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from function_pool.spec import FunctionSpec, Pool

PREFIX = "taught_"
SCENARIO = "Taught by you"
_TOLD = "had heed do the taught task"


class NamedTask(NamedTuple):
    """A taught function that a text names, with the slots that it fills."""

    spec: FunctionSpec
    arguments: dict[str, str]


def named_task(text: str, pool: Pool) -> NamedTask | None:
    """Returns the taught function that a text begins with, ``NAME slot=value slot=value``; None for any other text.

    Blanks, hyphens and case of the name do not matter. A value ends where the next slot begins.
    """
    words = re.sub(r"[\s-]+", "_", text.strip().casefold())
    named = [spec for spec in pool if spec.name.startswith(PREFIX) and _begins(words, spec.name.removeprefix(PREFIX))]
    if not named:
        return None
    spec = max(named, key=lambda one: len(one.name))
    rest = text.strip()[len(spec.name) - len(PREFIX) :]
    return _with_slots(spec, rest)


def told(function: str, arguments: Mapping[str, object]) -> str:
    """Returns the line of the behaviour log that says that the owner had a taught task done."""
    given = (f"{name}={' '.join(str(value).split())}" for name, value in arguments.items())
    return " ".join((_TOLD, function.removeprefix(PREFIX), *given))


def task_told(line: str, pool: Pool) -> NamedTask | None:
    """Returns the taught function that a line of ``told`` is about; None for any other line."""
    return named_task(line.removeprefix(_TOLD), pool) if line.startswith(f"{_TOLD} ") else None


def _begins(words: str, name: str) -> bool:
    return words == name or words.startswith(f"{name}_")


def _with_slots(spec: FunctionSpec, rest: str) -> NamedTask | None:
    """Returns None where anything but known slots follows the name: then the text means something else."""
    names = "|".join(map(re.escape, spec.parameters)) or "(?!)"
    starts = list(re.finditer(rf"(?:^|\s)({names})\s?=", rest))
    before = rest[: starts[0].start()] if starts else rest
    if before.strip():
        return None
    ends = [start.start() for start in starts[1:]] + [len(rest)] * bool(starts)
    values = {start[1]: rest[start.end() : end].strip() for start, end in zip(starts, ends, strict=True)}
    return NamedTask(spec, {name: value for name, value in values.items() if value})
