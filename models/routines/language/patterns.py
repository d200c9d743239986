"""The declared regular expressions (``patterns.yaml``) for entities and for phrases around a verb."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import TypeAdapter

from heed.model import Frozen
from models.routines.documents import parse_document

_PART = re.compile(r"<<(\w+)>>")

Reads = Literal["plain", "clock", "chinese_clock", "date", "days_ago", "file", "introduced", "phone"]


class _Entity(Frozen):
    kind: str
    pattern: str
    reads: Reads = "plain"


class _File(Frozen):
    parts: Mapping[str, str]
    entities: tuple[_Entity, ...]
    phrases: Mapping[str, str]
    no_names: frozenset[str]


class EntityPattern(Frozen):
    """A kind of entity with its pattern and the reader of its match."""

    kind: str
    pattern: re.Pattern[str]
    reads: Reads


class Patterns(Frozen):
    """All patterns, compiled."""

    entities: tuple[EntityPattern, ...]
    phrases: Mapping[str, re.Pattern[str]]
    no_names: frozenset[str]


@cache
def patterns() -> Patterns:
    """The patterns that heed ships."""
    text = files("models.routines").joinpath("data").joinpath("patterns.yaml").read_text("utf-8")
    declared = parse_document(text, TypeAdapter(_File), "patterns.yaml")

    def compiled(pattern: str) -> re.Pattern[str]:
        while (expanded := _PART.sub(lambda match: declared.parts[match[1]], pattern)) != pattern:
            pattern = expanded
        return re.compile(pattern, re.IGNORECASE | re.VERBOSE)

    return Patterns(
        entities=tuple(
            EntityPattern(kind=entity.kind, pattern=compiled(entity.pattern), reads=entity.reads)
            for entity in declared.entities
        ),
        phrases={name: compiled(pattern) for name, pattern in declared.phrases.items()},
        no_names=declared.no_names,
    )
