"""The header of a GGUF file, read without loading the model: what it is, and whether it is whole.

The layout is that of ggml's ``docs/gguf.md``, version 3 (2 is the same); everything is little-endian. Long arrays
(the vocabulary) are walked over, not kept.
"""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from gguf import GGML_QUANT_SIZES, GGMLQuantizationType
from pydantic import JsonValue

from heed.errors import ModelError
from heed.messages import msg
from heed.model import Frozen

_MAGIC = b"GGUF"
_DEFAULT_ALIGNMENT = 32
_LONGEST_KEPT_ARRAY = 64
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST = 10_000_000
"""More keys, tensors or array items than this are a damaged header, not a model."""


class Header(Frozen):
    """The metadata of a GGUF file."""

    path: str
    metadata: Mapping[str, JsonValue]
    """Scalars and short arrays; of a long array its length."""
    tensors: int
    parameters: int
    """Weights in all tensors."""
    size: int
    """Bytes of the file."""
    needed: int
    """Bytes that the file must have for all of its tensors to be in it."""

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", ""))

    @property
    def whole(self) -> bool:
        return self.size >= self.needed

    def number(self, key: str, default: int = 0) -> int:
        """A number of the architecture's own section: ``block_count`` for ``qwen2vl.block_count``."""
        value = self.metadata.get(f"{self.architecture}.{key}", default)
        return int(value) if isinstance(value, int | float) else default


def read_header(path: Path) -> Header:
    """The header of ``path``; ``ModelError`` when it is missing, not a GGUF file or cut off."""
    try:
        with path.open("rb") as file:
            header = _Reader(file, path).header()
    except OSError as error:
        raise ModelError(
            msg("Cannot read the model file {path}: {strerror}.", path=path, strerror=error.strerror),
            msg("Check models.llama.model."),
        ) from error
    except (struct.error, KeyError, ValueError, OverflowError) as error:
        raise ModelError(
            msg("The model file {path} has a damaged header.", path=path), msg("Download it again.")
        ) from error
    if not header.whole:
        raise ModelError(
            msg(
                "The model file {path} is cut off: {size:,} of {needed:,} bytes are there.",
                path=path,
                size=header.size,
                needed=header.needed,
            ),
            msg("Download it again."),
        )
    return header


class _Reader:
    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path

    def header(self) -> Header:
        if self._file.read(4) != _MAGIC:
            raise ModelError(
                msg("{path} is not a GGUF file.", path=self._path),
                msg("Convert the model with llama.cpp, or choose another."),
            )
        version, tensors, keys = self._unpack("<IQQ")
        if version not in (2, 3) or tensors > _MOST or keys > _MOST:
            raise ValueError(f"version {version}, {tensors} tensors, {keys} keys")
        metadata = {self._string(): self._value(self._scalar("I")) for _ in range(keys)}
        spans = [self._tensor() for _ in range(tensors)]
        given = metadata.get("general.alignment")
        alignment = given if isinstance(given, int) and given > 0 else _DEFAULT_ALIGNMENT
        start = -(-self._file.tell() // alignment) * alignment
        return Header(
            path=str(self._path),
            metadata=metadata,
            tensors=tensors,
            parameters=sum(count for count, _ in spans),
            size=self._path.stat().st_size,
            needed=start + max((end for _, end in spans), default=0),
        )

    def _tensor(self) -> tuple[int, int]:
        """How many weights the next tensor has, and where its data ends within the data section."""
        self._string()
        count = 1
        for _ in range(self._scalar("I")):
            count *= self._scalar("Q")
        block, size = GGML_QUANT_SIZES[GGMLQuantizationType(self._scalar("I"))]
        return count, self._scalar("Q") + count // block * size

    def _value(self, kind: int) -> JsonValue:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._array()
        value: JsonValue = self._scalar(_SCALARS[kind])
        return value

    def _array(self) -> JsonValue:
        kind, count = self._unpack("<IQ")
        if count > _MOST:
            raise ValueError(f"an array of {count} items")
        if count <= _LONGEST_KEPT_ARRAY:
            return [self._value(kind) for _ in range(count)]
        if kind == _STRING:
            for _ in range(count):
                self._skip(self._scalar("Q"))
        else:
            self._skip(count * struct.calcsize(_SCALARS[kind]))
        length: int = count
        return length

    def _string(self) -> str:
        size = self._scalar("Q")
        if size > _MOST:
            raise ValueError(f"a string of {size} bytes")
        raw = self._file.read(size)
        if len(raw) < size:
            raise ValueError("the header ends within a string")
        return raw.decode("utf-8", "replace")

    def _skip(self, size: int) -> None:
        self._file.seek(size, 1)

    def _scalar(self, code: str) -> Any:
        return self._unpack(f"<{code}")[0]

    def _unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self._file.read(struct.calcsize(layout)))
