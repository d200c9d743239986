"""Fine-tuning, shown end to end on tiny random Qwen2.5-VL weights: ``python -m bench.tune``.

Loss falls; the engine reads the tokens that were learned from; the converted model and the converted adapter answer
like the merged model, token by token; quantized answers are valid; a training by reward goes on from there. Nothing
here says how good a real fine-tune is.

It needs the dependency group ``tune``. Where trl is missing, the proof makes an environment in ``.venv-tune``, once,
and runs in it.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from bench.environment import ROOT, Environment
from function_pool.spec import Pool, default_pool
from heed.language import Language
from models.config import LlamaConfig, PromptConfig
from training.chats.chat import Chat, ChatWriter
from training.chats.exchange import pictures
from training.chats.screens import ShownScreen, draw_screen

CONTEXT, IMAGE_TOKENS, LONGEST = 4096, 64, 120
"""Tokens of the context, of a picture and of an answer."""
_SCREEN = (112, 252)
"""Pixels of a picture: multiples of what one token shows, so that nothing is resized."""
_FUNCTIONS = ("set_alarm", "set_timer", "query_weather")
_MOMENTS: tuple[tuple[str, str, str, dict[str, object]], ...] = (
    ("7:10, rain is coming", "Look up the rain?", "query_weather", {"location": "Dublin"}),
    ("pasta is in the water", "Start nine minutes?", "set_timer", {"duration_seconds": 540}),
    ("flight at 6:00 tomorrow", "Wake you at 4:00?", "set_alarm", {"time": "04:00"}),
    ("reads a novel", "", "", {}),
    ("listens to music", "", "", {}),
    ("the alarm is set already", "", "", {}),
)


# --- what is learned from ----------------------------------------------------------------------------------------
def small_pool() -> Pool:
    """Three functions without explanations, so that prompts are short."""

    def terse(name: str) -> Any:
        spec = default_pool().get(name)
        fields = {key: field.model_copy(update={"description": ""}) for key, field in spec.parameters.items()}
        return spec.model_copy(update={"description": "", "parameters": fields})

    return Pool(functions={name: terse(name) for name in _FUNCTIONS})


def write_data(folder: Path) -> tuple[Path, Path]:
    """The file of the records, and that of the pool."""
    pool = {name: spec.model_dump(mode="json") for name, spec in small_pool().functions.items()}
    (folder / "pool.json").write_text(json.dumps(pool), "utf-8")
    records = [record for number, moment in enumerate(_MOMENTS) for record in _records(folder, number, *moment)]
    (folder / "records.json").write_text(json.dumps(records), "utf-8")
    return folder / "records.json", folder / "pool.json"


def _records(folder: Path, number: int, step: str, say: str, function: str, values: object) -> Iterator[dict[str, Any]]:
    """The moment in words, and the same seen on the screen."""
    calls = [{"name": function, "parameters": values}] if function else []
    with Image.open(BytesIO(draw_screen(ShownScreen("Notes", (step,), Language.EN)))) as image:
        image.resize(_SCREEN).save(folder / f"{number}.png")
    for kind, shown in (("text", step), ("picture", f"{number}.png")):
        yield {
            "benchmark_metadata": {"id": f"{number}-{kind}", "language": "en"},
            "reference_information": {
                "profile": "Ann",
                "phone": "2026-11-20 07:00",
                "world": "Dublin",
                "trace": [{"source": kind, kind: shown}],
            },
            "recommendation": [{"instruction": say or "No Recommendation", "function": calls}],
        }


# --- the two sides -----------------------------------------------------------------------------------------------
class Answered(NamedTuple):
    """The tokens of a prompt, as far as they are of text, and of its answer, greedily."""

    prompt: list[int]
    answer: list[int]


class TrainedSide:
    """The merged model in transformers."""

    def __init__(self, folder: Path) -> None:
        from training.tuning.base import load_base
        from training.tuning.tokens import Tokenizing

        self._base = load_base(folder, IMAGE_TOKENS)
        self._tokenizing = Tokenizing(self._base)

    def answer(self, chat: Chat) -> Answered:
        """What the model says to a chat's prompt."""
        prompt = self._tokenizing.prompt(chat.prompt)
        made = self._base.model.generate(**self._tokenizing.arguments(prompt), do_sample=False, max_new_tokens=LONGEST)[
            0
        ].tolist()
        answer = made[len(prompt.ids) :]
        picture = self._base.model.config.image_token_id
        return Answered(
            [token for token in prompt.ids if token != picture], answer[: _until(answer, self._tokenizing.end)]
        )


class EngineSide:
    """A GGUF file in heed's engine, in this process and without a grammar."""

    def __init__(self, model: Path, projector: Path, folder: Path, adapter: Path | None = None) -> None:
        import llama_cpp as llama

        from models.llama.native import StopFlag
        from models.llama.protocol import LoadOrder
        from models.llama.worker import Worker

        config = LlamaConfig(
            model=str(model), mmproj=str(projector), context_tokens=CONTEXT, image_tokens=IMAGE_TOKENS, kv_type="f32"
        )
        order = LoadOrder(
            model=str(model),
            mmproj=str(projector),
            adapter=str(adapter) if adapter else "",
            config=config,
            prefix_folder=str(folder),
        )
        self._worker = Worker(order, StopFlag())
        self._end = llama.llama_vocab_eos(self._worker._vocabulary)

    def answer(self, chat: Chat) -> Answered:
        """What the model says to a chat's prompt."""
        from models.config import SamplingConfig
        from models.llama.protocol import DecideOrder

        order = DecideOrder(
            id=1,
            system=chat.prompt.system,
            user=chat.prompt.user,
            grammar="",
            answer_tokens=LONGEST,
            sampling=SamplingConfig(),
            timeout=60,
        )
        session, entries = self._worker._session, [*self._worker._prefix(order.system), *self._worker._user(order)]
        session.clear()
        session.fill(entries)
        answer: list[int] = []
        while len(answer) < LONGEST:
            token = int(session.logits().argmax())
            if token == self._end:
                break
            answer.append(token)
            session.extend([token])
        return Answered([entry for entry in entries if isinstance(entry, int)], answer)


