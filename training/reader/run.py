"""One training of the reader."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import torch
import typer

from models.perceptor.perceptor import Card
from models.perceptor.tokens import Vocabulary
from models.reader.roles import roles
from training.reader.base import shipped_weights
from training.reader.days import load_days
from training.reader.examples import ReaderExample, by_kind, load
from training.reader.figures import seen, table
from training.reader.fitting import Reading, Trainer
from training.reader.network import ReaderNetwork, adapters


def perceptor_parts() -> tuple[Vocabulary, tuple[str, ...]]:
    """The vocabulary and the functions of the perceptor that ships."""
    folder = files("models.perceptor").joinpath("data")
    card = Card.model_validate_json(folder.joinpath("perceptor.json").read_text("utf-8"))
    return Vocabulary(folder.joinpath("vocabulary.txt").read_text("utf-8").rstrip("\n").split("\n")), card.functions


def train(learn: Sequence[Path], choose: Sequence[Path], out: Path, rounds: int, seed: int, start: Path | None) -> None:
    """Trains on the hands of ``learn``, tells the figures on those of ``choose`` and stores the adapters.

    ``start`` holds adapters of an earlier training to go on from.
    """
    vocabulary, names = perceptor_parts()
    own, held = ([one for path in paths for one in hand_examples(path)] for paths in (learn, choose))
    typer.echo(f"learning {by_kind(own)}, choosing {by_kind(held)}", err=True)
    torch.manual_seed(seed)
    base = shipped_weights()
    own_weights = adapters(base, len(names), len(roles()))
    if start is not None:
        own_weights = {name: tensor.requires_grad_() for name, tensor in torch.load(start).items()}
    network = ReaderNetwork(base, own_weights)
    reading = Reading(vocabulary, names)
    Trainer(network, reading, seed, lambda line: typer.echo(line, err=True)).fit(own, rounds, weight)
    torch.save({name: tensor.detach() for name, tensor in network.own.items()}, out)
    found = seen(network, reading, held, names)
    typer.echo(table(found))
    out.with_suffix(".json").write_text(
        json.dumps([{"need": one.need, "functions": one.functions, "kind": one.example.kind, "hand": one.example.hand,
                     "text": one.example.text.text, "accept": one.example.functions} for one in found],
                   ensure_ascii=False, indent=0), "utf-8")  # fmt: skip


def hand_examples(folder: Path) -> list[ReaderExample]:
    """The labelled texts of one hand, and those of its days where there are any."""
    found = list(load(folder / "messages.jsonl", folder.name)) if (folder / "messages.jsonl").exists() else []
    days = folder / "built"
    return [*found, *(load_days(days) if (days / "answers.json").exists() else ())]


def weight(one: ReaderExample) -> float:
    """Weight of an example in the loss of the need."""
    return 1.0
