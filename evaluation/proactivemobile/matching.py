"""When two calls do the same: the deterministic version of the paper's judge, strict and lenient."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from difflib import SequenceMatcher

from pydantic import JsonValue

from function_pool.call import FunctionCall
from function_pool.spec import Meaning, ParameterSpec, Pool
from function_pool.validation import InvalidCallError, validate
from heed.errors import UsageError

SIMILAR = 0.6
"""Free text is leniently equal from this similarity on (``SequenceMatcher``), or when one contains the other."""
_FREE = frozenset({Meaning.TEXT, Meaning.RECIPIENT, Meaning.FILE, Meaning.URL})
_MARKS = re.compile(r"[\W_]+")
Calls = Sequence[FunctionCall]


def equivalent(predicted: Calls, wanted: Calls, pool: Pool, now: datetime | None, *, lenient: bool) -> bool:
    """Whether both are the same calls, in any order where each name occurs once (they are then independent)."""
    names = [call.name for call in predicted], [call.name for call in wanted]
    if Counter(names[0]) != Counter(names[1]):
        return False
    if len(set(names[0])) == len(names[0]):
        pairs = [(call, next(other for other in wanted if other.name == call.name)) for call in predicted]
    else:
        pairs = list(zip(predicted, wanted, strict=True))
    return all(one.name == two.name and _same(one, two, pool, now, lenient=lenient) for one, two in pairs)


def _same(one: FunctionCall, two: FunctionCall, pool: Pool, now: datetime | None, *, lenient: bool) -> bool:
    spec = pool.functions.get(one.name)
    first, second = _canonical(one, pool, now), _canonical(two, pool, now)
    return all(
        _equal(first.get(name), second.get(name), spec.parameters.get(name) if spec else None, lenient=lenient)
        for name in first.keys() | second.keys()
    )


def _canonical(call: FunctionCall, pool: Pool, now: datetime | None) -> dict[str, JsonValue]:
    """Filled parameters; in canonical form where the call is valid."""
    with suppress(InvalidCallError, UsageError):
        call = validate(pool, call, now)
    return {name: value for name, value in call.parameters.items() if value not in (None, "", [], {})}


def _equal(one: JsonValue, two: JsonValue, spec: ParameterSpec | None, *, lenient: bool) -> bool:
    plain = normal(one), normal(two)
    if plain[0] == plain[1]:
        return True
    free = spec is None or (spec.type == "string" and _is_free_text(spec, one, two))
    if not lenient or not free:
        return False
    if not plain[0] or not plain[1]:
        return spec is not None and not spec.required
    return plain[0] in plain[1] or plain[1] in plain[0] or SequenceMatcher(None, *plain).ratio() >= SIMILAR


def _is_free_text(spec: ParameterSpec, *values: JsonValue) -> bool:
    listed = spec.choices and not (spec.open and all(value not in spec.choices for value in values))
    return spec.meaning in _FREE and not listed


def normal(value: JsonValue) -> str:
    """A value for comparing: full-width forms, case, marks and spaces do not count; 5 and 5.0 are the same."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "|".join(sorted(map(normal, value)))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _MARKS.sub("", unicodedata.normalize("NFKC", str(value)).casefold())
