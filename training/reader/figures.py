"""Figures of a reader on labelled texts."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from heed.language import Language, language_of
from models.reader.reading import best_span
from models.reader.roles import roles
from training.reader.contexts import ContextExample
from training.reader.examples import ReaderExample
from training.reader.fitting import Reading
from training.reader.network import ReaderNetwork


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
            spans = {
                role: best_span(out.starts[row, :, role].numpy(), out.ends[row, :, role].numpy())
                for role in range(len(roles()))
            }
            wanted = {role: tuple(batch.spans[row, role].tolist()) for role in range(len(roles()))}
            labelled = [role for role, span in wanted.items() if span[0] > 0]
            right = sum(spans[role] == wanted[role] for role in labelled)
            made.append(Seen(one, float(out.need[row]), tuple(ranked), spans, right, len(labelled)))
    return made


def context_table(network: ReaderNetwork, reading: Reading, found: Sequence[ContextExample]) -> str:
    """Shares of exactly right spans, of absent ones, and of right choices, per language."""
    right: Counter[tuple[str, Language, bool]] = Counter()
    for at in range(0, len(found), 16):
        part = found[at : at + 16]
        batch = reading.batch(part)
        with torch.no_grad():
            out = network.read(batch.pieces, batch.kinds, batch.there)
        languages = [language_of(one.said.profile) for one in part]
        for row, language in enumerate(languages):
            for role in (batch.spans[row, :, 0] >= 0).nonzero()[:, 0].tolist():
                span = best_span(out.starts[row, :, role].numpy(), out.ends[row, :, role].numpy())
                wanted = tuple(batch.spans[row, role].tolist())
                right["spans" if wanted[0] else "absent", language, span == wanted] += 1
        for row, first, end, best in batch.choices:
            right["choices", languages[row], int(out.choices[row, first:end].argmax()) == best - first] += 1
    shares = []
    for kind, language in sorted({(kind, language) for kind, language, _ in right}):
        good, bad = right[kind, language, True], right[kind, language, False]
        shares.append(f"{kind} {language} {good} of {good + bad}")
    return "contexts: " + ", ".join(shares)


def facts_table(bare: Sequence[Seen], busy: Sequence[Seen]) -> str:
    """How far facts that do not decide move the need of the same texts.

    ``bare`` and ``busy`` are readings of the same texts without and with those facts; the gate opens at 10 % of the
    bare look-alikes.
    """
    cut = float(np.quantile([one.need for one in bare if one.example.kind == "lookalike"], 0.9))
    needs, moved = ([one.need for one in found if one.example.kind == "need"] for found in (bare, busy))
    opened = [float(np.mean([need > cut for need in scores])) for scores in (needs, moved)]
    return (
        f"facts that do not decide: need moved by {np.mean(moved) - np.mean(needs):+.2f} on average; recall "
        f"{opened[0]:.2f} without, {opened[1]:.2f} with them"
    )


def auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """The share of pairs in which the need has the higher value."""
    if not good or not bad:
        return float("nan")
    return float(np.mean([[(a > b) + 0.5 * (a == b) for b in bad] for a in good]))


def table(found: Sequence[Seen]) -> str:
    """One line per language and for all."""
    lines = []
    groups = {"all": found}
    groups |= {
        "zh": [one for one in found if language_of(one.example.text.text) is Language.ZH],
        "en": [one for one in found if language_of(one.example.text.text) is Language.EN],
    }
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
