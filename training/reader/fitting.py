"""The training loop of the reader."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from models.perceptor.tokens import Vocabulary
from models.reader.choices import choice_outputs
from models.reader.context_input import context_pieces
from models.reader.roles import roles
from models.reader.text_input import ReaderInput, TextPiece, text_pieces
from training.reader.contexts import ContextExample
from training.reader.examples import ReaderExample
from training.reader.facts import FactsVariation
from training.reader.network import ReaderNetwork, ReaderOutput

_BATCH = 24
_DROPOUT = 0.1
_RATE, _HEAD_RATE = 6e-4, 1.5e-3
_WARM_UP, _LEAST = 0.08, 0.03
_SURE = 0.97
"""Target probability (label smoothing)."""
_FUNCTION, _SPAN, _CHOICE = 1.0, 3.0, 0.5
"""Weights of the losses relative to the need's."""
_NO_SPAN, _ABSENT = 0.1, 0.6
"""Weights of a role without a value relative to one with a value: of a message, where most are, and of a context, where
only the roles of the call are labelled."""
_NO_FACTS, _NO_HEAD, _UNKNOWN = 0.15, 0.1, 0.1
"""Share of examples that are read without facts, without head, and of pieces replaced by the unknown one."""
_SWAPPED = 0.03


class Choice(NamedTuple):
    """The right one of some outputs."""

    row: int
    first: int
    end: int
    right: int


Example = ReaderExample | ContextExample


class Batch(NamedTuple):
    """Examples as arrays, padded to the longest."""

    pieces: Tensor
    kinds: Tensor
    there: Tensor
    need: Tensor
    """1 for a need, 0 for silence, -1 = not labelled."""
    functions: Tensor
    """``(texts, functions)``: shares of the accepted functions; zeros for silence."""
    spans: Tensor
    """``(texts, roles, 2)``: first and last piece of each role's value; 0 = none, -1 = not labelled."""
    choices: Sequence[Choice]


class Reading:
    """Converts examples to batches."""

    def __init__(
        self, vocabulary: Vocabulary, functions: Sequence[str], variation: FactsVariation | None = None
    ) -> None:
        self._vocabulary, self._variation = vocabulary, variation
        self._functions = {name: number for number, name in enumerate(functions)}

    def batch(self, found: Sequence[Example], chance: random.Random | None = None) -> Batch:
        """Examples as arrays; with ``chance`` varied, as in training."""
        if chance is not None:
            found = [self._varied(one, chance) for one in found]
        pieces = [self._pieces(one, chance) for one in found]
        longest = max(map(len, pieces))
        ids, kinds, there = (torch.zeros(len(found), longest, dtype=torch.long) for _ in range(3))
        for row, one in enumerate(pieces):
            numbers = [piece.number for piece in one]
            if chance is not None:
                numbers = [
                    self._vocabulary.unknown if index and chance.random() < _SWAPPED else number
                    for index, number in enumerate(numbers)
                ]
            ids[row, : len(one)] = torch.tensor(numbers)
            kinds[row, : len(one)] = torch.tensor([int(piece.kind) for piece in one])
            there[row, : len(one)] = 1
        return Batch(
            ids, kinds, there.float(),
            torch.tensor([-1.0 if isinstance(one, ContextExample) else float(one.kind == "need") for one in found]),
            torch.stack([self._shares(one) for one in found]),
            torch.stack([_spans(one, row) for one, row in zip(found, pieces, strict=True)]),
            [choice for row, one in enumerate(found) for choice in _choices(one, row)],
        )  # fmt: skip

    def _pieces(self, one: Example, chance: random.Random | None) -> list[TextPiece]:
        if isinstance(one, ContextExample):
            return context_pieces(one.function, one.said, self._vocabulary)
        return text_pieces(one.given if chance is None else _varied(one.given, chance), self._vocabulary)

    def _varied(self, one: Example, chance: random.Random) -> Example:
        if self._variation is None or isinstance(one, ContextExample):
            return one
        return self._variation.vary(one, chance)

    def _shares(self, one: Example) -> Tensor:
        made = torch.zeros(len(self._functions))
        if isinstance(one, ContextExample):
            return made
        names = [name for name in one.functions if name in self._functions]
        for rank, name in enumerate(names):
            made[self._functions[name]] = 1.0 if rank == 0 else 0.6
        return made / made.sum().clamp_min(1e-6)


def _varied(given: ReaderInput, chance: random.Random) -> ReaderInput:
    facts = () if chance.random() < _NO_FACTS else given.facts
    head = "" if chance.random() < _NO_HEAD else given.head
    if chance.random() < _UNKNOWN:
        head = head.replace("not in contacts", "").replace("in contacts", "")
    return given.model_copy(update={"facts": facts, "head": head})


