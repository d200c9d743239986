"""Drafts the table between another pool and heed's, for a person to check and complete."""

import json
import re

from function_pool.pool_map import PoolMap
from function_pool.spec import FunctionSpec, Pool

_WORD = re.compile(r"[a-z]{3,}|[\u4e00-\u9fff]")
_SUGGESTED = 3
_NAME_WEIGHT = 2.0
"""A word of the name says more than one of the description."""


def draft(theirs: Pool, ours: Pool, known: PoolMap, source: str) -> str:
    """Returns the text of a pool map.

    Args:
        theirs: the other pool.
        ours: heed's pool.
        known: counterparts that are certain; they are written as they are.
        source: names the other pool.

    Every other function is commented out, with the functions of heed's that share the most words with it: a guess that
    nobody confirmed must not translate anything.
    """
    lines = [f"source: {json.dumps(source, ensure_ascii=False)}", "functions:"]
    certain = known.covers(theirs, ours.functions)
    lines += [_row(name, known.functions[name].model_dump(exclude_defaults=True)) for name in certain]
    for spec in theirs:
        if spec.name not in certain:
            first, *others = _nearest(spec, ours)
            note = f"  # or {', '.join(others)}" if others else ""
            lines.append(f"  # {_row(spec.name, _guess(spec, ours.get(first))).strip()}{note}")
    return "\n".join(lines if certain else [*lines[:1], "functions: {}", *lines[2:]]) + "\n"


def _row(name: str, function: object) -> str:
    return f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(function, ensure_ascii=False)}"


def _guess(spec: FunctionSpec, ours: FunctionSpec) -> dict[str, object]:
    """The parameters of the other function that heed's has no equal name for are listed, to be filled in."""
    open_ones = {name: "" for name in spec.parameters if name not in ours.parameters}
    return {"function": ours.name, **({"parameters": open_ones} if open_ones else {})}


def _nearest(spec: FunctionSpec, ours: Pool) -> list[str]:
    def likeness(other: FunctionSpec) -> float:
        named, described = _shared(spec.name, other.name), _shared(spec.description, other.description)
        return _NAME_WEIGHT * named + described

    return [other.name for other in sorted(ours, key=likeness, reverse=True)][:_SUGGESTED]


def _shared(one: str, two: str) -> float:
    """Share of the words of both texts that both have."""
    words, others = set(_WORD.findall(one.casefold())), set(_WORD.findall(two.casefold()))
    return len(words & others) / (len(words | others) or 1)
