"""The base of the small model: the weights of a GGUF file in PyTorch, with adapters on its upper layers."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import torch
from gguf import GGUFReader
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, AutoTokenizer

from models.llama.chat import Markup, markup
from training.small.adapter import AdaptedLinear

FIRST_ADAPTED = 10
"""Layers below this one stay as they are, which saves their backward pass."""


class SmallBase(NamedTuple):
    """A loaded base."""

    model: Any
    tokenizer: Any
    markup: Markup


def load_base(file: Path) -> SmallBase:
    """The weights, in 16 bits and frozen, with the tokenizer and the chat markup of a GGUF file."""
    model = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.bfloat16)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    model.requires_grad_(requires_grad=False)
    return SmallBase(model, tokenizer, markup(_chat_template(file), file.name))


def _chat_template(file: Path) -> str:
    field = GGUFReader(file).get_field("tokenizer.chat_template")
    return str(field.contents()) if field else ""


def write_config(base: SmallBase, folder: Path) -> Path:
    """The folder with the base's shape in Hugging Face's format, which the conversion of an adapter reads."""
    config = base.model.config.to_dict()
    config.pop("quantization_config", None)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(
        json.dumps({**config, "architectures": ["LlamaForCausalLM"]}, default=str), "utf-8"
    )
    base.tokenizer.save_pretrained(folder)
    return folder


def adapt(model: Any, rank: int) -> dict[str, AdaptedLinear]:
    """Puts adapters on all linear layers of the upper layers; by name."""
    found: dict[str, AdaptedLinear] = {}
    for number, layer in enumerate(model.model.layers):
        if number < FIRST_ADAPTED:
            continue
        for part in ("self_attn", "mlp"):
            block = getattr(layer, part)
            for name, linear in list(block.named_children()):
                if isinstance(linear, nn.Linear):
                    adapted = AdaptedLinear(linear, rank)
                    setattr(block, name, adapted)
                    found[f"model.layers.{number}.{part}.{name}"] = adapted
    return found


def answer_loss(model: Any, ids: Tensor, labels: Tensor) -> Tensor:
    """The mean loss of the labelled tokens; only there is the vocabulary computed.

    Shorter chats are padded at their end, which causal attention never sees.
    """
    states = model.model(input_ids=ids, use_cache=False).last_hidden_state[:, :-1]
    wanted = labels[:, 1:]
    known = wanted >= 0
    return nn.functional.cross_entropy(model.lm_head(states[known]).float(), wanted[known])
