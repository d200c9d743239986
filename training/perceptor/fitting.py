"""The training loop of the encoder."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from statistics import fmean
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from models.perceptor.features import Kind, Piece, phrases, pieces
from models.perceptor.tokens import Vocabulary
from training.perceptor.encoder import Parameters, encode, is_head, meaning
from training.perceptor.examples import Example, Moment, moments
from training.perceptor.variation import Strange, bare, strange, varied

ROUNDS, LAST_ROUNDS, TIMES = 4, 7, 2
RATE, HEAD_RATE, LAST_RATE = 2e-4, 5e-4, 3e-4
_PAIRED, _GENERATED = 0.35, 0.2
"""Number of paired moments and of records of the grammar per moment that stands alone."""
_NARROW = 0.7
"""Share of batches in which the later layers get only the most relevant pieces; with all, relevance is learnt."""
_BATCH = 32
"""Examples per batch; a moment is never split."""
_DROPOUT = 0.1
_WARM_UP, _LEAST = 0.1, 0.05
"""Share of the training with a rising learning rate, and the share of it reached at the end of the cosine."""
_SURE = 0.94
"""Target probability (label smoothing): some moments are a matter of taste."""
_FUNCTION, _EVIDENCE, _NEUTRAL, _GIST, _MARKED = 1.0, 1.0, 0.1, 0.3, 0.3
"""Weights of the losses relative to the gate's."""
_MOST_OF_GIST, _SHARPNESS = 24, 0.07


class Side(IntEnum):
    """The role of a piece in its moment."""

    NOTHING = -1
    AGAINST = 0
    """Occurs only in the look-alike."""
    FOR = 1
    """Occurs only in the need."""
    COMMON = 2


class _Batch(NamedTuple):
    pieces: Tensor
    kinds: Tensor
    there: Tensor
    sides: Tensor


class Trainer:
    """Trains an encoder in place.

    The loss has seven parts: need or not; a need above its own look-alikes; which function it is about; for each piece
    that decides (it stands on one side only, or is marked), which side that is; that the gate hears just those; which
    of the batch's offers and reasons for silence is the example's own; and for the first layers, how much each piece
    will have to say. What is dropped out is drawn by torch's own generator; everything else comes from ``seed``.
    """

    def __init__(self, weights: Parameters, vocabulary: Vocabulary, seed: int, told: Callable[[str], None]) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
        self._weights, self._vocabulary, self._told = weights, vocabulary, told
        heads = [tensor for name, tensor in weights.items() if is_head(name)]
        body = [tensor for name, tensor in weights.items() if not is_head(name)]
        self._optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01, fused=True)

    def fit(self, found: Sequence[Example]) -> None:
        """Rounds over all moments, at a rate that rises and falls."""
        steps, step = ROUNDS * len(found) / (_BATCH + 1), 0
        groups, others = moments(found), strange(one for one in found if one.judged)
        for number in range(ROUNDS):
            losses = []
            for batch in self._round(groups, others):
                share = _rate(step / steps)
                losses.append(self._step(batch, RATE * share, HEAD_RATE * share))
                step += 1
            self._told(f"round {number + 1} of {ROUNDS}: loss {fmean(losses):.3f}")

    def settle(self, alone: Sequence[Example], paired: Sequence[Example], generated: Sequence[Example]) -> None:
        """Rounds over moments that stand alone, with some of the others and of the grammar's; ``TIMES`` from here.

        The weights become the mean of where that led, which judges better than each (Wortsman et al., arXiv
        2203.05482).
        """
        start = [tensor.detach().clone() for tensor in self._weights.values()]
        ends = [self._settled(start, alone, paired, generated) for _ in range(TIMES)]
        self._set([torch.stack(found).mean(0) for found in zip(*ends, strict=True)])

    def _settled(
        self, start: Sequence[Tensor], alone: Sequence[Example], paired: Sequence[Example], generated: Sequence[Example]
    ) -> list[Tensor]:
        self._set(start)
        steps = step = 0
        singles, pairs, made = moments(alone), moments(paired), moments(generated)
        strangers = strange([*alone, *paired])
        self._optimizer.state.clear()
        for number in range(LAST_ROUNDS):
            some = self._chance.sample(pairs, int(_PAIRED * len(alone)))
            more = self._chance.sample(made, min(len(made), int(_GENERATED * len(alone))))
            batches = list(self._round([*singles, *some, *more], strangers))
            steps = steps or LAST_ROUNDS * len(batches)
            losses = []
            for batch in batches:
                rate = LAST_RATE * _rate(step / steps)
                losses.append(self._step(batch, rate, rate))
                step += 1
            self._told(f"last round {number + 1} of {LAST_ROUNDS}: loss {fmean(losses):.3f}")
        return [tensor.detach().clone() for tensor in self._weights.values()]

    def _set(self, found: Sequence[Tensor]) -> None:
        with torch.no_grad():
            for tensor, new in zip(self._weights.values(), found, strict=True):
                tensor.copy_(new)

    def _round(self, groups: Sequence[Moment], others: Mapping[str, Strange]) -> Iterator[list[Moment]]:
        chance = self._chance
        return _batches([varied(group, others[group[0].language], chance) for group in groups], chance)

    def _step(self, batch: Sequence[Moment], rate: float, head_rate: float) -> float:
        for group, value in zip(self._optimizer.param_groups, (rate, head_rate), strict=True):
            group["lr"] = value
        loss = _loss(self._weights, batch, self._vocabulary, narrow=self._chance.random() < _NARROW)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._weights.values(), 1.0)
        self._optimizer.step()
        return float(loss.item())