def _choices(one: Example, row: int) -> Iterator[Choice]:
    for name, value in one.choices if isinstance(one, ContextExample) else ():
        outputs = choice_outputs()[name]
        right = 0 if value is None else 1 + list(outputs.values).index(value)
        yield Choice(row, outputs.first, outputs.end, outputs.first + right)


def _spans(one: Example, pieces: Sequence[TextPiece]) -> Tensor:
    made = torch.full((len(roles()), 2), -1, dtype=torch.long)
    if isinstance(one, ContextExample):
        made[list(one.absent)] = 0
    elif one.kind == "need":
        made[:] = 0 if one.spans_known else -1
    else:
        return made
    for role, start, end in one.spans:
        inside = [
            number
            for number, piece in enumerate(pieces)
            if piece.start >= 0 and piece.end > start and piece.start < end
        ]
        made[role] = torch.tensor([inside[0], inside[-1]]) if inside else torch.tensor([-1, -1])
    return made


class Trainer:
    """Trains the adapters and heads in place; everything random comes from ``seed`` and torch's own generator.

    ``contexts_share`` is the share of the contexts in a round: each takes as long as four messages.
    """

    def __init__(
        self,
        network: ReaderNetwork,
        reading: Reading,
        seed: int,
        contexts_share: float,
        told: Callable[[str], None],
    ) -> None:
        self._contexts_share = contexts_share
        self._network, self._reading, self._told = network, reading, told
        self._chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
        heads = [tensor for name, tensor in network.own.items() if name.startswith("read.")]
        body = [tensor for name, tensor in network.own.items() if not name.startswith("read.")]
        self._optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01)

    def fit(self, found: Sequence[Example], rounds: int) -> None:
        """Rounds over all examples, at a rate that rises and falls."""
        expected = sum(self._contexts_share if isinstance(one, ContextExample) else 1 for one in found)
        steps, step = rounds * math.ceil(expected / _BATCH), 0
        for number in range(rounds):
            losses = []
            for chosen in self._round(found):
                share = _rate(min(1.0, step / steps))
                for group, rate in zip(self._optimizer.param_groups, (_RATE, _HEAD_RATE), strict=True):
                    group["lr"] = rate * share
                losses.append(self._step(self._reading.batch(chosen, self._chance)))
                step += 1
            self._told(f"round {number + 1}: loss {sum(losses) / len(losses):.3f}")

    def _round(self, found: Sequence[Example]) -> Iterator[list[Example]]:
        """Batches of like length, in random order; each round has another part of the contexts."""
        chosen = [
            one for one in found if not isinstance(one, ContextExample) or self._chance.random() < self._contexts_share
        ]
        order = sorted(chosen, key=lambda one: _length(one) * (0.8 + 0.4 * self._chance.random()))
        batches = [order[at : at + _BATCH] for at in range(0, len(order), _BATCH)]
        self._chance.shuffle(batches)
        yield from batches

    def _step(self, batch: Batch) -> float:
        loss = _loss(self._network.read(batch.pieces, batch.kinds, batch.there, dropout=_DROPOUT), batch)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._network.own.values(), 1.0)
        self._optimizer.step()
        return float(loss.detach())


def _loss(seen: ReaderOutput, batch: Batch) -> Tensor:
    target = batch.need * _SURE + (1 - batch.need) * (1 - _SURE)
    judged = (batch.need >= 0).float()
    total = functional.binary_cross_entropy_with_logits(seen.need, target, judged, reduction="sum") / len(judged)
    known = (batch.functions.sum(1) > 0).float()
    if known.any():
        share = -(seen.functions.log_softmax(1) * batch.functions).sum(1)
        total = total + _FUNCTION * (share * known).sum() / len(known)
    for scores, which in ((seen.starts, 0), (seen.ends, 1)):
        wanted = batch.spans[..., which]
        there = (wanted >= 0).float()
        if there.any():
            logs = scores.log_softmax(1).transpose(1, 2)
            picked = logs.gather(2, wanted.clamp_min(0)[..., None])[..., 0]
            absent = torch.where(judged > 0, _NO_SPAN, _ABSENT)[:, None]
            each = torch.where(wanted > 0, 1.0, absent) * there
            total = total - _SPAN * (picked * each).sum() / (len(wanted) * 2)
    for row, first, end, right in batch.choices:
        total = total - _CHOICE * seen.choices[row, first:end].log_softmax(0)[right - first] / len(judged)
    return total


def _length(one: Example) -> int:
    if isinstance(one, ContextExample):
        return len(one.said.profile) + len(one.said.phone) + len(one.said.world) + sum(map(len, one.said.trace))
    return len(one.given.text)


def _rate(share: float) -> float:
    if share < _WARM_UP:
        return share / _WARM_UP
    return _LEAST + (1 - _LEAST) * (1 + math.cos(math.pi * (share - _WARM_UP) / (1 - _WARM_UP))) / 2
