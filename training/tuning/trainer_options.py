"""The arguments that trl's trainers share."""

from pathlib import Path
from typing import Any

import torch


def trainer_options(folder: Path, *, rate: float, steps: int, seed: int) -> dict[str, Any]:
    """Returns the arguments of a training that stores nothing in between, on the GPU where there is one.

    Args:
        folder: of the trainer's own files.
        rate: peak of the learning rate, which falls as a cosine.
        steps: of the whole training; it is logged twenty times.
        seed: of order and initial weights.
    """
    on_gpu = torch.cuda.is_available()
    return {
        "output_dir": str(folder),
        "learning_rate": rate,
        "lr_scheduler_type": "cosine",
        "logging_steps": max(1, steps // 20),
        "save_strategy": "no",
        "report_to": "none",
        "disable_tqdm": True,
        "seed": seed,
        "bf16": on_gpu,
        "use_cpu": not on_gpu,
        "activation_checkpointing": on_gpu,
        "dataloader_pin_memory": on_gpu,
    }
