"""A random-weight model of the real architecture (Qwen2.5-VL) with its vision projector, as two GGUF files.

It says nothing sensible, but every line of the engine runs on it as on a real one: tests, ``heed model tiny``
and the benchmarks use it. Tensor names and metadata keys are those that llama.cpp's ``qwen2vl`` and
``qwen2.5vl_merger`` loaders ask for; needs gguf and numpy only.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise, product
from pathlib import Path
from typing import NamedTuple

import gguf
import numpy as np
import numpy.typing as npt
from pydantic import Field

from function_pool.spec import default_pool
from heed.model import Frozen
from models.prompt.pool_text import as_json, compact

REAL_VOCABULARY = 151_936
"""Rows of the token table of every Qwen2.5 model."""

CONTROL_TOKENS = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>",
    "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>",
    "<|image_pad|>", "<|video_pad|>",
)  # fmt: skip
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_FEW_MERGES, _MANY_MERGES = 400, 2000
"""Learnt from the pool's texts: in a small vocabulary, and in one of the real size."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MEAN, _STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
"""Normalisation of CLIP's pixels, as Qwen2.5-VL's projector files carry it."""

Array = npt.NDArray[np.float16] | npt.NDArray[np.float32]


class TextShape(Frozen):
    """Dimensions of the language model; the default is the smallest that exercises every tensor."""

    layers: int = 2
    embedding: int = Field(default=128, description="multiple of 8 x heads; 256 or more to quantize to Q4_K")
    feed_forward: int = 256
    heads: int = 4
    kv_heads: int = 2
    vocabulary: int = Field(default=0, description="rows of the token table; 0 = bytes and the words of the pool")
    context: int = 131_072
    full_precision: bool = Field(default=False, description="whether weights are stored in 32 bits rather than 16")

    @property
    def head(self) -> int:
        return self.embedding // self.heads


class VisionShape(Frozen):
    """Dimensions of the vision encoder; patches are 14 pixels and merge two by two."""

    layers: int = 2
    embedding: int = 64
    feed_forward: int = 128
    heads: int = 2
    patch: int = 14


class TinyModel(NamedTuple):
    """The two files of a model."""

    model: Path
    mmproj: Path


def build(folder: Path, text: TextShape | None = None, vision: VisionShape | None = None, seed: int = 0) -> TinyModel:
    """Write ``tiny.gguf`` and ``tiny-mmproj.gguf`` into ``folder``; the same seed gives the same bytes."""
    text, vision = text or TextShape(), vision or VisionShape()
    folder.mkdir(parents=True, exist_ok=True)
    files = TinyModel(folder / "tiny.gguf", folder / "tiny-mmproj.gguf")
    _write_text(files.model, text, np.random.default_rng(seed))
    _write_vision(files.mmproj, vision, text.embedding, np.random.default_rng(seed + 1))
    return files


class _Vocabulary(NamedTuple):
    tokens: list[str]
    types: list[int]
    merges: list[str]

    def id(self, token: str) -> int:
        return self.tokens.index(token)


