"""Training examples from the corpus: contexts with labelled arguments."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import JsonValue

from collectors.context import RenderedContext
from function_pool.spec import Pool, default_pool
from heed.language import Language
from models.perceptor.features import phrases
from models.reader.choices import choice_outputs
from models.reader.context_input import context_text
from models.reader.roles import role_of, roles
from training.generator.corpus import NeedMoment, written
from training.reader.examples import Span

LABELS = Path(__file__).parents[1] / "arguments" / "data"
_ALIKE = 0.5
"""Least share of common words with the phrase that a composed value is taken to come from."""


class ContextExample(NamedTuple):
    """A context, a function, and what is known of its arguments."""

    hand: str
    """The writer."""
    function: str
    said: RenderedContext
    spans: tuple[Span, ...]
    """In ``context_text``."""
    absent: tuple[int, ...]
    """Roles of parameters that the call does not have."""
    choices: tuple[tuple[str, JsonValue], ...]
    """``FUNCTION.PARAMETER`` and its value; None = not stated, or none of the allowed ones."""
    arguments: Mapping[str, JsonValue]


def load_contexts(folder: Path = LABELS) -> Iterator[ContextExample]:
    """Every labelled call of the corpus."""
    pool = default_pool()
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            writer, language, number = row["id"].split("/")
            moment = _moments(writer, Language(language))[int(number)]
            for call in row["calls"]:
                yield _example(writer, moment, call, pool)


@cache
def _moments(writer: str, language: Language) -> list[Any]:
    return list(written(writer, language))


def _example(writer: str, moment: NeedMoment, call: Mapping[str, Any], pool: Pool) -> ContextExample:
    said = RenderedContext(profile=moment.profile, phone=moment.phone, world=moment.world, trace=moment.trace)
    function, arguments, shown, open_ = call["f"], call["args"], call.get("from", {}), call.get("open", [])
    spans, absent, choices = [], [], []
    for name in pool.get(function).parameters:
        key, role = f"{function}.{name}", role_of(function, name)
        if key in choice_outputs():
            value = None if name in open_ else arguments.get(name)
            if value is None or value in choice_outputs()[key].values:
                choices.append((key, value))
        if role is None:
            continue
        if name not in arguments:
            absent.append(roles().index(role))
        elif words := _words(arguments[name], shown.get(name), said):
            start = _place(words, said)
            spans.append(Span(roles().index(role), start, start + len(words)))
    known = {span.role for span in spans}
    return ContextExample(
        writer,
        function,
        said,
        tuple(spans),
        tuple(role for role in absent if role not in known),
        tuple(choices),
        arguments,
    )


def _words(value: Any, shown: str | None, said: RenderedContext) -> str:
    """The words of the context that hold a value; empty where there are none."""
    text = context_text(said)
    stated = str(value[0] if isinstance(value, list) and value else value)
    for words in (shown, stated):
        if words and words in text:
            return words
    if isinstance(value, str) and len(stated) > 8:
        best = max(phrases(text), key=lambda phrase: _likeness(phrase, stated), default="")
        return best.strip() if _likeness(best, stated) >= _ALIKE else ""
    return ""


def _likeness(phrase: str, value: str) -> float:
    """Share of common pairs of characters (Dice)."""
    one, two = ({text[at : at + 2].lower() for at in range(len(text) - 1)} for text in (phrase, value))
    return 2 * len(one & two) / max(1, len(one) + len(two))


def _place(words: str, said: RenderedContext) -> int:
    """The latest step that has the words, else where they stand first."""
    ends = []
    at = 0
    for step in said.trace:
        if words in step:
            ends.append(at + step.index(words))
        at += len(step) + 1
    return ends[-1] if ends else context_text(said).index(words)
