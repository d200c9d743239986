"""One training of the reader."""

from enum import StrEnum
from pathlib import Path

import torch
import typer
import yaml

from models.perceptor.network import shipped_vocabulary
from models.perceptor.perceptor import shipped_card
from models.reader.choices import choice_count
from models.reader.roles import roles
from training.reader.base import shipped_adapters, shipped_weights
from training.reader.contexts import ContextExample, load_contexts
from training.reader.days import load_days
from training.reader.examples import ReaderExample, by_kind, load
from training.reader.facts import FactsVariation, on_a_busy_phone
from training.reader.figures import context_table, facts_table, seen, table
from training.reader.fitting import Reading, Trainer
from training.reader.network import ReaderNetwork, adapters

DATA, DAYS = Path(__file__).parent / "data", Path(__file__).parents[1] / "days"


class Part(StrEnum):
    """A part of the hands."""

    LEARN = "learn"
    CHOOSE = "choose"


class Start(StrEnum):
    """What a training starts from."""

    SHIPPED = "shipped"
    """The adapters of the network that ships."""
    FRESH = "fresh"
    """Adapters that change nothing."""


def train(out: Path, rounds: int, seed: int, start: Path | Start, contexts_share: float) -> None:
    """Trains on the hands of ``learn``, tells the figures on those of ``choose`` and stores the adapters.

    ``start`` may name a file of adapters of an earlier training; ``contexts_share`` is the share of the corpus's
    contexts in a round.
    """
    vocabulary, names = shipped_vocabulary(), shipped_card().functions
    own, held = part_examples(Part.LEARN), part_examples(Part.CHOOSE)
    contexts, held_contexts = part_contexts(Part.LEARN), part_contexts(Part.CHOOSE)
    typer.echo(f"learning {by_kind(own)} and {len(contexts)} contexts, choosing {by_kind(held)}", err=True)
    torch.manual_seed(seed)
    base = shipped_weights()
    own_weights = adapters(base, len(names), len(roles()), choice_count())
    own_weights |= {name: _grown(tensor, own_weights[name]) for name, tensor in _earlier(start).items()}
    network = ReaderNetwork(base, own_weights)
    reading = Reading(vocabulary, names, FactsVariation.of(own))
    trainer = Trainer(network, reading, seed, contexts_share, lambda line: typer.echo(line, err=True))
    trainer.fit([*own, *contexts], rounds)
    torch.save({name: tensor.detach() for name, tensor in network.own.items()}, out)
    found = seen(network, reading, held, names)
    typer.echo(table(found))
    messages = [one for one in held if one.spans_known]
    bare, busy = (seen(network, reading, part, names) for part in (messages, list(map(on_a_busy_phone, messages))))
    typer.echo(facts_table(bare, busy))
    typer.echo(context_table(network, reading, held_contexts))


def _earlier(start: Path | Start) -> dict[str, torch.Tensor]:
    if start is Start.FRESH:
        return {}
    if start is Start.SHIPPED:
        return {name: torch.tensor(array) for name, array in shipped_adapters().items()}
    return dict(torch.load(start))


def _grown(tensor: torch.Tensor, fresh: torch.Tensor) -> torch.Tensor:
    """Earlier weights; outputs that were added since keep their fresh ones."""
    made = fresh.detach().clone()
    made[: len(tensor)] = tensor
    return made.requires_grad_()


def part_contexts(part: Part) -> list[ContextExample]:
    """The labelled contexts by the writers whose moments the perceptor was trained on, or not."""
    held = shipped_card().held_out
    return [one for one in load_contexts() if (one.hand in held) is (part is Part.CHOOSE)]


def part_examples(part: Part) -> list[ReaderExample]:
    """The labelled messages of a part's hands, and the texts of its days."""
    hands = yaml.safe_load((DATA / "hands.yaml").read_text("utf-8"))[part]
    messages = [one for hand in hands for one in load(DATA / f"{hand}.jsonl", hand)]
    return [*messages, *load_days(DAYS / part)]
