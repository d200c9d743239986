"""The perceptor's encoder in torch, for training alone: a small BERT that starts from all-MiniLM-L6-v2.

Chinese words get vectors of their own, which start as those of their English glosses: "闹钟" stands where "alarm clock"
stands, so what the encoder knows of English carries over (Minixhofer et al., WECHSEL, arXiv 2112.06598, do the like
with neighbours in a common space of word vectors).

The gate only uses the evidence of single pieces of text: a head over the whole text learns the topic of a moment,
which does not separate a need from its look-alike (AUC between writers 0.68 with it, 0.70 without, trained on a sixth
of the moments).
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from models.perceptor.features import MOST, Kind
from models.perceptor.network import KEPT
from models.perceptor.tokens import Vocabulary, is_chinese
from training.perceptor.network import ALL_HEARD, ALWAYS, EPSILON, HEADS

_GLOSSES, _GLOSS_PIECES = 3, 6
_LENGTH = 0.85
"""Of a Chinese word's vector beside the mean of the English ones: a mean of several is shorter than each."""
_LONGEST = 3.0
_LAYER_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "last_norm": "output.LayerNorm",
}
"""Our names of a layer's parts, and BERT's."""
Parameters = dict[str, Tensor]


class EncoderOutput(NamedTuple):
    """The output of the encoder for a batch of contexts."""

    gate: Tensor
    """``(contexts,)`` log-odds that something is needed."""
    scores: Tensor
    """``(contexts, functions)``: log-odds but for a constant."""
    evidence: Tensor
    """``(contexts, heard)``: how far each piece speaks for a need (above 0) or against it."""
    sense: Tensor
    """``(contexts, width)``: the meaning of the decisive pieces."""
    heard: Tensor
    """``(contexts, heard)``: the positions of the pieces that reach all layers."""
    relevance: Tensor
    """``(contexts, heard)``: the relevance predicted by the first layers, log-odds but for a constant."""
    share: Tensor
    """``(contexts, heard)``: the weight of each in the end; sums to 1."""
    telling: Tensor
    """``(contexts, heard)``: the weight of each in the gate; sums to 1."""


def start(
    bert: Mapping[str, Tensor],
    bert_pieces: Sequence[str],
    pieces: Sequence[str],
    glosses: Mapping[str, Sequence[str]],
    functions: int,
) -> Parameters:
    """The encoder before training: BERT's weights, vectors for our pieces, fresh heads.

    Args:
        bert: MiniLM's weights by their names.
        bert_pieces: its vocabulary.
        pieces: ours: some of BERT's, then Chinese words.
        glosses: in English, of each Chinese word of ``pieces``.
        functions: how many are scored.
    """
    vectors = bert["embeddings.word_embeddings.weight"]
    width = vectors.shape[1]
    made: Parameters = {
        "words": _vectors(vectors, bert_pieces, pieces, glosses),
        "places": bert["embeddings.position_embeddings.weight"][:MOST].clone(),
        "kinds": bert["embeddings.token_type_embeddings.weight"][0].repeat(len(Kind), 1),
        "norm.weight": bert["embeddings.LayerNorm.weight"].clone(),
        "norm.bias": bert["embeddings.LayerNorm.bias"].clone(),
    }
    layers = sum(name.endswith("intermediate.dense.weight") for name in bert)
    for layer in range(layers):
        for ours, theirs in _LAYER_PARTS.items():
            for part in ("weight", "bias"):
                made[f"layer.{layer}.{ours}.{part}"] = bert[f"encoder.layer.{layer}.{theirs}.{part}"].clone()
    single = dict.fromkeys(("evidence", "share", "focus", "relevance", "glance"), (1, width))
    heads = {"scores": (functions, 3 * width), **single}
    for name, (outputs, inputs) in heads.items():
        made[f"{name}.weight"] = torch.empty(outputs, inputs).uniform_(-1, 1) / inputs**0.5
        made[f"{name}.bias"] = torch.zeros(outputs)
    made["gate.weight"], made["gate.bias"] = torch.ones(1), torch.zeros(1)
    return {name: tensor.requires_grad_() for name, tensor in made.items()}


def is_head(name: str) -> bool:
    """Whether a parameter is of the heads, which start from nothing."""
    return name.startswith(("gate.", "scores.", "evidence.", "share.", "focus.", "relevance.", "glance."))


