"""Base models: a folder in Hugging Face's format, or one from its hub."""

from pathlib import Path
from typing import Any, NamedTuple

import torch
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from transformers import (
    AutoConfig,
    AutoImageProcessor,
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    AutoTokenizer,
)

from heed.errors import UsageError

SCHEME = "hf:"


class BaseModel(NamedTuple):
    """A loaded base model with what prepares its input."""

    folder: Path
    model: Any
    tokenizer: Any
    images: Any
    """The image processor; None for a model without vision."""

    @property
    def sees(self) -> bool:
        """Whether the model has a vision encoder."""
        return self.images is not None


def base_folder(reference: str) -> Path:
    """The folder of a base model; ``hf:organisation/repository``, optionally with ``@revision``, is downloaded once."""
    if not reference.startswith(SCHEME):
        folder = Path(reference).expanduser()
        if not (folder / "config.json").is_file():
            raise UsageError(
                f"{folder} is no model folder: it has no config.json.",
                "Name a folder in Hugging Face's format, or hf:organisation/repository.",
            )
        return folder
    repository, _, revision = reference.removeprefix(SCHEME).partition("@")
    try:
        return Path(snapshot_download(repository, revision=revision or None))
    except (HfHubHTTPError, RepositoryNotFoundError, OSError, ValueError) as error:
        raise UsageError(
            f"{reference} cannot be had from the hub: {error}.", "Download it, and name its folder."
        ) from error


def load_base(folder: Path, image_tokens: int) -> BaseModel:
    """The model in ``folder``, in its own precision on a GPU and in 32 bits on a CPU.

    ``image_tokens`` bounds the tokens of one picture, as ``models.llama.image_tokens`` does in the product.
    """
    config = AutoConfig.from_pretrained(folder)
    sees = getattr(config, "vision_config", None) is not None
    kind = AutoModelForImageTextToText if sees else AutoModelForCausalLM
    on_gpu = torch.cuda.is_available()
    model = kind.from_pretrained(
        folder, dtype="auto" if on_gpu else torch.float32, device_map="cuda" if on_gpu else None
    )
    images = _image_processor(folder, image_tokens) if sees else None
    return BaseModel(folder, model, AutoTokenizer.from_pretrained(folder), images)


def _image_processor(folder: Path, image_tokens: int) -> Any:
    processor = AutoImageProcessor.from_pretrained(folder)
    if hasattr(processor, "merge_size"):  # Qwen: pixels are bounded; the others have fixed sizes
        pixels = image_tokens * (processor.patch_size * processor.merge_size) ** 2
        processor.size = {"shortest_edge": processor.size["shortest_edge"], "longest_edge": pixels}
    return processor
