"""One tuning, from chats to a report; how the adapter is trained is the caller's."""

from collections.abc import Callable, Mapping
from pathlib import Path

from heed.model import Frozen
from training.chats.dataset import Dataset
from training.tuning.base import BaseModel, base_folder, load_base
from training.tuning.converters import Converters
from training.tuning.delivery import DeliveryChoice, ModelFiles, convert, deliver
from training.tuning.measuring import Trial
from training.tuning.report import TrainingReport, write_report

Course = Mapping[str, str]
"""The course of a training in words: loss or reward, steps, time, memory."""
Train = Callable[[BaseModel, Path], Course]
"""Trains an adapter of the base and stores it in the folder; the base itself stays as it was."""


class TuningChoice(Frozen):
    """What one tuning starts from and makes."""

    base: str
    """A folder, or ``hf:organisation/repository``."""
    command: str
    """How it was started, for the report."""
    delivery: DeliveryChoice
    adapter: Path | None = None
    """A trained adapter to deliver; None = train one."""


def tune(choice: TuningChoice, data: Dataset, trial: Trial, converters: Converters, folder: Path, train: Train) -> Path:
    """Trains, merges, converts, quantizes and measures; the report's page."""
    original = base_folder(choice.base)
    course, files = _trained(choice, original, data, trial, converters, folder, train)
    delivered = deliver(files, original, data.held_out_file, choice.delivery, converters, trial)
    report = TrainingReport(
        base=choice.base, command=choice.command, data=data.figures, course=course, delivered=delivered
    )
    return write_report(report, folder)


def _trained(
    choice: TuningChoice,
    original: Path,
    data: Dataset,
    trial: Trial,
    converters: Converters,
    folder: Path,
    train: Train,
) -> tuple[Course, ModelFiles]:
    """The model is loaded within here alone: measuring needs the memory."""
    base = load_base(original, trial.image_tokens)
    adapter = choice.adapter or folder / "adapter"
    course = train(base, adapter) if choice.adapter is None else {"adapter": str(adapter)}
    return course, convert(base, adapter, data.learn.chats, choice.delivery, converters, folder)
