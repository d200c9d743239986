"""Prompt templates: data files with a schema, one per version and layout, shipped or the owner's.

A template's text is part of what a model was tuned on and of what a decision is replayed with: a changed text is a new
version in a new file. The version of an owner's file ends with a digest of its content, which tells changes apart.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError

from heed.errors import UsageError
from heed.language import Language
from heed.library_messages import from_library
from heed.messages import msg
from heed.model import Frozen
from models.grammar import JsonStyle, OutputFormat

Part = Literal["profile", "habits", "frames", "phone", "world", "trace", "log"]
_FILES = (".yaml", ".yml")


class Texts(Frozen):
    """A template in one language. ``{calls}``, ``{format}`` and ``{pool}`` are filled into ``system``."""

    system: str
    formats: Mapping[OutputFormat, str]
    """The formats that the model was tuned on."""
    profile: str
    habits: str = ""
    """Heads the learnt habits; without any, there is no such part."""
    frames: str
    phone: str
    world: str
    trace: str
    log: str = ""
    """Heads the entries of the behaviour log nearest to the moment; without any, there is no such part."""
    missing_frame: str
    """Stands for a screenshot whose file is gone."""
    nothing: str
    """Stands for an empty part."""


class Template(Frozen):
    """One layout: how the pool is rendered, in which order the parts come, and how the fine-tune writes JSON."""

    version: str
    pool: Literal["compact", "json"]
    style: JsonStyle = JsonStyle()
    order: tuple[Part, ...]
    texts: Mapping[Language, Texts] = Field(min_length=1)

    def language(self, wanted: Language) -> Language:
        """``wanted``, or the language that the template has, if it lacks that one."""
        return wanted if wanted in self.texts else next(iter(self.texts))


def names() -> list[str]:
    """The versions that heed ships."""
    return sorted(entry.name.removesuffix(".yaml") for entry in files(__package__).joinpath("templates").iterdir())


def load(name: str) -> Template:
    """Returns a template.

    Args:
        name: a shipped version, or the path of the owner's YAML file (``~`` is the home folder). Such a file may name a
            shipped version as its ``base`` and then holds only what differs from it.

    Raises:
        UsageError: there is no such version or file, or the file does not fit; names the field at fault.
    """
    if name.endswith(_FILES):
        return _from_file(Path(name).expanduser())
    if name not in names():
        raise UsageError(
            msg("There is no prompt template called {name!r}.", name=name),
            msg("Use one of {names}, or the path of a file that ends with .yaml.", names=names()),
        )
    return _shipped(name)


@cache
def _shipped(name: str) -> Template:
    return _validated(_raw(name), name)


def _raw(name: str) -> dict[str, Any]:
    text = files(__package__).joinpath("templates", f"{name}.yaml").read_text("utf-8")
    return _with_base(yaml.safe_load(text), name)


def _from_file(path: Path) -> Template:
    try:
        raw = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(msg("Cannot read the prompt template {path}: {error}.", path=path, error=error)) from error
    if not isinstance(raw, dict):
        raise UsageError(msg("{where} is not a prompt template: it must be a mapping.", where=path))
    merged = _with_base({"version": path.stem, **raw}, str(path))
    digest = hashlib.sha256(json.dumps(merged, sort_keys=True, default=str).encode()).hexdigest()
    return _validated({**merged, "version": f"{merged['version']}#{digest[:8]}"}, str(path))


def _with_base(raw: dict[str, Any], where: str) -> dict[str, Any]:
    base = raw.get("base")
    if base is None:
        return raw
    if base not in names():
        raise UsageError(msg("{where}: there is no prompt template {base!r} to build on.", where=where, base=base))
    return _merged(_raw(base), {name: value for name, value in raw.items() if name != "base"})


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with ``changes``, mapping by mapping; anything else is replaced."""
    merged = dict(base)
    for name, value in changes.items():
        inner = merged.get(name)
        both = isinstance(inner, Mapping) and isinstance(value, Mapping)
        merged[name] = _merged(inner, value) if both else value  # type: ignore[arg-type]
    return merged


def _validated(raw: Mapping[str, Any], where: str) -> Template:
    try:
        return Template.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(
            msg(
                "{where} is not a prompt template: {place}: {fault}.",
                where=where,
                place=".".join(map(str, first["loc"])),
                fault=from_library(first["msg"]),
            )
        ) from error
