"""The section ``models`` of the configuration."""

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from heed import paths
from heed.model import Frozen
from models.grammar import Limits, OutputFormat


class ReasonerKind(StrEnum):
    """The reasoner that decides."""

    ROUTINES = "routines"
    """Learnt habits and declared situations; no weights."""
    LLAMA = "llama"
    """A quantized vision-language model on llama.cpp, in a child process."""
    OPENAI = "openai"
    """A model on an OpenAI-compatible server."""


class PromptConfig(Frozen):
    """What a language model reads and writes; must match what it was fine-tuned on."""

    template: str = "heed-2"
    """``heed-1``, ``heed-2`` (with the past), ``benchmark-1`` for models fine-tuned on ProactiveMobile's own layout, or
    the path of a YAML file of your own."""
    format: OutputFormat = OutputFormat.REC_FUNC
    """``rec+func``, ``func``, ``think+func`` or ``think+rec+func``."""
    pool: Path | None = None
    """The function pool that the model was fine-tuned on, a JSON file in the benchmark's schema; None = heed's."""
    pool_map: Path | None = None
    """The table of that pool's functions in heed's names, a YAML file; None = the known ones of ProactiveMobile."""
    history_tokens: int = Field(default=600, ge=0)
    """Most tokens, estimated, of learnt habits and of the log entries nearest to the moment; 0 = none."""
    limits: Limits = Limits()


class SamplingConfig(Frozen):
    """Sampling of the next token."""

    temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    """0 = always the likeliest, so that a decision can be replayed (the benchmark's paper: 1)."""
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    """Only the likeliest tokens that together have this probability (the paper: 0.7)."""
    seed: int = 0
    """Of the random choice at a temperature above 0."""


class LlamaConfig(Frozen):
    """A GGUF model on this machine."""

    model: str = ""
    """Path of the GGUF file, or ``hf:org/repo/file.gguf`` to download it once."""
    mmproj: str = ""
    """The vision projector, likewise; empty = the model sees no screenshots."""
    adapter: str = ""
    """A LoRA adapter of the model in GGUF, likewise; empty = none."""
    context_tokens: int = Field(default=16_384, ge=512)
    """Most tokens of one prompt and its answer; memory grows with it (`heed model check`)."""
    answer_tokens: int = Field(default=1_024, ge=16)
    """Most tokens of one answer; a longer one counts as silence."""
    kv_type: Literal["f32", "f16", "q8_0", "q4_0"] = "f16"
    """Precision of what is kept of the prompt; ``q8_0`` halves its memory."""
    flash_attention: Literal["auto", "on", "off"] = "auto"
    """Reads prompts faster, but on a CPU writes answers much slower and rounds to 16 bits on the way.
    ``auto`` = on a GPU, and for the quantized precisions of the cache, which need it."""
    image_tokens: int = Field(default=1_024, ge=64)
    """Most tokens that one screenshot may cost."""
    images_kept: int = Field(default=16, ge=1)
    """Screenshots whose embeddings stay in memory, so that they are encoded once."""
    batch_tokens: int = Field(default=512, ge=32)
    """Tokens evaluated at a time."""
    threads: int = Field(default=0, ge=0)
    """CPU threads; 0 = one per physical core."""
    gpu_layers: int = -1
    """Layers on the GPU, where llama.cpp was built for one; -1 = all, 0 = none."""
    repack: bool = True
    """Whether weights are rearranged for the CPU's matrix units: faster, but a second copy in memory. Where that
    crashes (AMX, llama.cpp issue 20824), it is switched off by itself."""
    memory_limit: int = Field(default=0, ge=0)
    """MiB that the model process may allocate, repacked weights included, mapped files not (Linux); 0 = no limit."""
    load_timeout: float = Field(default=120.0, gt=0)
    """Seconds to load the model."""
    cancel_grace: float = Field(default=5.0, gt=0)
    """Seconds a cancelled decision may take to stop before the process is killed."""
    idle_unload: float = Field(default=600.0, ge=0)
    """Seconds without a decision after which the model leaves memory; 0 = never."""
    saved_prefixes: int = Field(default=2, ge=0)
    """Prompt prefixes kept on disk, so that a start need not evaluate them; 0 = none."""
    sampling: SamplingConfig = SamplingConfig()


class OpenAIConfig(Frozen):
    """A model on an OpenAI-compatible server (llama-server, vLLM, ...). What a prompt holds is sent there."""

    base_url: str = "http://127.0.0.1:8000/v1"
    api_key: SecretStr = SecretStr("")
    model: str = ""
    """Name of the model on the server."""
    constraint: Literal["schema", "none"] = "schema"
    """How the answer is held to its form. ``schema`` = by a JSON schema (vLLM, llama-server, llama-cpp-python; a server
    that refuses it is asked without), the answer being one JSON object; ``none`` = by the instructions alone, in
    ``models.prompt.format``. In both cases an answer that does not fit is asked for once more."""
    images: bool = True
    """Whether screenshots are sent."""
    proxy: str = ""
    """Address of an HTTP proxy to the server; never used for a server on this machine. HTTP_PROXY and the like are not
    read."""
    in_flight: int = Field(default=8, ge=1)
    """Most requests at a time: several phones may share one server."""
    sampling: SamplingConfig = SamplingConfig()
    answer_tokens: int = Field(default=1_024, ge=16)


class RoutinesConfig(Frozen):
    """Deciding without weights."""

    situations: frozenset[str] | None = None
    """Declared situations that are on, by name; empty = learnt habits only, None = those that are on by default."""
    situation_files: tuple[Path, ...] = ()
    """Files with situations of the owner's own, in the format of the built-in ones."""
    rules: Path = Field(default_factory=lambda: paths.config_dir() / "rules.yaml")
    """The file that `heed rules` writes: the owner's own rules."""


class Keenness(StrEnum):
    """How readily the reader of incoming texts makes suggestions."""

    SHY = "shy"
    """Only where it is nearly certain."""
    BALANCED = "balanced"
    KEEN = "keen"
    """Also where it is in doubt."""


class ReaderConfig(Frozen):
    """The learned reader of incoming texts."""

    enabled: bool = True
    """Whether messages, mails and notifications are read for what they call for; the texts stay on this machine."""
    keenness: Keenness = Keenness.BALANCED
    """How readily it makes suggestions; answers move the threshold from there."""


class GateConfig(Frozen):
    """The gate before a language model."""

    enabled: bool = True
    """Whether a language model is asked only where the reader (incoming texts) or the perceptor (all else) finds that
    something is needed, and about their five likeliest functions. false = at every trigger, about all functions."""


class ModelsConfig(Frozen):
    """The ``[models]`` section."""

    reasoner: ReasonerKind = ReasonerKind.ROUTINES
    routines: RoutinesConfig = Field(default_factory=RoutinesConfig)
    reader: ReaderConfig = ReaderConfig()
    gate: GateConfig = GateConfig()
    prompt: PromptConfig = PromptConfig()
    llama: LlamaConfig = LlamaConfig()
    openai: OpenAIConfig = OpenAIConfig()
