"""LoRA on one linear layer, and the adapter's files in peft's format, which llama.cpp's converter reads."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

_SCALE = 2.0
_WEIGHTS = "adapter_model.safetensors"


class AdaptedLinear(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """A frozen linear layer plus the product of two small matrices, which are kept in 32 bits."""

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.base, self.rank = base, rank
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, given: Tensor) -> Tensor:
        """The layer's output."""
        kind = given.dtype
        low = nn.functional.linear(given, self.down.to(kind))
        return self.base(given) + nn.functional.linear(low, (_SCALE * self.up).to(kind))


def save_adapter(layers: Mapping[str, AdaptedLinear], folder: Path) -> None:
    """Writes the adapter as peft does."""
    folder.mkdir(parents=True, exist_ok=True)
    rank = next(iter(layers.values())).rank
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "r": rank,
        "lora_alpha": _SCALE * rank,
        "target_modules": sorted({name.rsplit(".", 1)[1] for name in layers}),
    }
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=1), "utf-8")
    save_file({name: tensor.contiguous() for name, tensor in _tensors(layers)}, folder / _WEIGHTS)


def load_adapter(layers: Mapping[str, AdaptedLinear], folder: Path) -> None:
    """Reads what ``save_adapter`` wrote, of the same rank."""
    stored = load_file(folder / _WEIGHTS)
    for name, tensor in _tensors(layers):
        tensor.copy_(stored[name])


def _tensors(layers: Mapping[str, AdaptedLinear]) -> Iterator[tuple[str, Tensor]]:
    """The matrices by their names in peft."""
    for name, layer in layers.items():
        yield f"base_model.model.{name}.lora_A.weight", layer.down.data
        yield f"base_model.model.{name}.lora_B.weight", layer.up.data