def encode(
    own: Parameters, pieces: Tensor, kinds: Tensor, there: Tensor, *, dropout: float = 0.0, narrow: bool = True
) -> EncoderOutput:
    """The encoder on contexts of unlike length, all ``(contexts, pieces)``; ``there`` is 1 where a piece is.

    With ``narrow``, the later layers get only the most relevant pieces, as in the network that ships.
    """
    x = _layers(own, _words(own, pieces, kinds, dropout), there, dropout, range(ALL_HEARD))
    relevance = _linear(own, "relevance", x.detach())[..., 0].float().masked_fill(there == 0, -ALWAYS)
    first = functional.one_hot(torch.zeros(len(x), dtype=torch.long), x.shape[1])
    most = min(KEPT, x.shape[1]) if narrow else x.shape[1]
    heard = (relevance + 2 * ALWAYS * first).topk(most).indices.sort().values
    glance = _sum(x, _share(own, "glance", x, there))
    x = x.gather(1, heard[..., None].expand(-1, -1, x.shape[-1]))
    relevance, there = relevance.gather(1, heard), there.gather(1, heard)
    x = _layers(own, x, there, dropout, range(ALL_HEARD, _count(own)))

    telling, focus = (_share(own, name, x, there) for name in ("share", "focus"))
    evidence = _linear(own, "evidence", x)[..., 0].float()
    gate = own["gate.weight"] * (telling * evidence).sum(1) + own["gate.bias"]
    whole = _dropped(torch.cat([x[:, 0], _sum(x, focus), glance], 1), dropout)
    scores = _linear(own, "scores", whole).float()
    sense = _sum(x, telling) + _mean(x, there)
    return EncoderOutput(gate, scores, evidence, sense, heard, relevance, (telling + focus) / 2, telling)


def meaning(own: Parameters, pieces: Tensor, there: Tensor, *, dropout: float = 0.0) -> Tensor:
    """Sentence embeddings, ``(sentences, width)``: the mean over the pieces, as in MiniLM."""
    kinds = torch.full_like(pieces, int(Kind.MARK))
    return _mean(_layers(own, _words(own, pieces, kinds, dropout), there, dropout, range(_count(own))), there)


def _words(own: Parameters, pieces: Tensor, kinds: Tensor, dropout: float) -> Tensor:
    x = own["words"][pieces] + own["places"][: pieces.shape[1]] + own["kinds"][kinds]
    return _dropped(_norm(own, "norm", x), dropout)


def _count(own: Parameters) -> int:
    return sum(name.endswith(".up.weight") for name in own)


def _layers(own: Parameters, x: Tensor, there: Tensor, dropout: float, numbers: range) -> Tensor:
    mask = ALWAYS * (there[:, None, None, :] - 1)
    for number in numbers:
        x = _layer(own, f"layer.{number}", x, mask, dropout)
    return x


def _share(own: Parameters, name: str, x: Tensor, there: Tensor) -> Tensor:
    """Attention weights of the pieces, ``(contexts, pieces)``; they sum to 1."""
    return _linear(own, name, x)[..., 0].float().masked_fill(there == 0, -ALWAYS).softmax(1)


def _sum(x: Tensor, shares: Tensor) -> Tensor:
    return (shares[..., None].to(x.dtype) * x).sum(1)


def _mean(x: Tensor, there: Tensor) -> Tensor:
    seen = there[..., None].to(x.dtype)
    return (x * seen).sum(1) / seen.sum(1)


def _layer(own: Parameters, name: str, x: Tensor, mask: Tensor, dropout: float) -> Tensor:
    batch, count, width = x.shape

    def heads(part: str) -> Tensor:
        return _linear(own, f"{name}.{part}", x).view(batch, count, HEADS, width // HEADS).transpose(1, 2)

    # Plainly multiplied: torch's fused attention spends a third of a training step on its way back on processors.
    shares = heads("query") @ heads("key").transpose(-1, -2) * (width // HEADS) ** -0.5 + mask
    mixed = (shares.softmax(-1) @ heads("value")).transpose(1, 2).reshape(batch, count, width)
    x = _norm(own, f"{name}.norm", x + _dropped(_linear(own, f"{name}.out", mixed), dropout))
    inner = functional.gelu(_linear(own, f"{name}.up", x))
    return _norm(own, f"{name}.last_norm", x + _dropped(_linear(own, f"{name}.down", inner), dropout))


def _linear(own: Parameters, name: str, x: Tensor) -> Tensor:
    return functional.linear(x, own[f"{name}.weight"], own[f"{name}.bias"])


def _norm(own: Parameters, name: str, x: Tensor) -> Tensor:
    weight, bias = own[f"{name}.weight"], own[f"{name}.bias"]
    return functional.layer_norm(x, weight.shape, weight, bias, EPSILON)


def _dropped(x: Tensor, share: float) -> Tensor:
    """``x`` without a random share of its columns, the same for all pieces of a context."""
    if not share:
        return x
    kept = torch.rand(len(x), *[1] * (x.dim() - 2), x.shape[-1]) >= share
    return x * (kept.to(x.dtype) / (1 - share))


def _vectors(
    vectors: Tensor, bert_pieces: Sequence[str], pieces: Sequence[str], glosses: Mapping[str, Sequence[str]]
) -> Tensor:
    known = {piece: number for number, piece in enumerate(bert_pieces)}
    latin = Vocabulary(bert_pieces)
    length = vectors.norm(dim=1).mean()
    unknown = vectors[known["[UNK]"]]

    def of(piece: str) -> Tensor:
        if not is_chinese(piece):
            return vectors[known[piece]]
        said = [latin.encode(re.sub("^to ", "", gloss))[:_GLOSS_PIECES] for gloss in glosses[piece][:_GLOSSES]]
        means = [vectors[numbers].mean(0) for numbers in said if numbers]
        mean = torch.stack(means).mean(0) if means else unknown
        return mean * (_LENGTH * length / mean.norm().clamp_min(1e-3)).clamp(max=_LONGEST)

    return torch.stack([of(piece) for piece in pieces])
