"""Pictures: read, split into the model's chunks, encoded once and kept by content."""

import ctypes
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import llama_cpp as llama
import numpy as np
import numpy.typing as npt
from llama_cpp import mtmd_cpp as mtmd
from PIL import Image

from heed.errors import ModelError
from heed.messages import msg
from models.llama.native import Pointer


class _Chunk:
    """The grid of tokens that llama.cpp needs to place a picture's embeddings, without the pixels."""

    def __init__(self, source: Pointer) -> None:
        self.pointer = mtmd.mtmd_input_chunk_get_placeholder(source)

    def __del__(self) -> None:
        mtmd.mtmd_input_chunk_free(self.pointer)


@dataclass(frozen=True)
class Picture:
    """One chunk of a screenshot (most models make one of each): equal when the content is."""

    sha256: str
    part: int
    tokens: int
    positions: int
    chunk: _Chunk = field(compare=False, repr=False)
    embedding: npt.NDArray[np.float32] = field(compare=False, repr=False)


class PictureEncoder:
    """Encodes screenshots with a vision projector; the last ``kept`` stay in memory."""

    def __init__(self, projector: Pointer, model: Pointer, kept: int) -> None:
        self._projector = projector
        self._width: int = llama.llama_model_n_embd_inp(model)
        self._kept = kept
        self._encoded: OrderedDict[str, tuple[int | Picture, ...]] = OrderedDict()
        self.whole: bool = mtmd.mtmd_decode_use_non_causal(projector, None)
        """Whether the tokens of a picture have to be evaluated together."""
        self.encodings = 0
        """How many screenshots were encoded so far."""

    def entries(self, path: Path, sha256: str) -> tuple[int | Picture, ...]:
        """The screenshot as cache entries: its chunks and the marks that the model's family puts around them.

        Raises ``ModelError`` when ``path`` is not a picture.
        """
        if sha256 not in self._encoded:
            self._encoded[sha256] = tuple(self._encode(path, sha256))
            self.encodings += 1
        self._encoded.move_to_end(sha256)
        while len(self._encoded) > self._kept:
            self._encoded.popitem(last=False)
        return self._encoded[sha256]

    def decode(self, context: Pointer, picture: Picture, position: int, batch: int) -> int:
        """Evaluate a picture's embeddings at ``position``; the return code of ``llama_decode``."""
        after = llama.llama_pos(0)
        embedding = picture.embedding.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        code = mtmd.mtmd_helper_decode_image_chunk(
            self._projector, context, picture.chunk.pointer, embedding, position, 0, batch, ctypes.byref(after),
            mtmd.mtmd_helper_post_decode_callback(), None,
        )  # fmt: skip
        return int(code)

    def _encode(self, path: Path, sha256: str) -> Iterator[int | Picture]:
        chunks = self._chunks(_bitmap(path))
        try:
            for place in range(mtmd.mtmd_input_chunks_size(chunks)):
                chunk = mtmd.mtmd_input_chunks_get(chunks, place)
                if mtmd.mtmd_input_chunk_get_type(chunk) == mtmd.MTMD_INPUT_CHUNK_TYPE_TEXT:
                    yield from _text_tokens(chunk)
                else:
                    yield self._picture(chunk, sha256, place)
        finally:
            mtmd.mtmd_input_chunks_free(chunks)

    def _chunks(self, bitmap: Pointer) -> Pointer:
        """Ownership of ``bitmap`` ends here."""
        part = mtmd.mtmd_input_part(text=None, bitmap=bitmap)
        parts = (ctypes.POINTER(mtmd.mtmd_input_part) * 1)(ctypes.pointer(part))
        chunks = mtmd.mtmd_input_chunks_init()
        code = mtmd.mtmd_tokenize_from_parts(self._projector, chunks, parts, 1, False)
        mtmd.mtmd_bitmap_free(bitmap)
        if code:
            mtmd.mtmd_input_chunks_free(chunks)
            raise ModelError(
                msg("The vision projector refused a screenshot (code {code}).", code=code),
                msg("Is it a very small picture?"),
            )
        return chunks

    def _picture(self, chunk: Pointer, sha256: str, part: int) -> Picture:
        if code := mtmd.mtmd_encode_chunk(self._projector, chunk):
            raise ModelError(msg("The vision projector could not encode a screenshot (code {code}).", code=code))
        count = mtmd.mtmd_input_chunk_get_n_tokens(chunk)
        output = mtmd.mtmd_get_output_embd(self._projector)
        embedding = np.ctypeslib.as_array(output, shape=(count * self._width,)).copy()
        return Picture(sha256, part, count, mtmd.mtmd_input_chunk_get_n_pos(chunk), _Chunk(chunk), embedding)


def _bitmap(path: Path) -> Pointer:
    try:
        with Image.open(path) as image:
            pixels = image.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ModelError(
            msg("The screenshot {path} is not a picture: {error}.", path=path, error=error), msg("Delete the file.")
        ) from error
    raw = pixels.tobytes()
    buffer = (ctypes.c_uint8 * len(raw)).from_buffer_copy(raw)
    return mtmd.mtmd_bitmap_init(pixels.width, pixels.height, buffer)


def _text_tokens(chunk: Pointer) -> list[int]:
    count = ctypes.c_size_t()
    ids = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
    return list(ids[: count.value])
