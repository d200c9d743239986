"""LoRA: which layers get adapters, and merging adapters into their base."""

import shutil
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel

from training.tuning.base import BaseModel

_NOT_ADAPTED = ("visual", "vision", "connector", "projector", "lm_head")
"""Parts of module names outside the language model's layers: the vision projector of the base fits every fine-tune."""
_OWN_FILES = {".safetensors", ".bin", ".pt", ".pth", ".gguf", ".md"}
"""Endings of files of a base that a merged model does not take over."""


def lora_config(model: Any, rank: int) -> LoraConfig:
    """Adapters of all linear layers of the language model; twice the rank for alpha, no dropout."""
    return LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules=linear_layers(model))


def linear_layers(model: Any) -> list[str]:
    """The names of the language model's linear layers."""
    return [
        name
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear) and not any(part in name for part in _NOT_ADAPTED)
    ]


def merge(base: BaseModel, adapter: Path, target: Path) -> BaseModel:
    """Writes the base with the adapter added to its weights to ``target``, with everything that a conversion needs.

    The loaded base becomes the merged model.
    """
    merged = PeftModel.from_pretrained(base.model, adapter).merge_and_unload()
    target.mkdir(parents=True, exist_ok=True)
    for file in base.folder.iterdir():
        if file.is_file() and file.suffix not in _OWN_FILES and not file.name.endswith(".index.json"):
            shutil.copyfile(file, target / file.name)
    merged.save_pretrained(target)
    shutil.copyfile(base.folder / "config.json", target / "config.json")  # as the converters know it
    return base._replace(folder=target, model=merged)
