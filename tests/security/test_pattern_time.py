"""No regular expression of the product takes more than linear time, however hostile the text.

Steps are counted, not seconds: the result is the same on every machine. ``bench.patterns`` measures the seconds.
"""

import re
import threading
from collections.abc import Callable

import pytest

from bench.pattern_sources import PACKAGES, sources
from bench.pattern_steps import Counter, grows_too_fast, hostile

EVERYWHERE = frozenset({"finditer"})
STACK = 256 * 1024 * 1024


def _in_deep_stack(work: Callable[[], list[str]]) -> list[str]:
    """Run with a stack that holds a match over a long text."""
    results: list[list[str]] = []
    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=lambda: results.append(work()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    return results[0]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("package", PACKAGES)
def test_every_pattern_takes_linear_time(package: str) -> None:
    mine = [one for one in sources() if one.place.startswith(f"{package}/")]
    slow = _in_deep_stack(
        lambda: [
            f"{one.place} {one.pattern.pattern[:80]!r}: {why}"
            for one in mine
            if (why := grows_too_fast(one.pattern, one.methods))
        ]
    )
    assert not slow


@pytest.mark.parametrize(
    "pattern",
    [r"\s+$", r"(a+)+b", r"\d+元", r"a.*b.*c", r"(?:x|xx)*y", r"\w*\s*\w*;", r"(?m)^\s*x", r"kur\w*[ \d]+\w+\.z"],
)
def test_patterns_of_quadratic_time_are_found(pattern: str) -> None:
    assert _in_deep_stack(lambda: [grows_too_fast(re.compile(pattern), EVERYWHERE) or ""]) != [""]


@pytest.mark.parametrize(
    "pattern",
    [r"\s{1,8}x", r"(?<!\d)\d++x", r"a[^ab]*b", r"(?<![a-z])[a-z]{2,600}+;", r"[a-z]|\d{3}", r"x(?=\d)", r"\w"],
)
def test_patterns_of_linear_time_pass(pattern: str) -> None:
    assert _in_deep_stack(lambda: [grows_too_fast(re.compile(pattern), EVERYWHERE) or ""]) == [""]


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"(a|b)+?c$", "ababc", True),
        (r"(?i)(\w)x\1", "AxA", True),
        (r"(?<=a)b(?!c)", "abd", True),
        (r"a++a", "aaaa", False),
        (r"(?>a|ab)c", "abc", False),
        (r"[^\W\d]{2,3}$", "x1ab", True),
    ],
)
def test_the_counting_matcher_agrees_with_re(pattern: str, text: str, matches: bool) -> None:
    compiled = re.compile(pattern)
    assert bool(compiled.search(text)) is matches
    assert (Counter(compiled, text, 10_000)._at(_start(compiled, text)) is not None) is matches


def _start(compiled: re.Pattern[str], text: str) -> int:
    found = compiled.search(text)
    return found.start() if found else 0


def test_hostile_inputs_are_made_of_the_pattern() -> None:
    assert ("ab", " ", "\x00") in hostile(re.compile(r"ab\s*c"))
    assert hostile(re.compile(r"ab{1,5}c")) == []
