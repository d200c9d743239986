"""The importance matrix: how strongly our prompts excite each input of each layer, for quantization.

Measured on the merged model as llama.cpp's ``llama-imatrix`` does it: the sum of squares of a linear layer's inputs
over all tokens. Written in its GGUF format, so that ``llama-quantize`` reads it as well.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch

from models.llama.header import read_header
from training.chats.chat import Chat
from training.tuning.adapters import linear_layers
from training.tuning.base import BaseModel
from training.tuning.tokens import Tokenizing

_WRAPPERS = ("language_model.", "text_model.")
"""Parts of module names that the stored names lack."""


class _Sums:
    """Sums over the tokens that went through one layer."""

    def __init__(self, width: int) -> None:
        self.squares = torch.zeros(width, dtype=torch.float64)
        self.tokens = 0

    def add(self, inputs: torch.Tensor) -> None:
        rows = inputs.detach().reshape(-1, inputs.shape[-1]).float()
        self.squares += (rows * rows).sum(dim=0).double().cpu()
        self.tokens += rows.shape[0]


def write_importance(base: BaseModel, chats: Sequence[Chat], model: Path, target: Path) -> Path:
    """Writes the importance matrix of ``base`` over ``chats``, with the tensor names of its conversion ``model``."""
    tokenizing, tokens = Tokenizing(base), 0
    with _observed(base.model) as sums, torch.inference_mode():
        for chat in chats:
            batch = {name: value.to(base.model.device) for name, value in tokenizing.batch(chat).items()}
            batch.pop("labels")
            base.model(**batch, logits_to_keep=1, use_cache=False)
            tokens += batch["input_ids"].shape[1]
    _write(_named(sums, model), tokens // max(1, len(chats)), len(chats), target)
    return target


@contextmanager
def _observed(model: Any) -> Iterator[dict[str, _Sums]]:
    layers = {name: model.get_submodule(name) for name in linear_layers(model)}
    sums = {name: _Sums(layer.in_features) for name, layer in layers.items()}
    hooks = [
        layer.register_forward_pre_hook(lambda _, inputs, name=name: sums[name].add(inputs[0]))
        for name, layer in layers.items()
    ]
    try:
        yield sums
    finally:
        for hook in hooks:
            hook.remove()


def _named(sums: dict[str, _Sums], model: Path) -> dict[str, _Sums]:
    """The sums by the tensor names of the GGUF file; a layer that the file names otherwise is left out."""
    header = read_header(model)
    kinds = {name: kind for kind, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(kinds[header.architecture], header.number("block_count"))
    found = {names.get_name(_stored(name)): one for name, one in sums.items()}
    return {f"{name}.weight": one for name, one in found.items() if name is not None and one.tokens}


def _stored(name: str) -> str:
    for wrapper in _WRAPPERS:
        name = name.replace(wrapper, "")
    return name


def _write(sums: dict[str, _Sums], size: int, count: int, target: Path) -> None:
    writer = gguf.GGUFWriter(target, "")
    writer.add_type("imatrix")
    writer.add_array("imatrix.datasets", ["heed's prompts"])
    writer.add_uint32("imatrix.chunk_count", count)
    writer.add_uint32("imatrix.chunk_size", size)
    for name, one in sums.items():
        writer.add_tensor(f"{name}.in_sum2", one.squares.numpy().astype(np.float32)[None])
        writer.add_tensor(f"{name}.counts", np.array([[one.tokens]], np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
