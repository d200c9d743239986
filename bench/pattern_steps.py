"""Counts the steps of a backtracking match, so that the growth of a pattern's time needs no clock.

The matcher follows ``re``'s own parse tree: the same choices in the same order, without its shortcuts. Hostile inputs
are made from the pattern: what its repeats repeat, with what stands before them, and an end that fits nowhere.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], bool]
Step = Callable[[int, Then], bool]

_FILLERS = " \na0A1-._,:会(\"'[{/@#\t"
_LONG = 500
"""A repeat that goes no further than this is bounded: however long the text, it costs the same."""


class TooManyStepsError(Exception):
    """The count passed its limit."""


class Counter:
    """One pattern over one text; ``steps`` is what it took."""

    def __init__(self, pattern: re.Pattern[str], text: str, limit: int) -> None:
        self._text, self._limit, self.steps = text, limit, 0
        self._flags, self._groups = pattern.flags, {}  # type: ignore[var-annotated]
        self._match = self._sequence(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE).data, pattern.flags)

    def run(self, method: str) -> int:
        """Count what ``method`` takes; those that replace, split or list go on behind each match."""
        if method in {"match", "fullmatch"}:
            self._at(0, whole=method == "fullmatch")
            return self.steps
        start = 0
        while start <= len(self._text):
            end = self._at(start)
            if end is not None and method == "search":
                break
            start = max(start + 1, end or 0)
        return self.steps

    def _at(self, start: int, whole: bool = False) -> int | None:
        ends: list[int] = []
        self._groups.clear()

        def accept(end: int) -> bool:
            if whole and end != len(self._text):
                return False
            ends.append(end)
            return True

        return ends[0] if self._match(start, accept) else None

    def _count(self) -> None:
        self.steps += 1
        if self.steps > self._limit:
            raise TooManyStepsError

    # --- one closure for each node of the parse tree ------------------------------------------------------------
    def _sequence(self, nodes: Sequence[Any], flags: int) -> Step:
        steps = [self._node(op, value, flags) for op, value in nodes]

        def run(place: int, position: int, then: Then) -> bool:
            if place == len(steps):
                return then(position)
            return steps[place](position, lambda after: run(place + 1, after, then))

        return lambda position, then: run(0, position, then)

    def _node(self, op: Any, value: Any, flags: int) -> Step:  # noqa: PLR0911 - one line for each kind of node
        if op in {c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN}:
            return self._one(_fits(op, value, flags))
        if op is c.AT:
            return self._anchor(value, flags)
        if op in {c.ASSERT, c.ASSERT_NOT}:
            return self._look(op is c.ASSERT, value[0], value[1], flags)
        if op is c.BRANCH:
            branches = [self._sequence(branch, flags) for branch in value[1]]
            return lambda position, then: any(branch(position, then) for branch in branches)
        if op is c.SUBPATTERN:
            return self._group(value[0], self._sequence(value[3], (flags | value[1]) & ~value[2]))
        if op is c.ATOMIC_GROUP:
            return self._atomic(self._sequence(value, flags))
        if op is c.GROUPREF:
            return self._again(value)
        if op in {c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT}:
            low, high, nodes = value
            return self._repeat(op, low, high, nodes, flags)
        raise NotImplementedError(str(op))

    def _one(self, fits: Callable[[str], bool]) -> Step:
        def step(position: int, then: Then) -> bool:
            self._count()
            return position < len(self._text) and fits(self._text[position]) and then(position + 1)

        return step

    def _anchor(self, kind: Any, flags: int) -> Step:
        sign = {c.AT_BEGINNING: "^", c.AT_BEGINNING_STRING: r"\A", c.AT_END: "$", c.AT_END_STRING: r"\Z"}
        sign |= {c.AT_BOUNDARY: r"\b", c.AT_NON_BOUNDARY: r"\B"}
        anchor = re.compile(sign[kind], flags & (re.MULTILINE | re.ASCII))

        def step(position: int, then: Then) -> bool:
            self._count()
            return anchor.match(self._text, position) is not None and then(position)

        return step

    def _look(self, wanted: bool, direction: int, nodes: Any, flags: int) -> Step:
        inner, width = self._sequence(nodes, flags), nodes.getwidth()[0]

        def step(position: int, then: Then) -> bool:
            self._count()
            start = position if direction > 0 else position - width
            found = start >= 0 and inner(start, lambda end: direction > 0 or end == position)
            return found is wanted and then(position)

        return step

    def _group(self, number: int | None, inner: Step) -> Step:
        def step(position: int, then: Then) -> bool:
            def close(end: int) -> bool:
                before = self._groups.get(number)
                self._groups[number] = (position, end)
                if then(end):
                    return True
                self._groups[number] = before
                return False

            return inner(position, then if number is None else close)

        return step

    def _atomic(self, inner: Step) -> Step:
        def step(position: int, then: Then) -> bool:
            ends: list[int] = []
            return inner(position, lambda end: not ends.append(end)) and then(ends[0])  # type: ignore[func-returns-value]

        return step

    def _again(self, number: int) -> Step:
        def step(position: int, then: Then) -> bool:
            self._count()
            span = self._groups.get(number)
            word = self._text[slice(*span)] if span else None
            return word is not None and self._text.startswith(word, position) and then(position + len(word))

        return step

    def _repeat(self, op: Any, low: int, high: Any, nodes: Any, flags: int) -> Step:
        if len(nodes) == 1 and nodes[0][0] in {c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN}:
            return self._repeat_one(op, low, int(high), _fits(nodes[0][0], nodes[0][1], flags))
        inner = self._sequence(nodes, flags)
        if op is c.POSSESSIVE_REPEAT:
            greedy = self._repeat_group(False, low, int(high), inner)
            return self._atomic(greedy)
        return self._repeat_group(op is c.MIN_REPEAT, low, int(high), inner)

    def _repeat_one(self, op: Any, low: int, high: int, fits: Callable[[str], bool]) -> Step:
        def step(position: int, then: Then) -> bool:
            end, last = position, min(len(self._text), position + high)
            if op is c.MIN_REPEAT:
                while end - position < low or not then(end):
                    self._count()
                    if end >= last or not fits(self._text[end]):
                        return False
                    end += 1
                return True
            while end < last and fits(self._text[end]):
                self._count()
                end += 1
            if op is c.POSSESSIVE_REPEAT:
                return end - position >= low and then(end)
            while end - position >= low:
                self._count()
                if then(end):
                    return True
                end -= 1
            return False

        return step

    def _repeat_group(self, lazy: bool, low: int, high: int, inner: Step) -> Step:
        def run(count: int, position: int, then: Then) -> bool:
            self._count()

            def more() -> bool:
                return count < high and inner(
                    position, lambda end: (end > position or count < low) and run(count + 1, end, then)
                )

            if count < low:
                return more()
            return (then(position) or more()) if lazy else (more() or then(position))

        return lambda position, then: run(0, position, then)


def _fits(op: Any, value: Any, flags: int) -> Callable[[str], bool]:
    if op is c.ANY:
        return lambda char: char != "\n" or bool(flags & re.DOTALL)
    if op in {c.LITERAL, c.NOT_LITERAL}:
        wanted = {chr(value), chr(value).lower(), chr(value).upper()} if flags & re.IGNORECASE else {chr(value)}
        return (lambda char: char in wanted) if op is c.LITERAL else (lambda char: char not in wanted)
    known: dict[str, bool] = {}

    def fits(char: str) -> bool:
        if char not in known:
            cases = {char, char.lower(), char.upper()} if flags & re.IGNORECASE else {char}
            known[char] = any(_in_set(value, one, flags) for one in cases)
        return known[char]

    return fits


def _in_set(items: Sequence[Any], char: str, flags: int) -> bool:
    negated = bool(items) and items[0][0] is c.NEGATE
    return negated is not any(_is_item(op, value, char, flags) for op, value in items if op is not c.NEGATE)


_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_WORD: r"\W",
}


def _is_item(op: Any, value: Any, char: str, flags: int) -> bool:
    if op is c.CATEGORY:
        return re.fullmatch(_CATEGORIES[value], char, flags & re.ASCII) is not None
    return ord(char) == value if op is c.LITERAL else len(char) == 1 and value[0] <= ord(char) <= value[1]


# --- hostile inputs -------------------------------------------------------------------------------------------------
def hostile(pattern: re.Pattern[str]) -> list[tuple[str, str, str]]:
    """What to repeat, with what stands before it and what behind; nothing where every repeat is bounded."""
    tree = _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    repeats = list(_repeats(tree.data, "", pattern.flags))
    if not repeats:
        return []
    found = {("", filler, "\x00") for filler in " \na0会"}
    for before, bodies in repeats:
        for body in bodies:
            found |= {("", body, "\x00"), (before, body, "\x00"), ("", before + body, "\x00")}
            if body != " ":
                found.add((before, body + " ", "\x00"))
    whole = _sample(tree.data, pattern.flags)[:40]
    found |= {("", whole, "\x00"), ("", whole[:-1], "\x00"), ("", whole + " ", "")}
    return sorted(one for one in found if one[1])


def _repeats(nodes: Sequence[Any], before: str, flags: int) -> Iterator[tuple[str, list[str]]]:
    """Each long repeat, with a sample of what precedes it and samples of its body."""
    for op, value in nodes:
        if op in {c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT}:
            if int(value[1]) > _LONG:
                yield before, _bodies(value[2], flags)
            yield from _repeats(value[2], before, flags)
        elif op is c.SUBPATTERN:
            yield from _repeats(value[3], before, (flags | value[1]) & ~value[2])
        elif op is c.ATOMIC_GROUP:
            yield from _repeats(value, before, flags)
        elif op is c.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, before, flags)
        elif op in {c.ASSERT, c.ASSERT_NOT}:
            yield from _repeats(value[1], before, flags)
        before += _sample([(op, value)], flags)


def _bodies(nodes: Sequence[Any], flags: int) -> list[str]:
    if len(nodes) == 1 and nodes[0][0] in {c.NOT_LITERAL, c.ANY, c.IN}:
        fits = _fits(nodes[0][0], nodes[0][1], flags)
        chosen = [char for char in _FILLERS if fits(char)]
        return chosen[:4] or [_sample(nodes, flags)]
    return [_sample(nodes, flags)]


def _sample(nodes: Sequence[Any], flags: int) -> str:
    """A short text that the nodes match, look-arounds aside."""
    return "".join(_sample_one(op, value, flags) for op, value in nodes)


def _sample_one(op: Any, value: Any, flags: int) -> str:  # noqa: PLR0911 - one line for each kind of node
    if op is c.LITERAL:
        return chr(value)
    if op in {c.NOT_LITERAL, c.ANY, c.IN}:
        fits = _fits(op, value, flags)
        ranges = [chr(item[1][0]) for item in value if item[0] is c.RANGE] if op is c.IN else []
        literals = [chr(item[1]) for item in value if item[0] is c.LITERAL] if op is c.IN else []
        return next((char for char in [*_FILLERS, *literals, *ranges] if fits(char)), "x")
    if op is c.BRANCH:
        return _sample(value[1][0], flags)
    if op is c.SUBPATTERN:
        return _sample(value[3], (flags | value[1]) & ~value[2])
    if op is c.ATOMIC_GROUP:
        return _sample(value, flags)
    if op in {c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT}:
        times = max(int(value[0]), 1 if value[1] else 0)
        return _sample(value[2], flags) * times
    return ""


# --- growth -----------------------------------------------------------------------------------------------------------
SIZES = (40, 120, 400)
RATIO, SPARE = 6, 400


def grows_too_fast(pattern: re.Pattern[str], methods: frozenset[str]) -> str | None:
    """An input with which four times the length takes more than six times the steps; None where there is none.

    Bounded repeats grow until they reach their bound, so what grows too fast is looked at again with longer inputs.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 60_000))
    for method in sorted(_different(methods)):
        for before, body, behind in hostile(pattern):
            if all(_steep(pattern, method, before, body, behind, size) for size in SIZES):
                return f"{method} of {before!r} + {body!r} * n + {behind!r}"
    return None


def _different(methods: frozenset[str]) -> set[str]:
    """The dearest of the methods: what looks everywhere covers what looks at the beginning."""
    if methods <= {"match", "fullmatch"}:
        return set(methods)
    return {"search"} if methods <= {"match", "fullmatch", "search"} else {"finditer"}


def _steep(pattern: re.Pattern[str], method: str, before: str, body: str, behind: str, size: int) -> bool:
    def text(length: int) -> str:
        return before + body * (length // len(body)) + behind

    try:
        small = Counter(pattern, text(size), 400_000).run(method)
        Counter(pattern, text(4 * size), RATIO * small + SPARE).run(method)
    except (TooManyStepsError, RecursionError):
        return True
    return False
