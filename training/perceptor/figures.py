"""Figures of a perceptor on the moments of held-out writers."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from models.perceptor.features import Array
from models.perceptor.perceptor import CANDIDATES, Perception, Perceptor
from training.perceptor.examples import Example

FALSE_TRIGGERS, WRITERS = 0.1, 0.9
"""Maximum share of look-alikes that open the gate, and the share of writers for whom that has to hold."""
Perceptions = Sequence[Perception]


def perceived(found: Sequence[Example], perceptor: Perceptor) -> list[Perception]:
    """The perception of each example."""
    return [perceptor.perceive(one.said) for one in found]


def threshold(found: Sequence[Example], seen: Perceptions) -> float:
    """The lowest threshold at which at most ``FALSE_TRIGGERS`` of the look-alikes of ``WRITERS`` of the writers pass.

    Writers count separately, because a phone is like one writer and not like their mean.
    """
    calm, gate, by = ~_needed(found), _gate(seen), np.array([one.writer for one in found])
    own = [np.sort(gate[calm & (by == writer)]) for writer in sorted(set(by))]
    cuts = np.unique(gate[calm])
    opened = [1 - np.searchsorted(gates, cuts) / len(gates) for gates in own]
    within = np.mean([share <= FALSE_TRIGGERS for share in opened], axis=0)
    return float(cuts[np.argmax(within >= WRITERS)])


def figures(found: Sequence[Example], seen: Perceptions, functions: Sequence[str], cut: float) -> dict[str, float]:
    """Figures of gate and functions, 0 to 1: over all examples, then by language and by writer (as name prefixes).

    Groups without pairs have no ``above_own_look_alike``.
    """
    made = _figures(found, seen, functions, cut)
    for kind in ("language", "writer"):
        for group in sorted({getattr(one, kind) for one in found}):
            own = [number for number, one in enumerate(found) if getattr(one, kind) == group]
            some = _figures([found[at] for at in own], [seen[at] for at in own], functions, cut)
            made |= {f"{group}_{name}": value for name, value in some.items()}
    return made


def _figures(found: Sequence[Example], seen: Perceptions, functions: Sequence[str], cut: float) -> dict[str, float]:
    needed, gate = _needed(found), _gate(seen)
    need, calm = gate[needed], gate[~needed]
    ranks = [_ranks(one, perception, functions) for one, perception in zip(found, seen, strict=True) if one.needed]
    made = {
        "gate_auc": (need[:, None] > calm[None, :]).mean(),
        **({"above_own_look_alike": np.mean(above)} if (above := _above(found, gate)) else {}),
        "gate_recall": (need >= cut).mean(),
        "false_trigger_rate": (calm >= cut).mean(),
        "gate_recall_at_10": (need >= np.quantile(calm, 1 - FALSE_TRIGGERS)).mean(),
        "first_function": np.mean([min(of) == 0 for of in ranks]),
        f"candidate_recall_{CANDIDATES}": np.mean([max(of) < CANDIDATES for of in ranks]),
    }
    return {name: round(float(value), 4) for name, value in made.items()}


def _above(found: Sequence[Example], gate: Array) -> list[bool]:
    """For each need and each of its look-alikes, whether the gate's probability of the need is higher."""
    of_moment: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for one, value in zip(found, gate, strict=True):
        of_moment[one.moment][not one.needed].append(float(value))
    return [mine > other for needs, calms in of_moment.values() for mine in needs for other in calms]


def _ranks(one: Example, perception: Perception, functions: Sequence[str]) -> list[int]:
    """The ranks of the right functions among the candidates, from 0."""
    names = [name for name, _ in perception.candidates]
    return [names.index(functions[about]) if functions[about] in names else CANDIDATES for about in one.about]


def _needed(found: Sequence[Example]) -> Array:
    return np.array([one.needed for one in found])


def _gate(seen: Perceptions) -> Array:
    return np.array([perception.p_act for perception in seen])
