"""Evaluation of prompts with a cache: only what differs from the last prompt is evaluated.

The cache of a decision is the list of its entries, tokens and pictures. The next prompt keeps the longest common
prefix of entries and evaluates the rest. Tokens and positions are counted apart: under M-RoPE a picture of many
tokens takes few positions.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import llama_cpp as llama
import numpy as np
import numpy.typing as npt

from heed.errors import HeedError, ModelError, PromptTooLongError
from heed.messages import msg
from models.llama.images import Picture, PictureEncoder
from models.llama.native import Pointer, StopFlag

Entry = int | Picture
"""A token, or one picture."""

_WARM_UP = 32
"""Tokens; llama.cpp's matrix kernels are not used below a few."""


class Stopped(HeedError):
    """The stop flag was set during an evaluation."""


@dataclass
class Usage:
    """The cost of evaluating a prompt."""

    reused: int = 0
    evaluated: int = 0


def positions(entries: Sequence[Entry]) -> int:
    return sum(1 if isinstance(entry, int) else entry.positions for entry in entries)


def tokens(entries: Sequence[Entry]) -> int:
    return sum(1 if isinstance(entry, int) else entry.tokens for entry in entries)


def common_prefix(first: Sequence[Entry], second: Sequence[Entry]) -> int:
    """How many entries the two begin with alike."""
    for place, (left, right) in enumerate(zip(first, second, strict=False)):
        if left != right:
            return place
    return min(len(first), len(second))


class LlamaSession:
    """The evaluation of prompts on one context. Not thread-safe, but for the stop flag."""

    def __init__(self, context: Pointer, *, batch: int, stop: StopFlag, pictures: PictureEncoder | None) -> None:
        self.context = context
        self.entries: list[Entry] = []
        self._position = 0
        """Where the next entry goes: ``positions(self.entries)``."""
        self.size: int = llama.llama_n_ctx(context)
        self._memory = llama.llama_get_memory(context)
        self._vocabulary_size: int = llama.llama_vocab_n_tokens(
            llama.llama_model_get_vocab(llama.llama_get_model(context))
        )
        self._stop = stop
        self._pictures = pictures
        self._batch = _Batch(batch)

    def warm_up(self) -> None:
        """Evaluate something: pages come in, and what crashes on this machine crashes now."""
        self.fill([0] * min(_WARM_UP, self.size))
        self.clear()

    def fill(self, entries: Sequence[Entry], *, reserve: int = 0) -> Usage:
        """Make the cache hold ``entries``, with the logits after the last of them ready.

        Raises ``PromptTooLongError`` when they and ``reserve`` more tokens do not fit, ``Stopped`` when told to stop;
        the cache then holds a prefix of ``entries`` and is as good as before.
        """
        wanted = tokens(entries)
        if wanted + reserve > self.size:
            raise PromptTooLongError(
                msg(
                    "The prompt has {wanted} tokens and its answer up to {reserve}; the context holds {size}.",
                    wanted=wanted,
                    reserve=reserve,
                    size=self.size,
                ),
                msg("Set models.llama.context_tokens higher, or models.llama.image_tokens lower."),
            )
        kept = min(common_prefix(self.entries, entries), len(entries) - 1)  # the last one gives the logits
        self._truncate(kept)
        kept = len(self.entries)
        usage = Usage(reused=tokens(entries[:kept]), evaluated=tokens(entries[kept:]))
        try:
            self._evaluate(entries[kept:])
        except HeedError:
            self._truncate(len(self.entries))  # drop what a half-done batch has left behind
            raise
        return usage

    def extend(self, ids: Sequence[int], wanted: Sequence[int] = ()) -> None:
        """Evaluate tokens after what the cache holds; logits are kept for the last and for the places ``wanted``."""
        for start in range(0, len(ids), self._batch.size):
            part = ids[start : start + self._batch.size]
            last = start + len(part) == len(ids)
            places = [place - start for place in wanted if start <= place < start + len(part)]
            kept = [*places, len(part) - 1] if last else places
            self._check(llama.llama_decode(self.context, self._batch.of_tokens(part, self._position, kept)))
            self._add(part, len(part))

    def logits(self, place: int = -1) -> npt.NDArray[np.float32]:
        """Logits after a token of the last batch; a view that the next evaluation overwrites."""
        pointer = llama.llama_get_logits_ith(self.context, place)
        return np.ctypeslib.as_array(pointer, shape=(self._vocabulary_size,))

    def save(self, path: Path) -> int:
        """Write the cache, tokens only, to ``path``; the size in bytes, 0 on failure."""
        ids = [entry for entry in self.entries if isinstance(entry, int)]
        array = (llama.llama_token * len(ids))(*ids)
        return int(llama.llama_state_seq_save_file(self.context, str(path).encode(), 0, array, len(ids)))

    def restore(self, path: Path, entries: Sequence[int]) -> bool:
        """Fill the cache from a file that ``save`` wrote for ``entries``. A damaged file ends the process."""
        self.clear()
        count = ctypes.c_size_t()
        array = (llama.llama_token * self.size)()
        read = llama.llama_state_seq_load_file(
            self.context, str(path).encode(), 0, array, self.size, ctypes.byref(count)
        )
        if not read or list(array[: count.value]) != list(entries):
            self.clear()
            return False
        self._add(entries, len(entries))
        return True

    def clear(self) -> None:
        """Forget everything that was evaluated."""
        llama.llama_memory_clear(self._memory, True)
        self.entries = []
        self._position = 0

    def _add(self, entries: Sequence[Entry], taken: int) -> None:
        self.entries += entries
        self._position += taken

    def _truncate(self, kept: int) -> None:
        self.entries = self.entries[:kept]
        self._position = positions(self.entries)
        if not llama.llama_memory_seq_rm(self._memory, 0, self._position, -1):
            self.clear()  # recurrent memories cannot forget a part

    def _evaluate(self, entries: Sequence[Entry]) -> None:
        pending: list[int] = []
        for entry in entries:
            if isinstance(entry, int):
                pending.append(entry)
                continue
            self.extend(pending)
            pending = []
            self._see(entry)
        self.extend(pending)

    def _see(self, picture: Picture) -> None:
        if self._pictures is None:
            raise ModelError(msg("The model sees no pictures."), msg("Set models.llama.mmproj."))
        if self._stop.is_set:
            raise Stopped
        self._check(self._pictures.decode(self.context, picture, self._position, self._batch.size))
        self._add([picture], picture.positions)

    def _check(self, code: int) -> None:
        """Translate a return code of ``llama_decode``: 0 done, 1 no room, 2 stopped, negative a failure."""
        if code == 2 or (code and self._stop.is_set):
            raise Stopped
        if code:
            raise ModelError(
                msg("llama.cpp could not evaluate the prompt (code {code}).", code=code),
                msg("Try again with a smaller one."),
            )


class _Batch:
    """A reusable batch of tokens of one sequence."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._batch = llama.llama_batch_init(size, 0, 1)
        self._token = np.ctypeslib.as_array(self._batch.token, (size,))
        self._pos = np.ctypeslib.as_array(self._batch.pos, (size,))
        self._logits = np.ctypeslib.as_array(self._batch.logits, (size,))
        for place in range(size):
            self._batch.n_seq_id[place] = 1
            self._batch.seq_id[place][0] = 0

    def of_tokens(self, ids: Sequence[int], position: int, logits: Sequence[int]) -> Pointer:
        count = len(ids)
        self._batch.n_tokens = count
        self._token[:count] = ids
        self._pos[:count] = np.arange(position, position + count)
        self._logits[:count] = 0
        self._logits[list(logits)] = 1
        return self._batch
