"""One training of adapters with trl's GRPO: several answers to each prompt, judged against each other."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from pydantic import Field
from trl import GRPOConfig, GRPOTrainer

from heed.errors import UsageError
from heed.model import Frozen
from training.chats.chat import Chat
from training.rl.reward import Reward
from training.tuning.adapters import lora_config
from training.tuning.base import BaseModel
from training.tuning.tokens import Tokenizing
from training.tuning.trainer_options import trainer_options


class GrpoFit(Frozen):
    """How adapters are trained."""

    steps: int = Field(default=200, ge=1)
    rate: float = Field(default=1e-5, gt=0, description="peak of the learning rate; it falls as a cosine")
    rank: int = Field(default=16, ge=1)
    answers: int = Field(default=8, ge=2, description="answers to one prompt")
    answer_tokens: int = Field(default=256, ge=16, description="most tokens of an answer")
    temperature: float = Field(default=1.0, gt=0)
    kl: float = Field(default=0.02, ge=0, description="how strongly the model is held to its start; 0 = not")
    seed: int = 1


def fit_by_reward(
    base: BaseModel, chats: Sequence[Chat], reward: Reward, fit: GrpoFit, folder: Path
) -> Mapping[str, str]:
    """Trains adapters of ``base``, stores them in ``folder`` and tells the course in words.

    Prompts with control tokens in a text of the phone are left out; ``UsageError`` when none is left.
    """
    rows = _rows(Tokenizing(base), chats)
    if not rows:
        raise UsageError("No prompt can be learned from.", "Name other records.")
    wanted = [chat.calls for chat in chats]

    def judged(completions: Sequence[str], number: Sequence[int], **_: Any) -> list[float]:
        return [reward.of(answer, wanted[place]) for answer, place in zip(completions, number, strict=True)]

    trainer = GRPOTrainer(
        model=base.model,
        reward_funcs=judged,
        args=_arguments(fit, folder),
        train_dataset=Dataset.from_list(rows),
        processing_class=base.tokenizer,
        peft_config=lora_config(base.model, fit.rank),
    )
    course = trainer.train()
    trainer.model.save_pretrained(folder)
    trainer.model.unload()  # the base is as it was, for merging what was stored
    rewards = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    return {
        "prompts": str(len(rows)),
        "steps": str(trainer.state.global_step),
        "mean reward, first and last": f"{rewards[0]:.3f}, {rewards[-1]:.3f}",
        "seconds": f"{course.metrics['train_runtime']:,.0f}",
    }


def _rows(tokenizing: Tokenizing, chats: Sequence[Chat]) -> list[dict[str, object]]:
    texts = enumerate(tokenizing.text(chat.prompt) for chat in chats)
    return [{"prompt": text, "number": number} for number, text in texts if text is not None]


def _arguments(fit: GrpoFit, folder: Path) -> GRPOConfig:
    """The answers to one prompt are one batch."""
    return GRPOConfig(
        **trainer_options(folder, rate=fit.rate, steps=fit.steps, seed=fit.seed),
        max_steps=fit.steps,
        per_device_train_batch_size=fit.answers,
        num_generations=fit.answers,
        max_completion_length=fit.answer_tokens,
        temperature=fit.temperature,
        beta=fit.kl,
    )
