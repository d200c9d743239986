"""Records made longer with what has nothing to do with them, as a real phone's hours are."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

Record = dict[str, Any]
_SENTENCE = re.compile(r"(?<=[.;。；\n])\s*")
_MOST = 4.0
"""A record grows to at most this many times its steps and facts beyond its own."""


def noisy(records: Sequence[Record], sources: Sequence[Record], seed: int) -> Iterator[Record]:
    """Each record with steps and facts of random ``sources`` of its language between its own; the last step stays."""
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    steps: dict[str, list[str]] = defaultdict(list)
    facts: dict[str, list[str]] = defaultdict(list)
    for source in sources:
        language, said = source["benchmark_metadata"]["language"], source["reference_information"]
        steps[language] += said["trace"]
        facts[language] += _sentences(said["phone"])
    for record in records:
        language, said = record["benchmark_metadata"]["language"], record["reference_information"]
        share = chance.uniform(0, _MOST)
        trace, phone = list(said["trace"]), _sentences(said["phone"])
        for _ in range(round(share * len(trace))):
            trace.insert(chance.randrange(len(trace)), chance.choice(steps[language]))
        for _ in range(round(share * len(phone))):
            phone.insert(chance.randrange(len(phone) + 1), chance.choice(facts[language]))
        yield {**record, "reference_information": {**said, "trace": trace, "phone": " ".join(phone)}}


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part]