def _rate(done: float) -> float:
    fallen = _LEAST + (1 - _LEAST) * (1 + math.cos(math.pi * min(1.0, done))) / 2
    return min(1.0, done / _WARM_UP + 1e-3) * fallen


def _batches(groups: Sequence[Moment], chance: random.Random) -> Iterator[list[Moment]]:
    """Batches of moments of about the same length, in random order."""

    def length(group: Moment) -> float:
        said = group[0].said
        unit = 24 if group[0].language == "zh" else 60
        return (len(said.phone) + len("".join(said.trace))) // unit + 3 * chance.random()

    groups = sorted(groups, key=length)
    made: list[list[Moment]] = [[]]
    for group in groups:
        if sum(map(len, made[-1])) >= _BATCH:
            made.append([])
        made[-1].append(group)
    chance.shuffle(made)
    yield from made


def _loss(weights: Parameters, batch: Sequence[Moment], vocabulary: Vocabulary, *, narrow: bool) -> Tensor:
    flat = [one for moment in batch for one in moment]
    read = [pieces(one.said, vocabulary) for one in flat]
    sides = [_sides(one, moment, said) for (one, moment), said in zip(_pairs(batch), read, strict=True)]
    stacked = _stacked(read, sides)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        seen = encode(weights, stacked.pieces, stacked.kinds, stacked.there, dropout=_DROPOUT, narrow=narrow)
    scores = functional.cross_entropy(seen.scores, _shares(flat, seen.scores.shape[1]), label_smoothing=0.05)
    relevance = -(seen.share.detach() * seen.relevance.log_softmax(1)).sum(1).mean()
    loss = _FUNCTION * scores + relevance
    judged = [at for at, one in enumerate(flat) if one.judged]
    if not judged:
        return loss
    heard = stacked.sides.gather(1, seen.heard)
    right = _EVIDENCE * _evidence(seen.evidence, heard) + _MARKED * _marked(seen.telling, heard)
    gist = _gist(weights, seen.sense[judged], [flat[at] for at in judged], vocabulary)
    return loss + _gate(seen.gate, batch) + right + _GIST * gist


def _gate(found: Tensor, batch: Sequence[Moment]) -> Tensor:
    flat = list(_pairs(batch))
    needed = torch.tensor([float(one.needed) for one, _ in flat])
    weight = torch.tensor([_weight(one, moment) for one, moment in flat])
    sure = 0.5 + _SURE * (needed - 0.5)
    right = functional.binary_cross_entropy_with_logits(found, sure, weight=weight, reduction="sum") / weight.sum()
    above = [
        found[at] - found[other]
        for at, (need, _) in enumerate(flat)
        for other, (calm, _) in enumerate(flat)
        if need.judged and need.moment == calm.moment and need.needed > calm.needed
    ]
    return right + (functional.softplus(-torch.stack(above)).mean() if above else 0.0)


