"""``python -m models.perceptor.training CORPUS GENERATED``: train the perceptor anew and write its files.

CORPUS comes from ``python -m evaluation.generator CORPUS --corpus``, GENERATED from the same with ``--count 3000 --seed
2``. First the figures: every writer's moments are
judged by an encoder that was trained on other writers' alone, because whoever writes has habits that tell a need from a
look-alike, and the people whose phones we read have none of them. The threshold comes from those figures. Then the
encoder that ships is trained on all.
"""

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer

from function_pool.spec import default_pool
from models.perceptor.features import Array
from models.perceptor.perceptor import CANDIDATES, Card
from models.perceptor.tokens import Vocabulary
from models.perceptor.training.encoder import Parameters, start
from models.perceptor.training.examples import Example, examples
from models.perceptor.training.fitting import Trainer, judged
from models.perceptor.training.network import to_onnx
from models.perceptor.training.sources import dictionary, pretrained, vocabulary

_FALSE_TRIGGERS = 0.1
"""The threshold is the lowest at which so few look-alikes open the gate: what is allowed..."""
_LIKE_THE_BENCHMARK = "annotator"
"""...of this writer, whose full sentences are the benchmark's manner: each manner shifts all log-odds by an amount of
its own, so that by itself each writer would have a threshold between 0.56 and 0.92."""


class _School:
    """Trains encoders of one vocabulary."""

    def __init__(self, found: list[Example], functions: int) -> None:
        self._bert, self._glosses, self._functions = pretrained(), dictionary(), functions
        texts = ["\n".join((*one.said.trace, one.said.phone, one.said.world, one.said.profile)) for one in found]
        self.pieces = vocabulary(self._bert.pieces, self._glosses, texts)
        self.vocabulary = Vocabulary(self.pieces)

    def trained(self, found: list[Example], generated: list[Example], seed: int, name: str) -> Parameters:
        torch.manual_seed(seed)
        bert, pieces = self._bert
        weights = start(bert, pieces, self.pieces, self._glosses, self._functions)
        trainer = Trainer(weights, self.vocabulary, seed, lambda line: typer.echo(f"{name}: {line}", err=True))
        trainer.fit(found)
        trainer.settle(found, generated)
        return weights


def main(
    corpus: Annotated[Path, typer.Argument(help="Records with their moments and writers, a JSON array.")],
    generated: Annotated[Path, typer.Argument(help="Records of the grammar, likewise; 3,000 are enough.")],
    folder: Annotated[Path, typer.Option(help="Where the files go.")] = Path("models/perceptor/data"),
    folds: Annotated[int, typer.Option(min=0, help="In how many parts the writers are judged; 0 keeps the card.")] = 2,
    seed: Annotated[int, typer.Option(help="The same seed gives nearly the same weights.")] = 1,
) -> None:
    """Measure by writers, train on all, write network, vocabulary and card."""
    names = tuple(spec.name for spec in default_pool())
    found, more = (examples(json.loads(file.read_text("utf-8")), names) for file in (corpus, generated))
    school = _School(found, len(names))
    folder.mkdir(parents=True, exist_ok=True)
    if folds:
        threshold, metrics = _measured(found, more, school, folds, seed)
        told = {"examples": len(found), "moments": len({one.moment for one in found}), "folds": folds}
        card = Card(version="5", functions=names, threshold=threshold, trained_on=told, metrics=metrics)
        (folder / "perceptor.json").write_text(card.model_dump_json(indent=1) + "\n", "utf-8")
        typer.echo(card.model_dump_json(indent=1, exclude={"functions"}))
    weights = school.trained(found, more, seed, "all")
    (folder / "perceptor.onnx").write_bytes(to_onnx({name: one.detach().numpy() for name, one in weights.items()}))
    (folder / "vocabulary.txt").write_text("".join(f"{piece}\n" for piece in school.pieces), "utf-8")


def _measured(
    found: list[Example], more: list[Example], school: _School, folds: int, seed: int
) -> tuple[float, dict[str, float]]:
    """The threshold and the figures, each writer judged by an encoder that learnt from others."""
    writers = sorted({one.writer for one in found})
    fold = np.array([writers.index(one.writer) % folds for one in found])
    gate, scores = np.zeros(len(found)), np.zeros((len(found), len(default_pool().functions)))
    for number in range(folds):
        held = np.flatnonzero(fold == number)
        others = [found[at] for at in np.flatnonzero(fold != number)]
        own = school.trained(others, more, seed, f"fold {number + 1}")
        gate[held], scores[held] = judged([found[at] for at in held], own, school.vocabulary)
    calm = np.array([not one.needed and one.writer == _LIKE_THE_BENCHMARK for one in found])
    cut = float(np.quantile(gate[calm], 1 - _FALSE_TRIGGERS))
    metrics = _figures(found, gate, scores, cut)
    for group in sorted({(kind, getattr(one, kind)) for one in found for kind in ("language", "writer")}):
        those = np.flatnonzero([getattr(one, group[0]) == group[1] for one in found])
        of_group = _figures([found[at] for at in those], gate[those], scores[those], cut)
        metrics |= {f"{group[1]}_{name}": value for name, value in of_group.items()}
    return float(1 / (1 + np.exp(-cut))), metrics


def _figures(found: list[Example], gate: Array, scores: Array, cut: float) -> dict[str, float]:
    needed = np.array([one.needed for one in found])
    need, calm = gate[needed], gate[~needed]
    of_moment: dict[str, tuple[list[float], list[float]]] = {}
    for one, value in zip(found, gate, strict=True):
        of_moment.setdefault(one.moment, ([], []))[not one.needed].append(float(value))
    above = [mine > other for needs, calms in of_moment.values() for mine in needs for other in calms]
    ranks = [
        max(int((row > row[about]).sum()) for about in one.about)
        for one, row in zip(found, scores, strict=True)
        if one.needed
    ]
    metrics = {
        "gate_auc": (need[:, None] > calm[None, :]).mean(),
        "above_own_look_alike": np.mean(above),
        "gate_recall": (need >= cut).mean(),
        "false_trigger_rate": (calm >= cut).mean(),
        "gate_recall_at_10": (need >= np.quantile(calm, 0.9)).mean(),
        "first_function": np.mean(np.array(ranks) == 0),
        f"candidate_recall_{CANDIDATES}": np.mean(np.array(ranks) < CANDIDATES),
    }
    return {name: round(float(value), 4) for name, value in metrics.items()}


if __name__ == "__main__":
    typer.run(main)
