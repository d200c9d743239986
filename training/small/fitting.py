"""Trains the adapter, in one process or in several that average their gradients."""

import math
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
import typer
from torch import Tensor, distributed

from heed.model import Frozen
from training.small.adapter import load_adapter, save_adapter
from training.small.base import adapt, answer_loss
from training.small.chats import TokenizedChat

_IGNORED = -100
_WARM_UP = 20
"""Steps until the rate is reached."""
_SAVE_EVERY = 300.0
"""Seconds."""


class Fit(Frozen):
    """One training."""

    minutes: float
    """Time after which it ends; the rate falls to nothing until then."""
    rate: float
    rank: int
    batch: int
    """Chats of one step, in each process."""
    seed: int = 1


def fit(
    model: Any, chats: Sequence[TokenizedChat], padding: int, choice: Fit, folder: Path, start_from: Path | None = None
) -> None:
    """Trains an adapter of ``model`` on the chats, again and again until time is over, and writes it to ``folder``.

    ``start_from`` is the folder of an adapter to go on from.
    """
    rank, world = (distributed.get_rank(), distributed.get_world_size()) if distributed.is_initialized() else (0, 1)
    torch.manual_seed(choice.seed)
    layers = adapt(model, choice.rank)
    if start_from is not None:
        load_adapter(layers, start_from)
    weights = [weight for layer in layers.values() for weight in (layer.down, layer.up)]
    optimizer = torch.optim.AdamW(weights, lr=choice.rate, weight_decay=0.0, betas=(0.9, 0.98))
    start = saved = time.monotonic()
    loss_sum, tokens = 0.0, 0
    for step, batch in enumerate(_batches(chats, choice, rank, world)):
        done = _agreed((time.monotonic() - start) / max(1e-9, 60 * choice.minutes), world)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = choice.rate * min(1.0, (step + 1) / _WARM_UP) * 0.5 * (1 + math.cos(math.pi * done))
        loss = answer_loss(model, *_padded(batch, padding))
        loss.backward()
        _average(weights, world)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        loss_sum, tokens = loss_sum + loss.item(), tokens + sum(chat.size for chat in batch)
        if step % 10 == 9 and rank == 0:
            spent = time.monotonic() - start
            typer.echo(
                f"step {step + 1}: loss {loss_sum / 10:.3f}, {world * len(batch) * (step + 1)} chats, "
                f"{world * tokens / spent:.0f} tokens/s, {spent / 60:.1f} min"
            )
            loss_sum = 0.0
        if rank == 0 and time.monotonic() - saved > _SAVE_EVERY:
            save_adapter(layers, folder)
            saved = time.monotonic()
    if rank == 0:
        save_adapter(layers, folder)


def _batches(chats: Sequence[TokenizedChat], choice: Fit, rank: int, world: int) -> Iterator[list[TokenizedChat]]:
    """Endless batches of chats of like length, in random order; every process has its own of each step."""
    dice = random.Random(choice.seed)  # noqa: S311
    size = choice.batch * world
    while True:
        order = sorted(dice.sample(range(len(chats)), len(chats)), key=lambda at: chats[at].size + dice.uniform(0, 20))
        groups = [order[at : at + size] for at in range(0, len(order) - size + 1, size)]
        for group in dice.sample(groups, len(groups)):
            yield [chats[at] for at in group[rank::world]]


def _padded(batch: Sequence[TokenizedChat], padding: int) -> tuple[Tensor, Tensor]:
    longest = max(chat.size for chat in batch)
    ids = torch.full((len(batch), longest), padding)
    labels = torch.full((len(batch), longest), _IGNORED)
    for row, chat in enumerate(batch):
        ids[row, : chat.size] = torch.tensor([*chat.prompt, *chat.answer])
        labels[row, len(chat.prompt) : chat.size] = torch.tensor(chat.answer)
    return ids, labels


def _agreed(value: float, world: int) -> float:
    """The same value in every process."""
    if world == 1:
        return value
    shared = torch.tensor([value])
    distributed.broadcast(shared, 0)
    return float(shared)


def _average(weights: Sequence[Tensor], world: int) -> None:
    if world == 1:
        return
    flat = torch.cat([weight.grad.flatten() for weight in weights if weight.grad is not None])
    distributed.all_reduce(flat)
    flat /= world
    at = 0
    for weight in weights:
        if weight.grad is not None:
            weight.grad.copy_(flat[at : at + weight.numel()].view_as(weight))
            at += weight.numel()
