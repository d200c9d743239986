"""Figures of a reader on labelled texts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from models.reader.roles import roles
from training.reader.examples import ReaderExample
from training.reader.fitting import Reading
from training.reader.network import ReaderNetwork

LONGEST_SPAN = 40


class Seen(NamedTuple):
    """What the reader says of one example."""

    example: ReaderExample
    need: float
    """Log-odds."""
    functions: tuple[str, ...]
    """Likeliest first."""
    spans: dict[int, tuple[int, int]]
    """Per role of the first accepted call: first and last piece."""
    right: int
    """Spans that are exactly right, of those labelled."""
    labelled: int


def seen(network: ReaderNetwork, reading: Reading, found: Sequence[ReaderExample], names: Sequence[str]) -> list[Seen]:
    """Reads every example."""
    made: list[Seen] = []
    order = sorted(found, key=lambda one: len(one.given.text))
    for at in range(0, len(order), 32):
        part = order[at : at + 32]
        batch = reading.batch(part)
        with torch.no_grad():
            out = network.read(batch.pieces, batch.kinds, batch.there)
        for row, one in enumerate(part):
            ranked = [names[number] for number in out.functions[row].argsort(descending=True)[:5]]
            spans = {role: _best(out.starts[row, :, role], out.ends[row, :, role]) for role in range(len(roles()))}
            wanted = {role: tuple(batch.spans[row, role].tolist()) for role in range(len(roles()))}
            labelled = [role for role, span in wanted.items() if span[0] > 0]
            right = sum(spans[role] == wanted[role] for role in labelled)
            made.append(Seen(one, float(out.need[row]), tuple(ranked), spans, right, len(labelled)))
    return made


def _best(starts: torch.Tensor, ends: torch.Tensor) -> tuple[int, int]:
    count = len(starts)
    score = starts[:, None] + ends[None, :]
    place = torch.arange(count)
    allowed = (place[None, :] >= place[:, None]) & (place[None, :] < place[:, None] + LONGEST_SPAN)
    allowed[0, 1:] = False
    best = int(torch.where(allowed, score, torch.tensor(-1e9)).argmax())
    return best // count, best % count


def auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """The share of pairs in which the need has the higher value."""
    if not good or not bad:
        return float("nan")
    return float(np.mean([[(a > b) + 0.5 * (a == b) for b in bad] for a in good]))


def table(found: Sequence[Seen]) -> str:
    """One line per language and for all."""
    lines = []
    groups = {"all": found}
    groups |= {"zh": [one for one in found if _chinese(one)], "en": [one for one in found if not _chinese(one)]}
    for name, group in groups.items():
        good = [one.need for one in group if one.example.kind == "need"]
        hard = [one.need for one in group if one.example.kind == "lookalike"]
        plain = [one.need for one in group if one.example.kind == "ordinary"]
        if not good or not hard:
            continue
        cut = float(np.quantile(hard, 0.9))
        first = np.mean([one.functions[0] in one.example.functions for one in group if one.example.functions])
        five = np.mean([bool({*one.functions} & {*one.example.functions}) for one in group if one.example.functions])
        spans = sum(one.right for one in group) / max(1, sum(one.labelled for one in group))
        lines.append(
            f"{name}: {len(good)} needs, {len(hard)} look-alikes, {len(plain)} ordinary; AUC {auc(good, hard):.3f} / "
            f"{auc(good, plain):.3f}; recall at 10 % look-alikes {np.mean([x > cut for x in good]):.2f} "
            f"(ordinary open {np.mean([x > cut for x in plain]) if plain else 0:.3f}); "
            f"function {first:.2f}, among five {five:.2f}; spans {spans:.2f}"
        )
    return "\n".join(lines)


def _chinese(one: Seen) -> bool:
    return any("一" <= character <= "鿿" for character in one.example.text.text)
