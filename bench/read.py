"""``python -m bench.read``: time of the gate for incoming texts, on one core.

The network reads every labelled message of the hands that it did not learn from. Ends with 1 above ``P50_MS``.
"""

import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import yaml

from models.reader.reading import TextReader
from models.reader.text_input import ReaderInput
from training.reader.examples import load

MESSAGES = Path(__file__).parents[1] / "training" / "reader" / "data"
P50_MS = 15.0


def messages() -> Iterator[ReaderInput]:
    """The labelled messages of the hands that were not learned from, as the network reads them."""
    for hand in yaml.safe_load((MESSAGES / "hands.yaml").read_text("utf-8"))["choose"]:
        for example in load(MESSAGES / f"{hand}.jsonl", hand):
            yield example.given


def main() -> int:
    """Print the quantiles."""
    reader, given = TextReader.load(), list(messages())
    reader.read(given[0])
    times = []
    for one in given:
        start = time.perf_counter()
        reader.read(one)
        times.append(1000 * (time.perf_counter() - start))
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(
        f"{len(times)} messages: p50 {p50:.1f} ms (goal: at most {P50_MS:g}), p95 {p95:.1f}, longest {max(times):.1f}"
    )
    return int(p50 > P50_MS)


if __name__ == "__main__":
    sys.exit(main())
