"""One training of adapters with trl's SFTTrainer and peft, with loss on the answers alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from pydantic import Field
from trl import SFTConfig, SFTTrainer

from heed.model import Frozen
from training.chats.chat import Chat
from training.tuning.adapters import lora_config
from training.tuning.base import BaseModel
from training.tuning.tokens import Tokenizing
from training.tuning.trainer_options import trainer_options


class Fit(Frozen):
    """How adapters are trained."""

    epochs: float = Field(default=2.0, gt=0)
    rate: float = Field(default=1e-4, gt=0, description="peak of the learning rate; it falls as a cosine")
    rank: int = Field(default=16, ge=1)
    batch: int = Field(default=16, ge=1, description="chats of one step; they go through the model one by one")
    seed: int = 1


class Fitted(Frozen):
    """The course of a training."""

    losses: tuple[float, ...]
    """Mean loss of an answer's token at each logged step, first to last."""
    held_out_loss: tuple[float, float] | None
    """The loss on held-out chats before and after; None without any."""
    steps: int
    seconds: float
    peak_memory: int
    """Bytes of GPU memory at most; 0 on a CPU."""

    @property
    def words(self) -> dict[str, str]:
        """The course for the report."""
        course = {
            "steps": str(self.steps),
            "loss, first and last": f"{self.losses[0]:.3f}, {self.losses[-1]:.3f}",
            "seconds": f"{self.seconds:,.0f}",
            "GPU memory at most": f"{self.peak_memory / 2**30:.1f} GiB" if self.peak_memory else "no GPU",
        }
        if self.held_out_loss is not None:
            before, after = self.held_out_loss
            course["held-out loss, before and after"] = f"{before:.3f}, {after:.3f}"
        return course


def fit_adapter(base: BaseModel, chats: Sequence[Chat], held_out: Sequence[Chat], fit: Fit, folder: Path) -> Fitted:
    """Trains adapters of ``base`` and stores them in ``folder``."""
    trainer = _trainer(base, chats, held_out, fit, folder)
    before = _loss(trainer) if held_out else None
    course = trainer.train()
    after = _loss(trainer) if held_out else None
    trainer.model.save_pretrained(folder)
    trainer.model.unload()  # the base is as it was, for merging what was stored
    return Fitted(
        losses=tuple(entry["loss"] for entry in trainer.state.log_history if "loss" in entry),
        held_out_loss=None if before is None or after is None else (before, after),
        steps=trainer.state.global_step,
        seconds=course.metrics["train_runtime"],
        peak_memory=torch.cuda.max_memory_allocated() if torch.cuda.is_available() else 0,
    )


def _trainer(base: BaseModel, chats: Sequence[Chat], held_out: Sequence[Chat], fit: Fit, folder: Path) -> SFTTrainer:
    known = [*chats, *held_out]
    learned = list(range(len(chats)))
    return SFTTrainer(
        model=base.model,
        args=_arguments(fit, len(chats), folder),
        train_dataset=_numbers(learned),
        eval_dataset=_numbers(list(range(len(chats), len(known)))) if held_out else None,
        processing_class=base.tokenizer,
        data_collator=_Collator(Tokenizing(base), known),
        peft_config=lora_config(base.model, fit.rank),
    )


def _arguments(fit: Fit, count: int, folder: Path) -> SFTConfig:
    """One chat at a time: they are thousands of tokens long, and pictures of several would have to be padded."""
    steps = max(1, round(fit.epochs * count / fit.batch))
    return SFTConfig(
        **trainer_options(folder, rate=fit.rate, steps=steps, seed=fit.seed),
        num_train_epochs=fit.epochs,
        per_device_train_batch_size=1,
        per_device_eval_batch_size=1,
        gradient_accumulation_steps=fit.batch,
        warmup_steps=max(1, steps // 20),
        max_length=None,
        remove_unused_columns=False,
        dataset_kwargs={"skip_prepare_dataset": True},
    )


def _numbers(numbers: list[int]) -> Dataset:
    return Dataset.from_dict({"number": numbers})


def _loss(trainer: SFTTrainer) -> float:
    return float(trainer.evaluate()["eval_loss"])


class _Collator:
    """Tokens are made of a chat when its turn comes: pixels of all chats would not fit into memory."""

    def __init__(self, tokenizing: Tokenizing, chats: Sequence[Chat]) -> None:
        self._tokenizing, self._chats = tokenizing, chats

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        (row,) = rows
        return self._tokenizing.batch(self._chats[row["number"]])
