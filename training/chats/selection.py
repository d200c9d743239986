"""Which records are learned from: some writers are held out, and silence has a given share."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from training.generator.records import Record


class Parts(NamedTuple):
    """Records to learn from, and records to measure with."""

    learn: list[Record]
    held_out: list[Record]


def split(records: Iterable[Record], share: float, seed: int) -> Parts:
    """Holds out about ``share`` of the records, always all of one writer, or of one moment where no writer is named."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(_group(record), []).append(record)
    names = sorted(groups)
    Random(seed).shuffle(names)  # noqa: S311 - reproducible, not secret
    wanted = share * sum(map(len, groups.values()))
    held_out: list[Record] = []
    for name in names:
        if len(held_out) + len(groups[name]) / 2 < wanted:
            held_out += groups.pop(name)
    return Parts([record for name in sorted(groups) for record in groups[name]], held_out)


def _group(record: Record) -> str:
    told = record.get("benchmark_metadata", {})
    return str(told.get("writer") or told.get("moment") or told.get("id"))


def balanced(records: Sequence[Record], silence: float, limit: int, seed: int) -> list[Record]:
    """A random choice in random order, with the share ``silence`` of silences; at most ``limit``, 0 for all.

    Where there are too few silences or needs for the share, the others are fewer too.
    """
    chance = Random(seed)  # noqa: S311 - reproducible, not secret
    needs = [record for record in records if is_need(record)]
    silences = [record for record in records if not is_need(record)]
    total = min(
        len(needs) / (1 - silence) if silence < 1 else len(records), len(silences) / silence if silence else len(needs)
    )
    total = min(total, limit or total)
    quiet = round(total * silence)
    chosen = chance.sample(needs, min(len(needs), round(total) - quiet)) + chance.sample(silences, quiet)
    chance.shuffle(chosen)
    return chosen


def is_need(record: Record) -> bool:
    """Whether the record's first answer calls a function."""
    answers = next((value for key, value in record.items() if key.startswith("recom")), None) or ()
    calls = (answers[0].get(key) for key in ("function", "functions", "model_recommendation")) if answers else ()
    return any(calls)
