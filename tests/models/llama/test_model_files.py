"""Model files: what is wrong with one is said in a sentence, before anything is loaded."""

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heed.errors import ModelError, UsageError
from models.config import LlamaConfig
from models.llama import memory, tiny
from models.llama.files import locate
from models.llama.header import Header, read_header
from tests.proof import examples

REUSED_FOLDER = settings(max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_a_header_tells_what_the_model_is(tiny_model: tiny.TinyModel) -> None:
    header = read_header(tiny_model.model)
    assert header.architecture == "qwen2vl"
    assert header.number("block_count") == 2
    assert header.whole
    assert header.size == header.needed
    assert read_header(tiny_model.mmproj).metadata["clip.vision.projection_dim"] == 128


@given(share=st.floats(0, 0.9999))
@REUSED_FOLDER
def test_a_cut_file_is_noticed_wherever_it_was_cut(tiny_model: tiny.TinyModel, tmp_path: Path, share: float) -> None:
    raw = tiny_model.model.read_bytes()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(raw[: int(share * len(raw))])
    with pytest.raises(ModelError):
        read_header(cut)


@given(raw=st.binary(max_size=200))
@REUSED_FOLDER
def test_no_bytes_make_reading_fail_otherwise(tmp_path: Path, raw: bytes) -> None:
    broken = tmp_path / "broken.gguf"
    for content in (raw, b"GGUF" + raw, b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + raw):
        broken.write_bytes(content)
        with pytest.raises(ModelError, match=r"broken\.gguf"):
            read_header(broken)


def config(model: Path | str, mmproj: Path | str = "", **values: object) -> LlamaConfig:
    return LlamaConfig.model_validate({"model": str(model), "mmproj": str(mmproj), **values})


def _without_template(model: Path, folder: Path) -> Path:
    """The model with the key of its template renamed."""
    changed = folder / "base.gguf"
    changed.write_bytes(model.read_bytes().replace(b"tokenizer.chat_template", b"tokenizer.fort_template"))
    return changed


def test_each_fault_has_its_sentence_and_remedy(
    tiny_model: tiny.TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tiny.build(tmp_path / "other", tiny.TextShape(embedding=256))
    text = tmp_path / "text.gguf"
    text.write_text("not a model")
    faults = {
        "No model is configured": config(""),
        "Cannot read the model file": config(tmp_path / "missing.gguf"),
        "is not a GGUF file": config(text),
        "is a vision projector, not a model": config(tiny_model.mmproj),
        "is not a vision projector": config(tiny_model.model, tiny_model.model),
        "belongs to another model": config(tiny_model.model, other.mmproj),
        "has no chat template": config(_without_template(tiny_model.model, tmp_path)),
        "was trained for 131,072 tokens": config(tiny_model.model, context_tokens=200_000),
    }
    for sentence, faulty in faults.items():
        with pytest.raises((ModelError, UsageError), match=sentence) as caught:
            locate(faulty)
        assert caught.value.remedy
    monkeypatch.setattr("models.llama.files.physical", lambda: 2_000_000)
    with pytest.raises(ModelError, match=r"needs .* MiB of memory"):
        locate(config(tiny_model.model))
    monkeypatch.setattr("models.llama.files.physical", lambda: 20_000_000)
    with pytest.raises(ModelError, match=r"context_tokens to at most \d+"):
        locate(config(tiny_model.model, context_tokens=100_000, batch_tokens=32))


def test_whole_files_that_fit_are_located(tiny_model: tiny.TinyModel) -> None:
    files = locate(config(tiny_model.model, tiny_model.mmproj))
    assert files.model == tiny_model.model
    assert files.mmproj == tiny_model.mmproj


QWEN_7B = Header(
    path="qwen.gguf",
    metadata={
        "general.architecture": "qwen2vl",
        "qwen2vl.block_count": 28,
        "qwen2vl.embedding_length": 3584,
        "qwen2vl.feed_forward_length": 18944,
        "qwen2vl.attention.head_count": 28,
        "qwen2vl.attention.head_count_kv": 4,
        "tokenizer.ggml.tokens": 152_064,
    },
    tensors=339,
    parameters=7_615_616_512,
    size=4_683_073_952,
    needed=4_683_073_952,
)


def test_the_memory_of_a_real_architecture_is_as_published() -> None:
    # 28 layers x 4 heads x 128 values x 2 (key and value) x 2 bytes = 57,344 bytes a token.
    assert memory.cached(QWEN_7B, "f16") == 57_344
    assert memory.cached(QWEN_7B, "q8_0") == 57_344 * 17 / 32
    tiled = LlamaConfig(context_tokens=16_384, flash_attention="on")
    assert memory.estimate(QWEN_7B, None, tiled).context == 57_344 * 16_384
    # Without flash attention, 128 tokens at once x 28 heads x 4 bytes more.
    assert memory.per_token(QWEN_7B, LlamaConfig()) == 57_344 + 14_336


def test_this_machine_has_memory() -> None:
    assert 0 < memory.available() <= memory.physical()
