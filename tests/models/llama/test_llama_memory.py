"""The model process keeps its size over many decisions."""

import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from collectors.context import StoredFrame
from heed.clock import SystemClock
from models.config import LlamaConfig, SamplingConfig
from models.grammar import lark
from models.llama.process import ModelProcess, new_process
from models.llama.protocol import DecideOrder
from models.llama.tiny import TinyModel
from models.prompt import PromptImage, PromptText
from tests.models.cases import FEW, SHORT
from tests.proof import examples

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")


def resident(process: ModelProcess) -> int:
    """Pages of the process in memory."""
    assert process.pid is not None
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])


@pytest.fixture
async def process(tiny_model: TinyModel, tmp_path: Path) -> AsyncIterator[ModelProcess]:
    config = LlamaConfig(context_tokens=2048, threads=1, image_tokens=64, images_kept=4)
    made = new_process(tiny_model.model, tiny_model.mmproj, config, tmp_path / "prefixes", SystemClock())
    yield made
    await made.close()


async def test_memory_stays_within_five_percent(process: ModelProcess, picture: Callable[..., StoredFrame]) -> None:
    frames = [picture(seed) for seed in range(12)]
    names = list(FEW.functions)
    grammars = [lark(FEW, random.Random(seed).sample(names, 3), limits=SHORT) for seed in range(40)]
    count = examples(45, 500)
    settled = 0
    for number in range(count):
        frame = frames[number % len(frames)]

        def make(order: int, seconds: float, number: int = number, frame: StoredFrame = frame) -> DecideOrder:
            return DecideOrder(
                id=order,
                system="You decide.",
                user=(PromptImage(path=frame.path, sha256=frame.sha256), PromptText(text=f"moment {number}")),
                grammar=grammars[number % len(grammars)],
                answer_tokens=400,
                sampling=SamplingConfig(),
                timeout=seconds,
            )

        await process.ask(make, timeout=120)
        if number == count // 2:
            settled = resident(process)
    assert resident(process) <= settled * 1.05