def _byte_characters() -> dict[int, str]:
    """The printable character that stands for each byte in a byte-level BPE vocabulary (GPT-2's table)."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(others)}


def _learnt_merges(characters: dict[int, str], count: int) -> Iterator[tuple[str, str]]:
    """Byte-pair merges learnt from the pool as models read it, words and punctuation apart (Qwen2's way)."""
    text = compact(default_pool()) + as_json(default_pool())
    counts = Counter(re.findall(r"[^\r\n\w]?[A-Za-z]+| ?[^\s\w]+", text))
    words = {word: [characters[byte] for byte in word.encode()] for word in counts}
    pairs: Counter[tuple[str, str]] = Counter()
    for word, pieces in words.items():
        _count(pairs, pieces, counts[word])
    for _ in range(count):
        left, right = max(pairs, key=pairs.__getitem__)
        yield left, right
        for word, pieces in words.items():
            if left in pieces:
                _count(pairs, pieces, -counts[word])
                _merge(pieces, left, right)
                _count(pairs, pieces, counts[word])
        del pairs[left, right]


def _count(pairs: Counter[tuple[str, str]], pieces: list[str], times: int) -> None:
    for pair in pairwise(pieces):
        pairs[pair] += times


def _merge(pieces: list[str], left: str, right: str) -> None:
    """Join each ``left`` with the ``right`` that follows it, in place."""
    for place in range(len(pieces) - 2, -1, -1):
        if pieces[place] == left and pieces[place + 1 : place + 2] == [right]:
            pieces[place : place + 2] = [left + right]


def _bulk_merges(characters: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Merges without end to speak of: runs of spaces, Chinese characters, letter pairs, pairs of letter pairs."""
    space = characters[ord(" ")]
    for size in (1, 2, 4, 8):
        yield space * size, space * size
    for code in range(0x4E00, 0x9FA6):
        first, second, third = (characters[byte] for byte in chr(code).encode())
        yield first, second
        yield first + second, third
    yield from product(_LETTERS, repeat=2)
    pairs = ["".join(pair) for pair in product(_LETTERS, repeat=2)]
    yield from product(pairs, repeat=2)


def _vocabulary(size: int) -> _Vocabulary:
    characters = _byte_characters()
    tokens = dict.fromkeys(characters[byte] for byte in range(256))
    merges: dict[tuple[str, str], None] = {}

    def add(pairs: Iterable[tuple[str, str]]) -> None:
        for left, right in pairs:
            if left + right not in tokens:
                tokens[left + right] = None
                merges[left, right] = None

    add(_learnt_merges(characters, _MANY_MERGES if size else _FEW_MERGES))
    if wanted := max(0, size - len(CONTROL_TOKENS) - len(tokens)):
        fresh = (pair for pair in _bulk_merges(characters) if "".join(pair) not in tokens)
        add(islice(dict.fromkeys(fresh), wanted))
    types = [int(gguf.TokenType.NORMAL)] * len(tokens) + [int(gguf.TokenType.CONTROL)] * len(CONTROL_TOKENS)
    return _Vocabulary([*tokens, *CONTROL_TOKENS], types, [" ".join(pair) for pair in merges])


def _matrix(rng: np.random.Generator, *shape: int) -> Array:
    values = rng.standard_normal(shape, dtype=np.float32) / np.sqrt(np.float32(np.prod(shape[1:])))
    return np.asarray(values, np.float16)


def _vector(rng: np.random.Generator, size: int) -> Array:
    return (rng.standard_normal(size) * 0.02).astype(np.float32)


def _ones(size: int) -> Array:
    return np.ones(size, np.float32)


def _write_text(path: Path, shape: TextShape, rng: np.random.Generator) -> None:
    vocabulary = _vocabulary(shape.vocabulary)
    writer = gguf.GGUFWriter(path, "qwen2vl")
    writer.add_name("tiny random-weight Qwen2.5-VL")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.embedding)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_sections(_rope_sections(shape.head))
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    _add_tokenizer(writer, vocabulary)
    for name, tensor in _text_tensors(shape, len(vocabulary.tokens), rng):
        writer.add_tensor(name, tensor.astype(np.float32) if shape.full_precision else tensor)
    _finish(writer)


def _rope_sections(head: int) -> list[int]:
    """How many rotary pairs go to time, height and width: 16, 24, 24 of 64 in the real model."""
    time = head // 8
    height = (head // 2 - time) // 2
    return [time, height, head // 2 - time - height, 0]


def _add_tokenizer(writer: gguf.GGUFWriter, vocabulary: _Vocabulary) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(vocabulary.tokens)
    writer.add_token_types(vocabulary.types)
    writer.add_token_merges(vocabulary.merges)
    writer.add_bos_token_id(vocabulary.id("<|endoftext|>"))
    writer.add_eos_token_id(vocabulary.id("<|im_end|>"))
    writer.add_pad_token_id(vocabulary.id("<|endoftext|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


def _text_tensors(shape: TextShape, tokens: int, rng: np.random.Generator) -> Iterator[tuple[str, Array]]:
    width, kv = shape.embedding, shape.head * shape.kv_heads
    yield "token_embd.weight", rng.standard_normal((tokens, width), dtype=np.float32).astype(np.float16)
    yield "output_norm.weight", _ones(width)
    yield "output.weight", _matrix(rng, tokens, width)
    for block in (f"blk.{index}." for index in range(shape.layers)):
        yield block + "attn_norm.weight", _ones(width)
        yield block + "ffn_norm.weight", _ones(width)
        for name, rows in (("q", width), ("k", kv), ("v", kv)):
            yield block + f"attn_{name}.weight", _matrix(rng, rows, width)
            yield block + f"attn_{name}.bias", _vector(rng, rows)
        yield block + "attn_output.weight", _matrix(rng, width, width)
        yield block + "ffn_gate.weight", _matrix(rng, shape.feed_forward, width)
        yield block + "ffn_up.weight", _matrix(rng, shape.feed_forward, width)
        yield block + "ffn_down.weight", _matrix(rng, width, shape.feed_forward)


def _write_vision(path: Path, shape: VisionShape, projection: int, rng: np.random.Generator) -> None:
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.projector_type", "qwen2.5vl_merger")
    writer.add_bool("clip.use_silu", True)
    for key, value in {
        "image_size": 560,
        "patch_size": shape.patch,
        "embedding_length": shape.embedding,
        "feed_forward_length": shape.feed_forward,
        "block_count": shape.layers,
        "projection_dim": projection,
        "n_wa_pattern": shape.layers,
        "spatial_merge_size": 2,
        "attention.head_count": shape.heads,
    }.items():
        writer.add_uint32(f"clip.vision.{key}", value)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-6)
    writer.add_array("clip.vision.image_mean", _MEAN)
    writer.add_array("clip.vision.image_std", _STD)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    for name, tensor in _vision_tensors(shape, projection, rng):
        writer.add_tensor(name, tensor)
    _finish(writer)


def _vision_tensors(shape: VisionShape, projection: int, rng: np.random.Generator) -> Iterator[tuple[str, Array]]:
    width, merged = shape.embedding, 4 * shape.embedding
    linears = [("attn_q", width, width), ("attn_k", width, width), ("attn_v", width, width), ("attn_out", width, width)]
    linears += [("ffn_gate", shape.feed_forward, width), ("ffn_up", shape.feed_forward, width)]
    linears += [("ffn_down", width, shape.feed_forward)]
    yield "v.patch_embd.weight", _matrix(rng, width, 3, shape.patch, shape.patch)
    yield "v.patch_embd.weight.1", _matrix(rng, width, 3, shape.patch, shape.patch)
    yield "v.post_ln.weight", _ones(width)
    for block in (f"v.blk.{index}." for index in range(shape.layers)):
        yield block + "ln1.weight", _ones(width)
        yield block + "ln2.weight", _ones(width)
        for name, rows, columns in linears:
            yield block + name + ".weight", _matrix(rng, rows, columns)
            yield block + name + ".bias", _vector(rng, rows)
    for name, rows in (("mm.0", merged), ("mm.2", projection)):
        yield name + ".weight", _matrix(rng, rows, merged)
        yield name + ".bias", _vector(rng, rows)


def _finish(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