def _until(tokens: list[int], end: int) -> int:
    return tokens.index(end) if end in tokens else len(tokens)


# --- the proof ---------------------------------------------------------------------------------------------------
def train(module: str, base: Path, out: Path, data: tuple[Path, Path], *options: object) -> dict[str, Any]:
    """Runs a command of training; its report."""
    records, pool = data
    command = [sys.executable, "-m", module, str(base), str(out), str(records), "--pool", str(pool)]
    command += ["--held-out", "0", "--precision", "f32", "--pre-tokenizer", "qwen2", "--context", str(CONTEXT)]
    command += ["--image-tokens", str(IMAGE_TOKENS), "--importance", "4", "--evaluate", "0", *map(str, options)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, errors="replace")
    if done.returncode:
        print(done.stderr[-3000:])
        raise SystemExit(f"{module} failed")
    report: dict[str, Any] = json.loads((out / "report.json").read_text("utf-8"))
    return report


def compare(chats: tuple[Chat, ...], out: Path, base: Path, folder: Path) -> Iterator[tuple[str, bool]]:
    """Claims about the answers, and whether they hold."""
    gguf = out / "gguf"
    trained = TrainedSide(out / "merged")
    wanted = [trained.answer(chat) for chat in chats]
    learned = sum(
        trained._tokenizing.answer(chat.answer)[:-1] == made.answer for chat, made in zip(chats, wanted, strict=True)
    )
    yield f"the merged model gives {learned} of {len(chats)} learned answers", learned >= len(chats) // 3
    projector = gguf / "mmproj-f32.gguf"
    for title, model, adapter in (
        ("the converted model", gguf / "model-f32.gguf", None),
        ("the converted base with the converted adapter", base, gguf / "adapter-f32.gguf"),
    ):
        side = EngineSide(model, projector, folder, adapter)
        answers = [side.answer(chat) for chat in chats]
        same = sum(one.answer == two.answer for one, two in zip(answers, wanted, strict=True))
        read = sum(one.prompt == two.prompt for one, two in zip(answers, wanted, strict=True))
        seen = sum(bool(pictures(chat)) for chat in chats)
        yield (
            f"{title} reads the same tokens in {read} of {len(chats)} prompts ({seen} with a picture)",
            read == len(chats),
        )
        yield f"{title} answers with the same tokens in {same} of {len(chats)}", same == len(chats)


def valid(out: Path, records: Path, pool: Pool) -> Iterator[tuple[str, bool]]:
    """Whether quantized models answer validly under the grammar."""
    from training.tuning.measuring import Trial, evaluate

    trial = Trial(pool, PromptConfig(), CONTEXT, IMAGE_TOKENS)
    for kind in ("Q8_0", "Q4_K_M"):
        figures = evaluate(trial, out / "gguf" / f"model-{kind}.gguf", out / "gguf" / "mmproj-f32.gguf", records, 100)
        told = f"{kind}: {figures.all.cases - figures.faults} of {figures.all.cases} answers are valid"
        yield f"{told}, {figures.all.success_strict:.0%} are right", figures.faults == 0


def prove(folder: Path) -> Iterator[tuple[str, bool]]:
    """Every claim, and whether it holds."""
    from training.tuning.converters import Converters, engine_tree
    from training.tuning.tiny import build

    base, data, out = build(folder / "base"), write_data(folder), folder / "out"
    fit = ("--epochs", 10, "--batch", 2, "--rate", 0.004, "--rank", 16)
    report = train("training.sft", base, out, data, *fit)
    first, last = map(float, report["course"]["loss, first and last"].split(", "))
    yield f"the loss falls from {first:.2f} to {last:.2f} in {report['course']['seconds']} s", last < first / 2
    checks = [finding for findings in report["delivered"]["checks"].values() for finding in findings]
    faults = [f"{finding['name']}: {finding['detail']}" for finding in checks if not finding["ok"]]
    yield "; ".join([f"heed model check: {len(checks)} findings on two quantizations", *faults]), not faults
    chats, left_out = ChatWriter(small_pool(), PromptConfig()).write(data[0])
    yield f"{len(chats)} chats to learn from", not left_out
    whole = Converters(engine_tree(), "qwen2").model(base, folder / "base-f32.gguf", "f32")
    yield from compare(chats, out, whole, folder)
    yield from valid(out, data[0], small_pool())
    rewarded = train(
        "training.rl", out / "merged", folder / "rl", data, "--steps", 3, "--answers", 4, "--answer-tokens", LONGEST
    )
    reward = rewarded["course"]["mean reward, first and last"]
    yield f"training by reward goes on: mean reward {reward}", len(rewarded["delivered"]["checks"]) == 2


def main() -> int:
    """Prints the claims; 0 when all hold."""
    if find_spec("trl") is None:
        groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
        return Environment("tune", groups["tune"]).run("bench.tune")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    held = True
    with tempfile.TemporaryDirectory() as folder:
        for claim, holds in prove(Path(folder)):
            print(f"  {'ok' if holds else 'FAILED':6} {claim}", flush=True)
            held &= holds
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
