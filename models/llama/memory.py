"""How much memory a model takes, computed from its header."""

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


class Need(Frozen):
    """Bytes that a model takes once loaded."""

    weights: int
    """The files, mapped."""
    cache: int
    """What is kept of the prompt, all of the context used."""
    buffers: int
    """Intermediate results of one batch, an estimate."""

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.buffers


def need(model: Header, projector: Header | None, config: LlamaConfig) -> Need:
    """What ``config`` makes of these files."""
    activations = (
        4 * config.batch_tokens * (8 * model.number("embedding_length") + 3 * model.number("feed_forward_length"))
    )
    logits = 4 * MOST_OUTPUTS * _vocabulary(model)
    return Need(
        weights=model.size + (projector.size if projector else 0),
        cache=int(per_token(model, config.kv_type) * config.context_tokens),
        buffers=activations + logits,
    )


def per_token(model: Header, kv_type: str) -> float:
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