def _weight(one: Example, moment: Moment) -> float:
    """However many look-alikes a need has, together they weigh as much as it."""
    return 0.0 if not one.judged else 1.0 if one.needed or len(moment) == 1 else 1 / _calm(moment)


def _gist(weights: Parameters, sense: Tensor, found: Sequence[Example], vocabulary: Vocabulary) -> Tensor:
    said = [vocabulary.encode(one.gist)[:_MOST_OF_GIST] for one in found]
    read = [[Piece(number, Kind.MARK, "") for number in (vocabulary.start, *one, vocabulary.end)] for one in said]
    stacked = _stacked(read, [[Side.NOTHING] * len(one) for one in read])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        meant = meaning(weights, stacked.pieces, stacked.there, dropout=_DROPOUT)
    near = functional.normalize(sense.float(), dim=1) @ functional.normalize(meant.float(), dim=1).T / _SHARPNESS
    own = torch.arange(len(found))
    return (functional.cross_entropy(near, own) + functional.cross_entropy(near.T, own)) / 2


def _shares(found: Sequence[Example], functions: int) -> Tensor:
    shares = torch.zeros(len(found), functions)
    for row, one in enumerate(found):
        shares[row, list(one.about)] = 1 / len(one.about)
    return shares


def _evidence(found: Tensor, sides: Tensor) -> Tensor:
    telling, common = (sides == Side.FOR) | (sides == Side.AGAINST), sides == Side.COMMON
    if not telling.any():
        return torch.zeros(())
    right = functional.binary_cross_entropy_with_logits(found[telling], sides[telling].float())
    return right + _NEUTRAL * (found[common] ** 2).mean()


def _marked(share: Tensor, sides: Tensor) -> Tensor:
    """How little of what the gate hears is said by what decides, where that is known and heard."""
    telling = (sides == Side.FOR) | (sides == Side.AGAINST)
    known = telling.any(1)
    if not known.any():
        return torch.zeros(())
    return -(share * telling)[known].sum(1).clamp_min(1e-6).log().mean()


def _pairs(batch: Sequence[Moment]) -> Iterator[tuple[Example, Moment]]:
    return ((one, moment) for moment in batch for one in moment)


def _calm(moment: Moment) -> int:
    return sum(not one.needed for one in moment)


def _sides(one: Example, moment: Moment, read: Sequence[Piece]) -> list[Side]:
    """Of each piece, whether its phrase is marked, or stands in this kind of record of the moment alone."""
    if len(moment) == 1 and not one.tells:
        return [Side.NOTHING] * len(read)
    others = {bare(phrase) for another in moment if another.needed != one.needed for phrase in _phrases(another)}
    common = others | one.strange
    own = Side.FOR if one.needed else Side.AGAINST

    def decides(phrase: str) -> bool:
        return phrase in one.tells if one.tells else phrase not in common

    def side(phrase: str) -> Side:
        return Side.NOTHING if not phrase else own if decides(phrase) else Side.COMMON

    return [side(bare(piece.phrase)) for piece in read]


def _phrases(one: Example) -> Iterator[str]:
    for text in (one.said.profile, one.said.world, one.said.phone):
        yield from phrases(text)
    yield from one.said.trace


def _stacked(read: Sequence[Sequence[Piece]], sides: Sequence[Sequence[Side]]) -> _Batch:
    size = (len(read), max(map(len, read)))
    numbers, kinds, there = (torch.zeros(size, dtype=torch.long) for _ in range(3))
    batch = _Batch(numbers, kinds, there, torch.full(size, int(Side.NOTHING)))
    for row, (found, side) in enumerate(zip(read, sides, strict=True)):
        batch.pieces[row, : len(found)] = torch.tensor([piece.number for piece in found])
        batch.kinds[row, : len(found)] = torch.tensor([int(piece.kind) for piece in found])
        batch.there[row, : len(found)] = 1
        batch.sides[row, : len(found)] = torch.tensor([int(one) for one in side])
    return batch
