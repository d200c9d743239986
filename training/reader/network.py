"""The reader in torch: the perceptor's encoder, frozen, with low-rank adapters and heads of its own.

The adapters (Hu et al., LoRA, arXiv 2106.09685) are all that the reader adds to the layers: about 0.7 MB beside the
29 MB that it shares with the perceptor, whose own outputs stay as they are.
"""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from models.perceptor.features import Array
from training.perceptor.network import ALWAYS, EPSILON, HEADS

RANK = 16
CHOOSING = 64
"""Width between the whole text and the choices: a full matrix would be as large as an adapter."""
_LAYERS = 6
_PARTS = ("query", "key", "value", "out", "up", "down")
Parameters = dict[str, Tensor]


class ReaderOutput(NamedTuple):
    """The output of the reader for a batch of texts."""

    need: Tensor
    """``(texts,)``: log-odds that the text calls for something."""
    functions: Tensor
    """``(texts, functions)``: log-odds but for a constant."""
    choices: Tensor
    """``(texts, choices)``: log-odds but for a constant per parameter, in the order of ``models.reader.choices``."""
    starts: Tensor
    """``(texts, pieces, roles)``: how far a role's value starts at each piece; the first piece stands for none."""
    ends: Tensor


def adapters(base: Mapping[str, Array], functions: int, roles: int, choices: int) -> Parameters:
    """What is trained, before training: adapters that change nothing, fresh heads."""
    made: Parameters = {}
    for layer in range(_LAYERS):
        for part in _PARTS:
            outputs, inputs = base[f"layer.{layer}.{part}.weight"].shape
            made[f"layer.{layer}.{part}.a"] = torch.randn(RANK, inputs) / inputs**0.5
            made[f"layer.{layer}.{part}.b"] = torch.zeros(outputs, RANK)
    width = base["norm.weight"].shape[0]
    for name, outputs, inputs in (
        ("read.share", 1, width), ("read.need", 1, 2 * width), ("read.functions", functions, 2 * width),
        ("read.choosing", CHOOSING, 2 * width), ("read.choices", choices, CHOOSING),
        ("read.starts", roles, width), ("read.ends", roles, width),
    ):  # fmt: skip
        made[f"{name}.weight"] = torch.randn(outputs, inputs) * 0.02
        made[f"{name}.bias"] = torch.zeros(outputs)
    return {name: tensor.requires_grad_() for name, tensor in made.items()}


class ReaderNetwork:
    """Runs the frozen encoder with its adapters."""

    def __init__(self, base: Mapping[str, Array], own: Parameters) -> None:
        # Half precision halves the time on processors that have it; what is trained stays whole.
        self._base = {name: torch.tensor(array).to(torch.bfloat16) for name, array in base.items()}
        self.own = own

    def read(self, pieces: Tensor, kinds: Tensor, there: Tensor, *, dropout: float = 0.0) -> ReaderOutput:
        """The outputs for texts of unlike length, all ``(texts, pieces)``; ``there`` is 1 where a piece is."""
        base = self._base
        x = base["words"][pieces] + base["places"][: pieces.shape[1]] + base["kinds"][kinds]
        x = self._norm("norm", x)
        there = there.to(x.dtype)
        if dropout:
            x = functional.dropout(x, dropout)
        mask = ALWAYS * (there[:, None, None, :] - 1)
        for layer in range(_LAYERS):
            x = self._layer(f"layer.{layer}", x, mask, dropout)
        share = self._head("read.share", x)[..., 0].masked_fill(there == 0, -ALWAYS).softmax(1)
        whole = torch.cat([x[:, 0], (share[..., None] * x).sum(1)], 1).float()
        if dropout:
            whole = functional.dropout(whole, dropout)
        away = (-ALWAYS * (1 - there))[..., None]
        return ReaderOutput(
            self._head("read.need", whole)[:, 0].float(),
            self._head("read.functions", whole).float(),
            self._head("read.choices", self._head("read.choosing", whole).tanh()).float(),
            (self._head("read.starts", x) + away).float(),
            (self._head("read.ends", x) + away).float(),
        )

    def _layer(self, name: str, x: Tensor, mask: Tensor, dropout: float) -> Tensor:
        batch, count, width = x.shape

        def heads(part: str) -> Tensor:
            return self._linear(f"{name}.{part}", x).view(batch, count, HEADS, width // HEADS).transpose(1, 2)

        shares = heads("query") @ heads("key").transpose(-1, -2) * (width // HEADS) ** -0.5 + mask
        mixed = (shares.softmax(-1) @ heads("value")).transpose(1, 2).reshape(batch, count, width)
        out = self._linear(f"{name}.out", mixed)
        x = self._norm(f"{name}.norm", x + (functional.dropout(out, dropout) if dropout else out))
        inner = functional.gelu(self._linear(f"{name}.up", x))
        down = self._linear(f"{name}.down", inner)
        return self._norm(f"{name}.last_norm", x + (functional.dropout(down, dropout) if dropout else down))

    def _linear(self, name: str, x: Tensor) -> Tensor:
        whole = functional.linear(x, self._base[f"{name}.weight"], self._base[f"{name}.bias"])
        low = functional.linear(x, self.own[f"{name}.a"].to(x.dtype))
        return whole + functional.linear(low, self.own[f"{name}.b"].to(x.dtype))

    def _head(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x.float(), self.own[f"{name}.weight"], self.own[f"{name}.bias"])

    def _norm(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self._base[f"{name}.weight"], self._base[f"{name}.bias"]
        return functional.layer_norm(x, weight.shape, weight, bias, EPSILON)
