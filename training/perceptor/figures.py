"""How well a perceptor judges moments by writers whom it does not know."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from models.perceptor.features import Array
from models.perceptor.perceptor import CANDIDATES, Perception, Perceptor
from training.perceptor.examples import Example

FALSE_TRIGGERS, WRITERS = 0.1, 0.9
"""Of look-alikes, on which the gate may open; of writers, for whom that has to hold."""
Seen = Sequence[Perception]


def perceived(found: Sequence[Example], perceptor: Perceptor) -> list[Perception]:
    """What the perceptor makes of each example."""
    return [perceptor.perceive(one.said) for one in found]


def threshold(found: Sequence[Example], seen: Seen) -> float:
    """The lowest at which, of ``WRITERS`` of the writers, at most ``FALSE_TRIGGERS`` of the look-alikes open the gate.

    Whom it will meet is one writer, not the mean of those it was judged by.
    """
    calm, gate, by = ~_needed(found), _gate(seen), np.array([one.writer for one in found])
    own = [np.sort(gate[calm & (by == writer)]) for writer in sorted(set(by))]
    cuts = np.unique(gate[calm])
    opened = [1 - np.searchsorted(gates, cuts) / len(gates) for gates in own]
    within = np.mean([share <= FALSE_TRIGGERS for share in opened], axis=0)
    return float(cuts[np.argmax(within >= WRITERS)])


def figures(found: Sequence[Example], seen: Seen, functions: Sequence[str], cut: float) -> dict[str, float]:
    """Of all, then of each language and writer by its name: gate and functions, each between 0 and 1.

    Whose moments all stand alone has no ``above_own_look_alike``.
    """
    made = _figures(found, seen, functions, cut)
    for kind in ("language", "writer"):
        for group in sorted({getattr(one, kind) for one in found}):
            own = [number for number, one in enumerate(found) if getattr(one, kind) == group]
            some = _figures([found[at] for at in own], [seen[at] for at in own], functions, cut)
            made |= {f"{group}_{name}": value for name, value in some.items()}
    return made


def _figures(found: Sequence[Example], seen: Seen, functions: Sequence[str], cut: float) -> dict[str, float]:
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
    """Of every need and each of its look-alikes, whether the gate tells them apart the right way round."""
    of_moment: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for one, value in zip(found, gate, strict=True):
        of_moment[one.moment][not one.needed].append(float(value))
    return [mine > other for needs, calms in of_moment.values() for mine in needs for other in calms]


def _ranks(one: Example, perception: Perception, functions: Sequence[str]) -> list[int]:
    """The places of the right functions among the candidates, from 0."""
    names = [name for name, _ in perception.candidates]
    return [names.index(functions[about]) if functions[about] in names else CANDIDATES for about in one.about]


def _needed(found: Sequence[Example]) -> Array:
    return np.array([one.needed for one in found])


def _gate(seen: Seen) -> Array:
    return np.array([perception.p_act for perception in seen])
