"""What every regular expression of the product costs on hostile input: ``python -m bench.patterns [--size 1200]``.

Each runs as the product uses it (search, match, ...) over texts made from its own parts, at a quarter of the size and
at the whole size. The slowest are printed with the growth: 4 is linear, 16 quadratic. A pattern that passes the
deadline of a second at a quarter of the size is not tried at the whole.
"""

import argparse
import re
import time
from typing import NamedTuple

from bench.pattern_sources import Source, sources
from bench.pattern_steps import hostile

DEADLINE_S = 1.0


class Cost(NamedTuple):
    """The dearest input of one pattern."""

    seconds: float
    growth: float
    source: Source
    text: str


def cost(source: Source, size: int) -> Cost:
    """The dearest of the hostile inputs at this size."""
    worst = Cost(0.0, 0.0, source, "")
    for before, body, behind in hostile(source.pattern):
        for method in sorted(source.methods):
            quarter = _seconds(source.pattern, method, before + body * (size // 4 // len(body)) + behind)
            whole = quarter
            if quarter < DEADLINE_S:
                whole = _seconds(source.pattern, method, before + body * (size // len(body)) + behind)
            described = f"{method}: {before!r} + {body!r} * n + {behind!r}"
            worst = max(worst, Cost(whole, whole / max(quarter, 1e-6), source, described), key=lambda one: one.seconds)
    return worst


def _seconds(pattern: re.Pattern[str], method: str, text: str) -> float:
    started = time.process_time()
    result = pattern.sub("", text) if method in {"sub", "subn"} else getattr(pattern, method)(text)
    if method == "finditer":
        for _ in result:
            pass
    return time.process_time() - started


def main() -> None:
    """Print the dearest patterns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1200)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--place", default="", help="only patterns whose place begins so")
    options = parser.parse_args()
    found = [source for source in sources() if source.place.startswith(options.place)]
    costs = sorted((cost(source, options.size) for source in found), key=lambda one: -one.seconds)
    print(f"{len(found)} patterns, {options.size} characters")
    for one in costs[: options.worst]:
        print(f"{one.seconds * 1000:9.1f} ms  x{one.growth:5.1f}  {one.source.place}  {one.text[:90]}")


if __name__ == "__main__":
    main()
