"""What a decision costs, our way and the paper's, side by side: ``python -m bench.think``.

Random weights: nothing here says how good a decision is. Part one runs four ways on one model with the real
vocabulary and a pool file of the official size; each way in a process of its own, so that memory can be compared.
Part two compares decoding loops on a random model of at least 0.5 billion weights.
"""

import argparse
import asyncio
import json
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import kill
from pathlib import Path
from typing import Any

from function_pool.spec import Pool, default_pool, parse_pool
from heed.clock import SystemClock
from heed.errors import ModelError
from models.config import LlamaConfig, PromptConfig, SamplingConfig
from models.grammar import JsonStyle, Limits, json_answer_schema, lark
from models.llama import tiny
from models.llama.bench import Measurement, measurement
from models.llama.files import locate
from models.llama.quantize import quantize
from models.llama.trial import on_trial

POOL_SIZE = 218_000
"""Bytes of the benchmark's ``function_pool.json``."""
_FILLER = " Set what the person needs at the moment, with the app that is open; see the other functions for the rest."
CONTEXT = 81_920
"""Holds the whole pool as JSON."""
HALF_BILLION = tiny.TextShape(
    layers=24, embedding=896, feed_forward=4864, heads=14, kv_heads=2, vocabulary=tiny.REAL_VOCABULARY
)
"""The dimensions of Qwen2.5-0.5B, with an output matrix of its own: 0.63 billion weights."""


