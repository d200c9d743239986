"""Printing: translated sentences, tables and JSON."""

import json
import sys
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from heed.language import Language, chosen
from heed.messages import ENGLISH, Text, translate

console = Console(highlight=False)
"""Standard output. Rich detects a terminal by itself and honours NO_COLOR."""


def say(sentence: Text, language: Language | None = None, style: str = "") -> None:
    """Print a sentence in the owner's language; None = the configured one."""
    console.print(escape(translate(sentence, language or chosen())), style=style or None, soft_wrap=True)


def headed(*headings: Text, language: Language, whole: str = "") -> Table:
    """Return an empty table with translated headings; the column ``whole`` is never wrapped."""
    table = Table(box=None, header_style="dim")
    for heading in headings:
        table.add_column(translate(heading, language), no_wrap=bool(whole) and str(heading) == whole, overflow="fold")
    return table


def print_json(value: Any) -> None:
    """Print ``value`` as one JSON document; it may hold pydantic models."""
    json.dump(_plain(value), sys.stdout, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write("\n")


def as_data(model: BaseModel, *, exclude: set[str] | None = None) -> dict[str, Any]:
    """Return ``model`` as JSON data, with messages as English sentences."""
    return model.model_dump(mode="json", exclude=exclude, context=ENGLISH)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return as_data(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
