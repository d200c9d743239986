"""From an adapter to files that heed runs: merged weights, GGUF files at several precisions, checks and figures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from evaluation.proactivemobile.metrics import Figures
from heed.model import Frozen
from models.llama.check import Finding
from models.llama.quantize import quantize
from training.chats.chat import Chat
from training.tuning.adapters import merge
from training.tuning.base import BaseModel
from training.tuning.converters import Converters
from training.tuning.importance import write_importance
from training.tuning.measuring import Trial, evaluate, findings


class DeliveryChoice(Frozen):
    """Which files are made and what is measured."""

    precision: str = "f16"
    """Of the whole model in GGUF: ``f32``, ``f16`` or ``bf16``."""
    quantizations: tuple[str, ...] = ("Q4_K_M", "Q8_0")
    importance: int = Field(default=64, ge=0)
    """Prompts that the importance matrix is measured with; 0 = none is made."""
    evaluate: int = Field(default=0, ge=0)
    """Held-out records that base and fine-tune are measured with; 0 = none."""


class ModelFiles(NamedTuple):
    """The GGUF files of a fine-tune."""

    model: Path
    projector: Path | None
    adapter: Path
    importance: Path | None

    @property
    def made(self) -> list[Path]:
        """All of them."""
        return [path for path in self if path is not None]


class Delivered(Frozen):
    """What was made and measured."""

    files: tuple[Path, ...]
    checks: Mapping[str, tuple[Finding, ...]]
    """The findings of ``heed model check``, by file name."""
    figures: Mapping[str, Figures]
    """The figures on held-out records, by file name."""


def convert(
    base: BaseModel, adapter: Path, chats: Sequence[Chat], choice: DeliveryChoice, converters: Converters, folder: Path
) -> ModelFiles:
    """Merges the adapter and converts everything; ``base`` is the merged model afterwards."""
    gguf, original = folder / "gguf", base.folder
    merged = merge(base, adapter, folder / "merged")
    model = converters.model(merged.folder, gguf / f"model-{choice.precision}.gguf", choice.precision)
    small = "f16" if choice.precision == "bf16" else choice.precision
    projector = converters.projector(original, gguf / f"mmproj-{small}.gguf", small) if base.sees else None
    lora = converters.adapter(adapter, original, gguf / f"adapter-{small}.gguf", small)
    used = chats[: choice.importance]
    matrix = write_importance(merged, used, model, gguf / "imatrix.gguf") if used else None
    return ModelFiles(model, projector, lora, matrix)


def deliver(
    files: ModelFiles, original: Path, records: Path, choice: DeliveryChoice, converters: Converters, trial: Trial
) -> Delivered:
    """Quantizes, checks and measures; ``original`` is the folder of the base, for the figures before the training."""
    quantized = [_quantized(files.model, "model", kind, files.importance) for kind in choice.quantizations]
    checks = {path.name: tuple(findings(trial, path, files.projector)) for path in quantized or [files.model]}
    figures = {}
    if choice.evaluate:
        first = (quantized or [files.model])[0]
        for path in (_base(files.model.parent, original, choice, converters), first):
            figures[path.name] = evaluate(trial, path, files.projector, records, choice.evaluate).all
    return Delivered(files=(*files.made, *quantized), checks=checks, figures=figures)


def _base(folder: Path, original: Path, choice: DeliveryChoice, converters: Converters) -> Path:
    """The base at the first of the fine-tune's precisions."""
    whole = converters.model(original, folder / f"base-{choice.precision}.gguf", choice.precision)
    return _quantized(whole, "base", choice.quantizations[0], None) if choice.quantizations else whole


def _quantized(source: Path, name: str, kind: str, importance: Path | None) -> Path:
    target = source.with_name(f"{name}-{kind}.gguf")
    target.unlink(missing_ok=True)
    quantize(source, target, kind, importance)
    return target
