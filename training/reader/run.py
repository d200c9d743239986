"""One training of the reader."""

from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import torch
import typer
import yaml

from models.perceptor.perceptor import Card
from models.perceptor.tokens import Vocabulary
from models.reader.roles import roles
from training.reader.base import shipped_weights
from training.reader.days import load_days
from training.reader.examples import ReaderExample, by_kind, load
from training.reader.figures import seen, table
from training.reader.fitting import Reading, Trainer
from training.reader.network import ReaderNetwork, adapters

DATA, DAYS = Path(__file__).parent / "data", Path(__file__).parents[1] / "days"


class Part(StrEnum):
    """A part of the hands."""

    LEARN = "learn"
    CHOOSE = "choose"


def perceptor_parts() -> tuple[Vocabulary, tuple[str, ...]]:
    """The vocabulary and the functions of the perceptor that ships."""
    folder = files("models.perceptor").joinpath("data")
    card = Card.model_validate_json(folder.joinpath("perceptor.json").read_text("utf-8"))
    return Vocabulary(folder.joinpath("vocabulary.txt").read_text("utf-8").rstrip("\n").split("\n")), card.functions


def train(out: Path, rounds: int, seed: int, start: Path | None) -> None:
    """Trains on the hands of ``learn``, tells the figures on those of ``choose`` and stores the adapters.

    ``start`` holds adapters of an earlier training to go on from.
    """
    vocabulary, names = perceptor_parts()
    own, held = part_examples(Part.LEARN), part_examples(Part.CHOOSE)
    typer.echo(f"learning {by_kind(own)}, choosing {by_kind(held)}", err=True)
    torch.manual_seed(seed)
    base = shipped_weights()
    own_weights = adapters(base, len(names), len(roles()))
    if start is not None:
        own_weights = {name: tensor.requires_grad_() for name, tensor in torch.load(start).items()}
    network = ReaderNetwork(base, own_weights)
    reading = Reading(vocabulary, names)
    Trainer(network, reading, seed, lambda line: typer.echo(line, err=True)).fit(own, rounds)
    torch.save({name: tensor.detach() for name, tensor in network.own.items()}, out)
    found = seen(network, reading, held, names)
    typer.echo(table(found))


def part_examples(part: Part) -> list[ReaderExample]:
    """The labelled messages of a part's hands, and the texts of its days."""
    hands = yaml.safe_load((DATA / "hands.yaml").read_text("utf-8"))[part]
    messages = [one for hand in hands for one in load(DATA / f"{hand}.jsonl", hand)]
    return [*messages, *load_days(DAYS / part)]