def official_sized_pool() -> tuple[Pool, str]:
    """A pool with the text of a file of the official size: our functions with longer explanations."""
    raw = {spec.name: spec.model_dump(mode="json", exclude={"scenario", "risk"}) for spec in default_pool()}
    for function in raw.values():
        for field in function["parameters"].values():
            for added in ("meaning", "minimum", "maximum"):
                field.pop(added, None)
    text = json.dumps(raw, ensure_ascii=False, indent=4)
    missing = POOL_SIZE - len(text.encode())
    for function in raw.values():
        function["description"] += _FILLER * (missing // len(raw) // len(_FILLER))
    text = json.dumps(raw, ensure_ascii=False, indent=4)
    return parse_pool(raw, "official size"), text


# --- the paper's way, in a process of its own -------------------------------------------------------------------
def stock(model: Path, mmproj: Path, decisions: int, threads: int) -> None:
    """The whole pool in every prompt, through the stock chat handler, with its own grammar."""
    import llama_cpp
    from llama_cpp.llama_chat_format import Qwen25VLChatHandler
    from llama_cpp.llama_grammar import LlamaGrammar

    pool, text = official_sized_pool()
    schema = json_answer_schema(
        pool, list(pool.functions), Limits(calls=1, sentence=60, text=40, items=2), JsonStyle(portable=True)
    )
    grammar = LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
    handler = Qwen25VLChatHandler(clip_model_path=str(mmproj), verbose=False)
    llm = llama_cpp.Llama(
        str(model), chat_handler=handler, n_ctx=CONTEXT, n_threads=threads, n_threads_batch=threads, verbose=False
    )
    for number in range(decisions):
        start = time.perf_counter()
        answer: Any = llm.create_chat_completion(
            messages=[
                {"role": "system", "content": f"You are a proactive assistant. Function pool:\n{text}"},
                {"role": "user", "content": f"Battery {15 - number} %, not charging."},
            ],
            grammar=grammar, temperature=0.0, repeat_penalty=1.0, max_tokens=400,
        )  # fmt: skip
        spent = (time.perf_counter() - start) * 1000
        usage = answer["usage"]
        row = Measurement(
            case="paper",
            evaluated=usage["prompt_tokens"],
            reused=0,
            answered=usage["completion_tokens"],
            milliseconds={"all": round(spent, 1)},
            peak_mebibytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        )
        print(row.model_dump_json(), flush=True)


def stock_rows(model: Path, mmproj: Path, decisions: int, threads: int) -> list[Measurement]:
    command = [sys.executable, "-m", "bench.think", "--stock", str(model), str(mmproj), str(decisions), str(threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [Measurement.model_validate_json(line) for line in done.stdout.splitlines() if line.startswith("{")]


# --- our way ----------------------------------------------------------------------------------------------------
async def our_rows(model: Path, mmproj: Path, decisions: int, threads: int) -> list[Measurement]:
    """Cold, warm, after a restart with the saved state, and after a kill -9."""
    config = LlamaConfig(model=str(model), mmproj=str(mmproj), context_tokens=CONTEXT, threads=threads, idle_unload=0)
    pool, _ = official_sized_pool()
    async with on_trial(locate(config), config, PromptConfig(), pool, SystemClock()) as trial:
        await trial.engine.load()
        rows = [measurement("cold", await trial.decide(15))]
        rows += [measurement("warm", await trial.decide(14 - number)) for number in range(decisions)]
        await trial.engine.close()
        await trial.engine.load()
        rows.append(measurement("restarted", await trial.decide(9)))
        pid = trial.engine.pid
        assert pid is not None
        kill(pid, signal.SIGKILL)
        start = time.perf_counter()
        try:
            await trial.decide(8)
        except ModelError as error:
            print(f"  killed: {error}")
        after = measurement("after kill -9", await trial.decide(8))
        whole = round((time.perf_counter() - start) * 1000, 1)
        rows.append(after.model_copy(update={"milliseconds": {"start": whole - after.total, **after.milliseconds}}))
    return rows


@contextmanager
def plain_kernels(llama: Any) -> Iterator[None]:
    """llama-cpp-python offers no switch for repacked weights, which crash on some machines (see `repack`)."""
    default = llama.llama_model_default_params

    def plain() -> Any:
        params = default()
        params.use_extra_bufts = False
        return params

    llama.llama_cpp.llama_model_default_params = llama.llama_model_default_params = plain
    try:
        yield
    finally:
        llama.llama_cpp.llama_model_default_params = llama.llama_model_default_params = default


# --- decoding loops ---------------------------------------------------------------------------------------------
class Loops:
    """Decoding loops on one loaded model and one thread; each gives the CPU milliseconds of one token."""

    def __init__(self, model: Path) -> None:
        import llama_cpp as llama
        from llguidance import LLMatcher
        from llguidance.llamacpp import lltokenizer_from_vocab

        from models.llama import native
        from models.llama.session import LlamaSession

        self._log, stop = native.NativeLog(), native.StopFlag()
        config = LlamaConfig(context_tokens=2048, repack=False)  # llama.cpp's own API must survive too
        loaded = native.load_model(model, config, self._log)
        context = native.new_context(loaded, config, threads=1, stop=stop)
        self._session = LlamaSession(context, batch=config.batch_tokens, stop=stop, pictures=None)
        vocabulary = llama.llama_model_get_vocab(loaded)
        self._tokenizer = lltokenizer_from_vocab(vocabulary)
        self._prompt = native.tokenize(vocabulary, "battery 15 % and not charging " * 20, special=False)
        pool = default_pool()
        grammar = lark(pool, list(pool.functions), limits=Limits(sentence=100, text=100))
        self._matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(grammar))
        with plain_kernels(llama):
            self._stock = llama.Llama(str(model), n_ctx=2048, n_threads=1, n_threads_batch=1, verbose=False)

    def unconstrained(self, count: int) -> float:
        self._session.fill(self._prompt)
        start = time.process_time()
        for _ in range(count):
            self._session.extend([int(self._session.logits().argmax())])
        return (time.process_time() - start) * 1000 / count

    def constrained(self, count: int, *, fast_forward: bool) -> float:
        from models.llama.decode import Sampler, generate

        self._session.fill(self._prompt)
        start = time.process_time()
        answer = generate(
            self._session, self._tokenizer, self._matcher.deep_copy(), Sampler(SamplingConfig()), limit=count,
            fast_forward=fast_forward,
        )  # fmt: skip
        return (time.process_time() - start) * 1000 / len(answer.tokens)

    def stock(self, count: int) -> float:
        self._stock.reset()
        self._stock.eval(self._prompt)
        start = time.process_time()
        for _ in range(count):
            self._stock.eval([self._stock.sample(temp=0.0, repeat_penalty=1.0)])
        return (time.process_time() - start) * 1000 / count


def loop_rows(model: Path, rounds: int, count: int) -> Iterator[tuple[str, float, float]]:
    """Way, median CPU milliseconds a token, and the same against the way it is compared with; rounds interleaved."""
    loops = Loops(model)
    ways: dict[str, Callable[[], float]] = {
        "llama.cpp's own API": lambda: loops.stock(count),
        "our loop, free": lambda: loops.unconstrained(count),
        "our loop, constrained": lambda: loops.constrained(count, fast_forward=False),
        "our loop, constrained, forced tokens skipped": lambda: loops.constrained(count, fast_forward=True),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, measure in ways.items():
            taken[way].append(measure())
    medians = {way: statistics.median(values) for way, values in taken.items()}
    first, free, *_ = medians.values()
    for way, value in medians.items():
        yield way, value, value / (first if way == "our loop, free" else free)


# --- output -----------------------------------------------------------------------------------------------------
def show(rows: Sequence[Measurement]) -> None:
    for row in rows:
        stages = ", ".join(f"{stage} {spent:,.0f}" for stage, spent in row.milliseconds.items() if spent >= 1)
        tokens = f"{row.evaluated:7,} evaluated {row.reused:7,} reused {row.answered:4,} answered"
        print(f"  {row.case:14} {tokens} {row.total:9,.0f} ms ({stages}) {row.peak_mebibytes:,} MiB")


def ratio(paper: Sequence[Measurement], warm: Sequence[Measurement]) -> None:
    tokens = statistics.median(row.evaluated for row in paper) / statistics.median(row.evaluated for row in warm)
    spent = statistics.median(row.total for row in paper) / statistics.median(row.total for row in warm)
    print(
        f"  warm against the paper's way: {tokens:,.0f} times fewer tokens evaluated (target 20), "
        f"{spent:,.1f} times less time (target 10)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--skip-loops", action="store_true", help="leave out the 0.6 billion weights (1.3 GB on disk)")
    parser.add_argument("--stock", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stock:
        stock(Path(given.stock[0]), Path(given.stock[1]), int(given.stock[2]), int(given.stock[3]))
        return
    with tempfile.TemporaryDirectory() as folder:
        made = tiny.build(Path(folder), tiny.TextShape(vocabulary=tiny.REAL_VOCABULARY))
        size = len(official_sized_pool()[1].encode())
        print(f"One decision with a pool file of {size:,} bytes, {given.threads} threads:")
        paper = stock_rows(made.model, made.mmproj, given.decisions, given.threads)
        show(paper)
        ours = asyncio.run(our_rows(made.model, made.mmproj, given.decisions, given.threads))
        show(ours)
        ratio(paper, [row for row in ours if row.case == "warm"])
        if given.skip_loops:
            return
        large = tiny.build(Path(folder) / "large", HALF_BILLION).model
        print(quantize(large, Path(folder) / "large-q8.gguf", "Q8_0").removeprefix(f"{folder}/"))
        print("CPU milliseconds a token, one thread, on random weights of the dimensions of Qwen2.5-0.5B, Q8_0:")
        for way, value, against in loop_rows(Path(folder) / "large-q8.gguf", given.rounds, 64):
            print(f"  {way:46} {value:7.1f} ms ({against - 1:+.1%})")


if __name__ == "__main__":
    main()
