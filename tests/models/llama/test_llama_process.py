"""The model process dies in every way it can; the daemon's side says so in one sentence and goes on."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from heed.clock import ManualClock, SystemClock
from heed.errors import ModelError
from models.config import LlamaConfig, SamplingConfig
from models.grammar import lark
from models.llama import tiny
from models.llama.process import ModelProcess, ProcessEnded, _Child, new_process
from models.llama.protocol import DecideOrder, DecideReply, LoadOrder, WarmOrder, WarmReply
from models.llama.quantize import quantize
from models.llama.tiny import TinyModel
from models.prompt import PromptText
from tests.models.cases import FEW, NOW, SHORT

GRAMMAR = lark(FEW, list(FEW.functions), limits=SHORT)
ANY_TIME = 60.0


def decide(words: str = "hello", answer_tokens: int = 400) -> Callable[[int, float], DecideOrder]:
    def make(number: int, seconds: float) -> DecideOrder:
        return DecideOrder(
            id=number,
            system="You decide.",
            user=(PromptText(text=words),),
            grammar=GRAMMAR,
            answer_tokens=answer_tokens,
            sampling=SamplingConfig(),
            timeout=seconds,
        )

    return make


async def answer(process: ModelProcess, words: str = "hello", timeout: float = ANY_TIME) -> str:
    reply = await process.ask(decide(words), timeout=timeout)
    assert isinstance(reply, DecideReply)
    return reply.text


@pytest.fixture
async def start(tiny_model: TinyModel, tmp_path: Path) -> AsyncIterator[Callable[..., ModelProcess]]:
    """Makes processes of the tiny model and ends them."""
    made: list[ModelProcess] = []

    def make(
        model: Path = tiny_model.model, *, clock: SystemClock | ManualClock | None = None, **options: object
    ) -> ModelProcess:
        config = LlamaConfig.model_validate(
            {"context_tokens": 4096, "threads": 1, "cancel_grace": 20.0, **options},
        )
        process = new_process(model, None, config, tmp_path / "prefixes", clock or SystemClock())
        made.append(process)
        return process

    yield make
    for process in made:
        await process.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
async def test_the_decision_after_a_death_is_as_the_one_before(
    start: Callable[..., ModelProcess], how: signal.Signals
) -> None:
    process = start()
    before = await answer(process)
    assert process.pid is not None
    os.kill(process.pid, how)
    with pytest.raises(ProcessEnded, match=how.name):
        await answer(process)
    assert await answer(process) == before


async def test_a_quantized_model_decides_whatever_the_processor(
    tmp_path: Path, start: Callable[..., ModelProcess]
) -> None:
    wide = tiny.build(tmp_path, tiny.TextShape(embedding=256, feed_forward=512))
    quantize(wide.model, tmp_path / "q8.gguf", "Q8_0")
    assert await answer(start(tmp_path / "q8.gguf"))


async def test_a_crash_of_special_kernels_is_answered_by_doing_without(
    start: Callable[..., ModelProcess], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    spawn = _Child.spawn
    repacking: list[bool] = []

    async def crashing_first(load: LoadOrder) -> _Child:
        child = await spawn(load)
        repacking.append(load.config.repack)
        if load.config.repack:
            os.kill(child.pid, signal.SIGSEGV)
        return child

    monkeypatch.setattr(_Child, "spawn", crashing_first)
    process = start()
    assert await answer(process)
    await process.close()
    assert await answer(process)
    assert repacking == [True, False, False]
    assert "without" in caplog.text


async def test_a_process_that_hangs_is_ended_and_replaced(start: Callable[..., ModelProcess]) -> None:
    process = start(cancel_grace=0.5)
    before = await answer(process)
    hung = process.pid
    assert hung is not None
    os.kill(hung, signal.SIGSTOP)
    with pytest.raises(ModelError, match="did not answer"):
        await answer(process, timeout=0.5)
    assert await answer(process) == before
    assert process.pid != hung


async def test_a_decision_out_of_time_stops_and_the_process_lives(start: Callable[..., ModelProcess]) -> None:
    process = start()
    before = await answer(process)
    first = process.pid
    with pytest.raises(ModelError, match="did not answer within"):
        await process.ask(decide("long " * 1200), timeout=0.01)
    assert await answer(process) == before
    assert process.pid == first


async def test_loading_goes_on_when_a_decision_cannot_wait_for_it(start: Callable[..., ModelProcess]) -> None:
    process = start()
    with pytest.raises(ModelError, match="still being loaded"):
        await answer(process, timeout=0.02)
    assert await answer(process)


async def test_closing_while_the_model_loads_leaves_no_process(start: Callable[..., ModelProcess]) -> None:
    process = start()
    with pytest.raises(ModelError, match="still being loaded"):
        await answer(process, timeout=0.02)
    await process.close()
    assert process.pid is None


async def test_cancelling_the_caller_stops_the_model(start: Callable[..., ModelProcess]) -> None:
    process = start()
    before = await answer(process)
    first = process.pid
    asking = asyncio.create_task(answer(process, "long " * 1200))
    await asyncio.sleep(0.02)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await answer(process) == before
    assert process.pid == first


async def test_callers_take_turns(start: Callable[..., ModelProcess]) -> None:
    process = start()
    words = [f"moment {number}" for number in range(4)]
    together = await asyncio.gather(*(answer(process, word) for word in words))
    assert together == [await answer(process, word) for word in words]


async def test_a_process_that_keeps_crashing_is_left_alone_for_a_while(start: Callable[..., ModelProcess]) -> None:
    clock = ManualClock(NOW)
    process = start(clock=clock)
    for _ in range(2):
        await process.start()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ProcessEnded):
            await answer(process)
    with pytest.raises(ModelError, match="2 times in a row"):
        await answer(process)
    clock.advance(1.0)
    assert await answer(process)


async def test_an_idle_model_leaves_memory_and_comes_back(start: Callable[..., ModelProcess]) -> None:
    process = start(idle_unload=0.05)
    before = await answer(process)
    async with asyncio.timeout(ANY_TIME):
        while process.pid is not None:  # noqa: ASYNC110  there is no event: the process is only gone
            await asyncio.sleep(0.05)
    assert await answer(process) == before


async def test_the_memory_limit_ends_the_process_and_says_what_to_lower(start: Callable[..., ModelProcess]) -> None:
    process = start(memory_limit=150, context_tokens=1_000_000)
    with pytest.raises(ModelError, match="memory"):
        await answer(process)


async def test_a_restart_restores_the_evaluated_prefix(start: Callable[..., ModelProcess]) -> None:
    def warm(number: int, seconds: float) -> WarmOrder:
        return WarmOrder(id=number, system="You decide. " * 50, timeout=seconds)

    sources = []
    for _ in range(2):
        process = start()
        for _ in range(2):
            reply = await process.ask(warm, timeout=ANY_TIME)
            assert isinstance(reply, WarmReply)
            sources.append(reply.source)
        await process.close()
    assert sources == ["evaluated", "cache", "file", "cache"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "no manifest", "manifest of another"])
async def test_a_damaged_prefix_file_is_not_loaded(
    start: Callable[..., ModelProcess], tmp_path: Path, damage: str
) -> None:
    process = start()
    before = await answer(process)
    await process.close()
    (state,) = (tmp_path / "prefixes").glob("*.state")
    raw = state.read_bytes()
    manifest = state.with_suffix(".json")
    match damage:
        case "cut":
            state.write_bytes(raw[: len(raw) // 2])
        case "flipped":
            state.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
        case "no manifest":
            manifest.unlink()
        case _:
            manifest.write_text('{"sha256": "0"}')
    assert await answer(start()) == before


async def test_a_prompt_that_does_not_fit_says_which_setting_to_change(start: Callable[..., ModelProcess]) -> None:
    process = start(context_tokens=512)
    with pytest.raises(ModelError, match=r"context holds 512.*context_tokens higher"):
        await answer(process, "word " * 2000)
    assert await process.ask(decide("hi", answer_tokens=100), timeout=ANY_TIME)


async def test_closing_twice_is_fine_and_ends_the_process(start: Callable[..., ModelProcess]) -> None:
    process = start()
    await process.start()
    pid = process.pid
    assert pid is not None
    await process.close()
    await process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_an_answer_longer_than_its_bound_is_unfinished(start: Callable[..., ModelProcess]) -> None:
    reply = await start().ask(decide(answer_tokens=16), timeout=ANY_TIME)
    assert isinstance(reply, DecideReply)
    assert not reply.finished
