"""Model files: where they are, and whether model and projector belong together."""

from pathlib import Path
from typing import NamedTuple

from heed.errors import ModelError, UsageError
from models.config import LlamaConfig
from models.llama.header import Header, read_header

HUB = "hf:"


class ModelFiles(NamedTuple):
    """The files of a model, checked."""

    model: Path
    mmproj: Path | None


def locate(config: LlamaConfig) -> ModelFiles:
    """The configured files; ``ModelError`` says which is missing, cut off or of another model."""
    if not config.model:
        raise UsageError("No model is configured.", "Set models.llama.model to a GGUF file, or pass --model.")
    files = ModelFiles(resolve(config.model), resolve(config.mmproj) if config.mmproj else None)
    header = read_header(files.model)
    if header.architecture == "clip":
        raise ModelError(f"{files.model} is a vision projector, not a model.", "Set it as models.llama.mmproj.")
    if files.mmproj is not None:
        check_pair(header, read_header(files.mmproj))
    return files


def resolve(reference: str) -> Path:
    """The local path of a reference."""
    return Path(reference).expanduser()


def check_pair(model: Header, projector: Header) -> None:
    """``ModelError`` unless ``projector`` is a vision projector that gives embeddings of the model's width."""
    if projector.architecture != "clip":
        raise ModelError(
            f"{projector.path} is not a vision projector.", "Use the mmproj file published with the model."
        )
    width = projector.metadata.get("clip.vision.projection_dim")
    wanted = model.number("embedding_length")
    if width != wanted:
        raise ModelError(
            f"The vision projector {projector.path} is of another model: it gives {width} numbers per image token, "
            f"{Path(model.path).name} takes {wanted}.",
            "Use the mmproj file published with the model.",
        )
