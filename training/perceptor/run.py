"""Trains the perceptor on most writers and evaluates it on the others.

The held-out writers are needed because each writer has habits that separate needs from look-alikes, which the texts of
real phones do not have. The figures of the card are those of the quantized network on these writers; they set its
threshold.
"""

import json
from pathlib import Path

import torch
import typer

from function_pool.spec import default_pool
from models.perceptor.network import Network
from models.perceptor.perceptor import Card, Perceptor
from models.perceptor.tokens import Vocabulary
from models.reader.choices import choice_count
from models.reader.roles import roles
from training.perceptor.encoder import start
from training.perceptor.examples import Example, examples, moments
from training.perceptor.figures import figures, perceived, threshold
from training.perceptor.fitting import Trainer
from training.perceptor.network import to_onnx
from training.perceptor.sources import dictionary, pretrained, vocabulary
from training.reader.network import adapters

HELD_OUT = (
    *("arrivals_together", "many_voices", "ordinary_days"),
    *("founder", "maintainer", "reviewer", "app_developer", "paper", "yardstick"),
    *("diary_studies", "linguist", "phone_maker", "reporter", "model"),
)
"""Writers kept out of training. The first three wrote pairs whose look-alikes are not longer than the needs (needs of
several functions, many styles, plain days); the others moments that stand alone, the reviewer the hardest."""


def train(corpus: Path, generated: Path, folder: Path, seed: int) -> Card:
    """Trains a perceptor, evaluates it on the held-out writers and writes ``perceptor.onnx`` and its two other files.

    Args:
        corpus: records of the corpus, a JSON array.
        generated: records of the grammar, a JSON array.
        folder: where the files go.
        seed: of all random choices.
    """
    functions = tuple(spec.name for spec in default_pool())
    found, more = (examples(json.loads(file.read_text("utf-8")), functions) for file in (corpus, generated))
    own, held = ([one for one in found if (one.writer in HELD_OUT) == out] for out in (False, True))
    pieces, network = _trained(own, more, len(functions), seed)
    counts = {"examples": len(own), "moments": len({one.moment for one in own}), "generated": len(more)}
    card = Card(version="9", functions=functions, threshold=0.5, trained_on=counts, held_out=HELD_OUT, metrics={})
    seen = perceived(held, Perceptor(Network(network), Vocabulary(pieces), card))
    cut = threshold(held, seen)
    card = card.model_copy(update={"threshold": cut, "metrics": figures(held, seen, functions, cut)})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "perceptor.onnx").write_bytes(network)
    (folder / "vocabulary.txt").write_text("".join(f"{piece}\n" for piece in pieces), "utf-8")
    (folder / "perceptor.json").write_text(card.model_dump_json(indent=1) + "\n", "utf-8")
    return card


def _trained(own: list[Example], more: list[Example], functions: int, seed: int) -> tuple[list[str], bytes]:
    """Trains; returns the vocabulary and the ONNX network."""
    bert, glosses = pretrained(), dictionary()
    pieces = vocabulary(bert.pieces, glosses, ["\n".join(_texts(one)) for one in own])
    torch.manual_seed(seed)
    weights = start(*bert, pieces, glosses, functions)
    trainer = Trainer(weights, Vocabulary(pieces), seed, lambda line: typer.echo(line, err=True))
    groups = moments(own)
    alone, paired = ([one for group in groups if (len(group) == 1) == out for one in group] for out in (True, False))
    trainer.fit([*paired, *more])
    trainer.settle(alone, paired, more)
    made = {name: one.detach().numpy() for name, one in weights.items()}
    # The reader is trained on top of these weights afterwards (training.reader); until then it adds nothing.
    untrained = adapters(made, functions, len(roles()), choice_count())
    return pieces, to_onnx(made, {name: one.detach().numpy() for name, one in untrained.items()})


def _texts(one: Example) -> tuple[str, ...]:
    return *one.said.trace, one.said.phone, one.said.world, one.said.profile
