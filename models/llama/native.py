"""The few calls into llama.cpp that are not about a session: logs, the stop flag, loading, pieces of text.

Everything here runs in the child process only: a wrong call can end the process.
"""

import ctypes
import sys
from collections import deque
from pathlib import Path
from typing import Any, ClassVar

import llama_cpp as llama
from llama_cpp import mtmd_cpp as mtmd

from heed.errors import ModelError
from heed.messages import msg
from models.config import LlamaConfig
from models.llama import memory

Pointer = Any
"""An opaque address that llama.cpp gave us."""

KV_TYPES = {
    "f32": llama.GGML_TYPE_F32,
    "f16": llama.GGML_TYPE_F16,
    "q8_0": llama.GGML_TYPE_Q8_0,
    "q4_0": llama.GGML_TYPE_Q4_0,
}
_ERROR = 4
"""``GGML_LOG_LEVEL_ERROR``."""


class NativeLog:
    """Keeps the last errors that llama.cpp logs, and nothing else: lower levels may quote the prompt."""

    _kept: ClassVar[list[object]] = []
    """Every callback that was ever set: C holds only the addresses, for as long as the process lives."""

    def __init__(self) -> None:
        self.errors: deque[str] = deque(maxlen=20)
        callback = llama.llama_log_callback(self._log)
        self._kept.append(callback)
        llama.llama_log_set(callback, None)
        mtmd.mtmd_helper_log_set(callback, None)

    def close(self) -> None:
        """Let llama.cpp log to stderr again."""
        default = llama.llama_log_callback()  # a null pointer
        llama.llama_log_set(default, None)
        mtmd.mtmd_helper_log_set(default, None)

    def _log(self, level: int, text: bytes, _user_data: object) -> None:
        if level == _ERROR:
            self.errors.append(text.decode("utf-8", "replace").strip())

    def forget(self) -> None:
        """Drop what was logged so far."""
        self.errors.clear()

    def reason(self) -> str:
        """The first error since ``forget``, as the reason of a failure."""
        return next((line for line in self.errors if line), "it gives no reason")


class StopFlag:
    """Stops an evaluation from another thread.

    llama.cpp asks before every operation of its graph, about a thousand times a token. A callback in Python would
    take the interpreter's lock each time, so it asks the C library instead: ``strlen`` of a one-byte buffer is 0
    (go on) while the buffer holds the terminator, and 1 (stop) once it holds anything else.
    """

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(2)
        strlen = (ctypes.CDLL("msvcrt") if sys.platform == "win32" else ctypes.CDLL(None)).strlen
        self.callback = ctypes.cast(strlen, llama.ggml_abort_callback)
        self.data = ctypes.cast(self._buffer, ctypes.c_void_p)

    def set(self) -> None:
        self._buffer[0] = b"1"

    def clear(self) -> None:
        self._buffer[0] = b"\0"

    @property
    def is_set(self) -> bool:
        return bool(self._buffer[0] != b"\0")


def load_model(path: Path, config: LlamaConfig, log: NativeLog) -> Pointer:
    """The weights in ``path``, mapped into memory; ``ModelError`` with llama.cpp's reason."""
    params = llama.llama_model_default_params()
    params.n_gpu_layers = config.gpu_layers
    params.use_extra_bufts = config.repack
    log.forget()
    model = llama.llama_model_load_from_file(str(path).encode(), params)
    if not model:
        raise ModelError(
            msg("llama.cpp cannot load {path}: {reason}.", path=path, reason=log.reason()),
            msg("Run `heed model check` on the file."),
        )
    return model


def load_projector(
    path: Path, model: Pointer, *, image_tokens: int, threads: int, gpu: bool, log: NativeLog
) -> Pointer:
    """The vision projector in ``path`` for ``model``; ``ModelError`` when it is broken or of another model."""
    params = mtmd.mtmd_context_params_default()
    params.use_gpu = gpu
    params.n_threads = threads
    params.print_timings = False
    params.warmup = False
    params.image_max_tokens = image_tokens
    log.forget()
    projector = mtmd.mtmd_init_from_file(str(path).encode(), model, params)
    if not projector:
        raise ModelError(
            msg("llama.cpp cannot load the vision projector {path}: {reason}.", path=path, reason=log.reason()),
            msg("Use the mmproj file published with the model."),
        )
    return projector


def apply_adapter(path: Path, model: Pointer, context: Pointer, log: NativeLog) -> None:
    """Have ``context`` add the LoRA adapter in ``path``; ``ModelError`` when it is broken or of another model."""
    log.forget()
    adapter = llama.llama_adapter_lora_init(model, str(path).encode())
    adapters = (llama.llama_adapter_lora_p_ctypes * 1)(adapter)
    if not adapter or llama.llama_set_adapters_lora(context, adapters, 1, (ctypes.c_float * 1)(1.0)):
        raise ModelError(
            msg("llama.cpp cannot load the adapter {path}: {reason}.", path=path, reason=log.reason()),
            msg("Use an adapter of this model, in GGUF."),
        )


def new_context(
    model: Pointer, config: LlamaConfig, *, threads: int, stop: StopFlag, whole_pictures: bool = False
) -> Pointer:
    """An evaluation context that asks ``stop`` whether to go on; ``ModelError`` when memory does not suffice.

    ``whole_pictures``: the tokens of a picture look at each other, so they have to be evaluated together.
    """
    flash = memory.flash_attention(config, gpu=llama.llama_supports_gpu_offload())
    params = llama.llama_context_default_params()
    params.n_ctx = config.context_tokens
    params.n_batch = config.batch_tokens
    params.n_ubatch = config.batch_tokens if whole_pictures else memory.evaluated_at_once(config, flash=flash)
    params.n_threads = params.n_threads_batch = threads
    params.n_seq_max = 1
    params.n_outputs_max = memory.MOST_OUTPUTS
    params.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_ENABLED if flash else llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.type_k = params.type_v = KV_TYPES[config.kv_type]
    params.abort_callback = stop.callback
    params.abort_callback_data = stop.data
    context = llama.llama_init_from_model(model, params)
    if not context:
        raise ModelError(
            msg(
                "There is not enough memory for a context of {context_tokens} tokens.",
                context_tokens=config.context_tokens,
            ),
            msg("Set models.llama.context_tokens lower, or models.llama.kv_type to q8_0."),
        )
    return context


def tokenize(vocabulary: Pointer, text: str, *, special: bool) -> list[int]:
    """Token ids of ``text``; only with ``special`` are control tokens recognised in it."""
    raw = text.encode()
    size = len(raw) + 8
    ids = (llama.llama_token * size)()
    count = llama.llama_tokenize(vocabulary, raw, len(raw), ids, size, False, special)
    if count < 0:
        raise ModelError(msg("The model's tokenizer refused a text."), msg("Run `heed model check` on the file."))
    return list(ids[:count])


def begin(vocabulary: Pointer) -> list[int]:
    """The token that every text of the model begins with, for the families that have one."""
    return [llama.llama_vocab_bos(vocabulary)] if llama.llama_vocab_get_add_bos(vocabulary) else []


def chat_template(model: Pointer) -> str:
    """The model's own chat template; empty when it has none."""
    raw = llama.llama_model_chat_template(model, None)
    return raw.decode("utf-8", "replace") if raw else ""
