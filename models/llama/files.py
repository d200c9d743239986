"""Model files: where they are, and whether they fit each other, the machine and the configuration."""

from pathlib import Path
from typing import NamedTuple

from heed.errors import ModelError, UsageError
from heed.messages import msg
from models.config import LlamaConfig
from models.llama import hub
from models.llama.chat import markup
from models.llama.header import Header, read_header
from models.llama.memory import MIB, estimate, per_token, physical


class ModelFiles(NamedTuple):
    """The files of a model, checked."""

    model: Path
    mmproj: Path | None
    header: Header
    projector: Header | None
    adapter: Path | None


def locate(config: LlamaConfig) -> ModelFiles:
    """The configured files; ``ModelError`` says which is missing, cut off, no chat model, of another or too large."""
    if not config.model:
        raise UsageError(msg("No model is configured."), msg("Set models.llama.model to a GGUF file, or pass --model."))
    model = resolve(config.model)
    header = read_header(model)
    if header.architecture == "clip":
        raise ModelError(
            msg("{model} is a vision projector, not a model.", model=model), msg("Set it as models.llama.mmproj.")
        )
    markup(str(header.metadata.get("tokenizer.chat_template", "")), model.name)
    mmproj = resolve(config.mmproj) if config.mmproj else None
    projector = read_header(mmproj) if mmproj else None
    if projector is not None:
        check_pair(header, projector)
    adapter = resolve(config.adapter) if config.adapter else None
    if adapter is not None:
        check_adapter(header, read_header(adapter))
    check_size(header, projector, config)
    return ModelFiles(model, mmproj, header, projector, adapter)


def resolve(reference: str) -> Path:
    """The local path of a reference; one to the hub is downloaded once."""
    return hub.fetch(reference) if reference.startswith(hub.SCHEME) else Path(reference).expanduser()


def check_pair(model: Header, projector: Header) -> None:
    """``ModelError`` unless ``projector`` is a vision projector that gives embeddings of the model's width."""
    remedy = msg("Use the mmproj file published with the model.")
    if projector.architecture != "clip":
        raise ModelError(msg("{path} is not a vision projector.", path=projector.path), remedy)
    gives = projector.metadata.get("clip.vision.projection_dim")
    takes = model.number("embedding_length")
    if gives != takes:
        message = msg(
            "The vision projector {projector} belongs to another model: "
            "it gives {gives} numbers per image token, {model} takes {takes}.",
            projector=projector.path,
            gives=gives,
            model=Path(model.path).name,
            takes=takes,
        )
        raise ModelError(message, remedy)


def check_adapter(model: Header, adapter: Header) -> None:
    """``ModelError`` unless ``adapter`` is a LoRA adapter for models of this architecture."""
    if adapter.metadata.get("general.type") != "adapter":
        raise ModelError(
            msg("{path} is not an adapter.", path=adapter.path), msg("Set models.llama.adapter to a LoRA in GGUF.")
        )
    if adapter.architecture != model.architecture:
        raise ModelError(
            msg("The adapter {adapter} belongs to another model.", adapter=adapter.path),
            msg("Use an adapter of this model, in GGUF."),
        )


def check_size(model: Header, projector: Header | None, config: LlamaConfig) -> None:
    """``ModelError`` when the context is longer than the model was trained for, or memory can never suffice."""
    trained = model.number("context_length")
    if trained and config.context_tokens > trained:
        message = msg(
            "The model was trained for {trained:,} tokens, not for a context of {context_tokens:,}.",
            trained=trained,
            context_tokens=config.context_tokens,
        )
        raise ModelError(message, msg("Set models.llama.context_tokens to at most {trained}.", trained=trained))
    wanted = estimate(model, projector, config)
    if wanted.total > physical():
        spare = physical() - wanted.weights - wanted.buffers
        fitting = int(spare / per_token(model, config)) // 512 * 512
        remedy = (
            msg(
                "Set models.llama.context_tokens to at most {fitting}, or models.llama.kv_type to q8_0.",
                fitting=fitting,
            )
            if fitting >= 4096
            else msg("Choose a smaller model or a lower quantisation.")
        )
        have = msg("this machine has {physical:,}", physical=physical() // MIB)
        raise ModelError(
            msg("The model needs {total:,} MiB of memory; {have}.", total=wanted.total // MIB, have=have), remedy
        )
