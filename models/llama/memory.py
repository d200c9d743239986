"""Estimates the memory of a model from its header."""

import os
import sys
from pathlib import Path

from heed.model import Frozen
from models.config import LlamaConfig
from models.llama.header import Header

MIB = 1024 * 1024
MOST_OUTPUTS = 65
"""Most tokens of a batch whose logits are kept; llama.cpp's buffers grow with it."""
_BYTES_PER_VALUE = {"f32": 4.0, "f16": 2.0, "q8_0": 34 / 32, "q4_0": 18 / 32}
"""Of the cache's precisions; quantized blocks of 32 values carry a 16-bit scale."""
_MEMINFO = Path("/proc/meminfo")


_PLAIN_BATCH = 128
"""Tokens evaluated at once without flash attention: the scores of each with all of the context are kept meanwhile."""


def flash_attention(config: LlamaConfig, *, gpu: bool) -> bool:
    """Whether attention is evaluated in tiles. Measured on a CPU with 0.63 billion weights in Q8_0 and 3,000 tokens of
    context: a token took 60 ms without and 108 ms with it; a prompt, 13 % longer without."""
    if config.flash_attention != "auto":
        return config.flash_attention == "on"
    return config.kv_type in ("q8_0", "q4_0") or (gpu and config.gpu_layers != 0)


def evaluated_at_once(config: LlamaConfig, *, flash: bool) -> int:
    """Tokens of a batch that go through the model together."""
    return config.batch_tokens if flash else min(config.batch_tokens, _PLAIN_BATCH)


class MemoryEstimate(Frozen):
    """Bytes that a loaded model takes."""

    weights: int
    """The files, mapped."""
    context: int
    """What is kept of the prompt, all of the context used, and how each token of a batch scores all of it."""
    buffers: int
    """Other intermediate results of one batch, an estimate."""

    @property
    def total(self) -> int:
        return self.weights + self.context + self.buffers


def estimate(model: Header, projector: Header | None, config: LlamaConfig) -> MemoryEstimate:
    """The memory of these files under ``config``."""
    together = evaluated_at_once(config, flash=flash_attention(config, gpu=False))
    activations = 4 * together * (8 * model.number("embedding_length") + 3 * model.number("feed_forward_length"))
    logits = 4 * MOST_OUTPUTS * _vocabulary(model)
    return MemoryEstimate(
        weights=model.size + (projector.size if projector else 0),
        context=int(per_token(model, config) * config.context_tokens),
        buffers=activations + logits,
    )


def per_token(model: Header, config: LlamaConfig) -> float:
    """Bytes that a longer context takes for each token."""
    flash = flash_attention(config, gpu=False)
    scores = 0 if flash else 4 * evaluated_at_once(config, flash=flash) * model.number("attention.head_count", 1)
    return cached(model, config.kv_type) + scores


def cached(model: Header, kv_type: str) -> float:
    """Bytes that the cache keeps of one token."""
    heads = model.number("attention.head_count", 1)
    width = model.number("embedding_length") // max(1, heads)
    values = model.number("attention.key_length", width) + model.number("attention.value_length", width)
    return _kv_heads(model, heads) * values * _BYTES_PER_VALUE[kv_type]


def physical() -> int:
    """Bytes of memory that this machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def available() -> int:
    """Bytes that could be used now without swapping; all there are where the system does not tell."""
    if _MEMINFO.exists():
        for line in _MEMINFO.read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return physical()


def peak() -> int:
    """KiB that this process had resident at most; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


def limit(mebibytes: int) -> None:
    """Let this process allocate no more, 0 for no limit; mapped files do not count (Linux only)."""
    if mebibytes and sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (mebibytes * MIB, mebibytes * MIB))


def _kv_heads(model: Header, heads: int) -> int:
    """Heads with a key and a value, in all layers together; some models state them per layer."""
    given = model.metadata.get(f"{model.architecture}.attention.head_count_kv", heads)
    if isinstance(given, list):
        return sum(count for count in given if isinstance(count, int))
    per_layer = given if isinstance(given, int) else heads
    return per_layer * model.number("block_count")


def _vocabulary(model: Header) -> int:
    tokens = model.metadata.get("tokenizer.ggml.tokens", 0)
    return tokens if isinstance(tokens, int) else 0
