"""``python -m training.perceptor CORPUS GENERATED``: train the perceptor anew and write its files.

CORPUS comes from ``python -m training.generator CORPUS --corpus``, GENERATED from the same with ``--count 3000
--seed 2``. Some writers' moments are kept out of the training: whoever writes has habits that tell a need from a
look-alike, and the people whose phones we read have none of them. The card's figures are those of the network that
ships, its weights as bytes, on these writers; they set its threshold.
"""

import json
from pathlib import Path
from typing import Annotated

import torch
import typer

from function_pool.spec import default_pool
from models.perceptor.perceptor import Card, Perceptor
from models.perceptor.tokens import Vocabulary
from training.perceptor.encoder import start
from training.perceptor.examples import Example, examples, moments
from training.perceptor.figures import figures, perceived, threshold
from training.perceptor.fitting import Trainer
from training.perceptor.network import to_onnx
from training.perceptor.sources import dictionary, pretrained, vocabulary

HELD_OUT = (
    *("arrivals_together", "many_voices", "ordinary_days"),
    *("founder", "maintainer", "reviewer", "app_developer", "paper", "yardstick"),
    *("diary_studies", "linguist", "phone_maker", "reporter", "model"),
)
"""Writers who judge. The first three by needs and their own look-alikes, which are no longer: by such needs as several
functions serve together, in many manners, and by plain days; the others by moments that stand alone, as in life, the
reviewer by the hardest."""


def main(
    corpus: Annotated[Path, typer.Argument(help="Records with their moments and writers, a JSON array.")],
    generated: Annotated[Path, typer.Argument(help="Records of the grammar, likewise; 3,000 are enough.")],
    folder: Annotated[Path, typer.Option(help="Where the files go.")] = Path("models/perceptor/data"),
    seed: Annotated[int, typer.Option(help="The same seed gives nearly the same weights.")] = 1,
) -> None:
    """Train on most writers, measure by the others, write network, vocabulary and card."""
    functions = tuple(spec.name for spec in default_pool())
    found, more = (examples(json.loads(file.read_text("utf-8")), functions) for file in (corpus, generated))
    own, held = ([one for one in found if (one.writer in HELD_OUT) == out] for out in (False, True))
    pieces, network = _trained(own, more, len(functions), seed)
    told = {"examples": len(own), "moments": len({one.moment for one in own}), "generated": len(more)}
    card = Card(version="9", functions=functions, threshold=0.5, trained_on=told, held_out=HELD_OUT, metrics={})
    seen = perceived(held, Perceptor(network, Vocabulary(pieces), card))
    cut = threshold(held, seen)
    card = card.model_copy(update={"threshold": cut, "metrics": figures(held, seen, functions, cut)})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "perceptor.onnx").write_bytes(network)
    (folder / "vocabulary.txt").write_text("".join(f"{piece}\n" for piece in pieces), "utf-8")
    (folder / "perceptor.json").write_text(card.model_dump_json(indent=1) + "\n", "utf-8")
    typer.echo(card.model_dump_json(indent=1, exclude={"functions"}))


def _trained(own: list[Example], more: list[Example], functions: int, seed: int) -> tuple[list[str], bytes]:
    """The vocabulary and the network."""
    bert, glosses = pretrained(), dictionary()
    pieces = vocabulary(bert.pieces, glosses, ["\n".join(_texts(one)) for one in own])
    torch.manual_seed(seed)
    weights = start(*bert, pieces, glosses, functions)
    trainer = Trainer(weights, Vocabulary(pieces), seed, lambda line: typer.echo(line, err=True))
    groups = moments(own)
    alone, paired = ([one for group in groups if (len(group) == 1) == out for one in group] for out in (True, False))
    trainer.fit([*paired, *more])
    trainer.settle(alone, paired, more)
    return pieces, to_onnx({name: one.detach().numpy() for name, one in weights.items()})


def _texts(one: Example) -> tuple[str, ...]:
    return *one.said.trace, one.said.phone, one.said.world, one.said.profile


if __name__ == "__main__":
    typer.run(main)
