"""Prompt templates: data files with a schema, one per version and layout, in two languages.

A template's text is part of what a model was tuned on and of what a decision is replayed with: a changed text is
a new version in a new file.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from pydantic import ValidationError

from heed.errors import Bug, UsageError
from heed.language import Language
from heed.messages import msg
from heed.model import Frozen
from models.grammar import JsonStyle, OutputFormat

Part = Literal["profile", "frames", "phone", "world", "trace"]


class Texts(Frozen):
    """A template in one language. ``{calls}``, ``{format}`` and ``{pool}`` are filled into ``system``."""

    system: str
    formats: Mapping[OutputFormat, str]
    profile: str
    frames: str
    phone: str
    world: str
    trace: str
    missing_frame: str
    """Stands for a screenshot whose file is gone."""
    nothing: str
    """Stands for an empty part."""


class Template(Frozen):
    """One layout: how the pool is rendered, in which order the parts come, and how the fine-tune writes JSON."""

    version: str
    pool: Literal["compact", "json"]
    style: JsonStyle
    order: tuple[Part, ...]
    texts: Mapping[Language, Texts]


def names() -> list[str]:
    """The versions that there are."""
    return sorted(entry.name.removesuffix(".yaml") for entry in files(__package__).joinpath("templates").iterdir())


@cache
def load(name: str) -> Template:
    """The template called ``name``; ``UsageError`` naming the others when there is none."""
    if name not in names():
        raise UsageError(
            msg("There is no prompt template called {name!r}.", name=name), msg("Use one of: {names}.", names=names())
        )
    raw = files(__package__).joinpath("templates", f"{name}.yaml").read_text("utf-8")
    try:
        return Template.model_validate(yaml.safe_load(raw))
    except ValidationError as error:
        raise Bug(f"The prompt template {name} is not valid: {error}") from error
