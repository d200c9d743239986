"""An adapter changes what the model says, and one that does not fit is told."""

from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter

from heed.clock import SystemClock
from heed.errors import ModelError
from models.config import LlamaConfig, SamplingConfig
from models.llama.files import locate
from models.llama.process import new_process
from models.llama.protocol import DecideOrder, DecideReply
from models.llama.tiny import TextShape, TinyModel
from models.prompt import PromptText

_RANK = 4
_ANY_TIME = 120.0


def adapter(folder: Path, architecture: str = "qwen2vl", kind: str = "adapter", strength: float = 1.0) -> Path:
    """A LoRA adapter of the first layer's value matrix, with random weights times ``strength``."""
    shape, dice = TextShape(), np.random.default_rng(1)
    path = folder / f"{architecture}-{kind}-{strength}.gguf"
    writer = GGUFWriter(path, architecture)
    writer.add_type(kind)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", _RANK)
    for name, rows, columns in (
        ("a", _RANK, shape.embedding),
        ("b", shape.head * shape.kv_heads, _RANK),
    ):
        weights = strength * dice.standard_normal((rows, columns)).astype(np.float32)
        writer.add_tensor(f"blk.0.attn_v.weight.lora_{name}", weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


async def answer(model: Path, lora: Path | None, folder: Path) -> str:
    """What the model writes freely with an adapter."""
    config = LlamaConfig(model=str(model), adapter=str(lora or ""), context_tokens=2048, threads=1)
    files = locate(config)
    process = new_process(files.model, None, config, folder / "prefixes", SystemClock(), files.adapter)

    def order(number: int, seconds: float) -> DecideOrder:
        said = (PromptText(text="the battery is low"),)
        free = "start: TEXT\nTEXT: /(?s:.{1,40})/"
        return DecideOrder(
            id=number, system="Say what is needed.", user=said, grammar=free, answer_tokens=40,
            sampling=SamplingConfig(), timeout=seconds,
        )  # fmt: skip

    try:
        reply = await process.ask(order, timeout=_ANY_TIME)
    finally:
        await process.close()
    assert isinstance(reply, DecideReply)
    return reply.text


async def test_an_adapter_changes_the_answer_and_the_kept_prefix_is_its_own(
    tiny_model: TinyModel, tmp_path: Path
) -> None:
    plain = await answer(tiny_model.model, None, tmp_path)
    nothing = await answer(tiny_model.model, adapter(tmp_path, strength=0.0), tmp_path)
    adapted = await answer(tiny_model.model, adapter(tmp_path), tmp_path)
    assert nothing == plain != adapted
    assert await answer(tiny_model.model, None, tmp_path) == plain
    assert await answer(tiny_model.model, adapter(tmp_path), tmp_path) == adapted


def test_an_adapter_that_does_not_fit_is_told(tiny_model: TinyModel, tmp_path: Path) -> None:
    for made, fault in (
        (tmp_path / "none.gguf", r"none\.gguf"),
        (adapter(tmp_path, kind="model"), "is not an adapter"),
        (adapter(tmp_path, architecture="llama"), "belongs to another model"),
    ):
        with pytest.raises(ModelError, match=fault):
            locate(LlamaConfig(model=str(tiny_model.model), adapter=str(made), context_tokens=2048))
