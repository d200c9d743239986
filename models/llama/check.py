"""Whether a model can be used: checks in the order in which they can fail, each with what to do."""

from collections.abc import AsyncIterator, Iterator

from function_pool.spec import Pool
from function_pool.validation import InvalidCallError, validate
from heed.clock import Clock
from heed.errors import ModelError, UsageError
from heed.model import Frozen
from models.config import LlamaConfig, PromptConfig
from models.llama.files import ModelFiles, locate
from models.llama.memory import MIB, available, need, per_token
from models.llama.protocol import Decided
from models.llama.trial import on_trial
from models.output import parse


class Finding(Frozen):
    """The outcome of one check."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


async def check(config: LlamaConfig, prompt: PromptConfig, pool: Pool, clock: Clock) -> AsyncIterator[Finding]:
    """Findings as they are made; an error ends them with one that is not ok."""
    name = "files"
    try:
        files = locate(config)
        yield Finding(name=name, ok=True, detail=_description(files))
        yield _memory(files, config)
        name = "runs"
        async with on_trial(files, config, prompt, pool, clock) as trial:
            loaded = await trial.engine.load()
            yield Finding(name="loads", ok=True, detail=f"{loaded.milliseconds:,.0f} ms")
            frames = (trial.frame(1),) if loaded.sees else ()
            decisions = [await trial.decide(moment, frames) for moment in (15, 14)]
        for finding in _findings(*decisions, prompt=prompt, pool=pool, sees=loaded.sees):
            yield finding
    except (ModelError, UsageError) as error:
        yield Finding(name=name, ok=False, detail=error.message, fix=error.remedy)


def _description(files: ModelFiles) -> str:
    header = files.header
    eyes = "with a vision projector" if files.mmproj else "without a vision projector, so it sees no screenshots"
    size = f"{header.parameters / 1e9:.2f} billion weights, {header.size / MIB:,.0f} MiB"
    return f"a chat model ({header.architecture}), {size}, {eyes}"


def _memory(files: ModelFiles, config: LlamaConfig) -> Finding:
    wanted, free = need(files.header, files.projector, config), available()
    detail = (
        f"needs about {wanted.total // MIB:,} MiB: {wanted.weights // MIB:,} for weights, "
        f"{wanted.context // MIB:,} for {config.context_tokens:,} tokens of context "
        f"({per_token(files.header, config):,.0f} bytes each), {wanted.buffers // MIB:,} for buffers; "
        f"{free // MIB:,} MiB are free"
    )
    enough = wanted.total <= free
    fix = "Lower models.llama.context_tokens, set models.llama.kv_type to q8_0, or choose a smaller model."
    return Finding(name="memory", ok=enough, detail=detail, fix="" if enough else fix)


def _findings(first: Decided, second: Decided, *, prompt: PromptConfig, pool: Pool, sees: bool) -> Iterator[Finding]:
    if sees:
        once, again = first.milliseconds["encode"], second.milliseconds["encode"]
        seen = f"a screenshot takes {once:,.0f} ms to encode once, and {again:,.0f} ms when it is shown again"
        yield Finding(name="sees", ok=first.pictures_encoded == 1 and second.pictures_encoded == 0, detail=seen)
    yield _answers(first, prompt, pool)
    kept = f"{second.tokens_reused:,} of {second.prompt_tokens:,} tokens of the second prompt were there already"
    yield Finding(name="reuses", ok=second.tokens_reused > first.prompt_tokens // 2, detail=kept)
    prefill = first.tokens_evaluated / first.milliseconds["prefill"] * 1000
    decode = second.answer_tokens / second.milliseconds["decode"] * 1000
    speed = f"reads {prefill:,.0f} and writes {decode:,.0f} tokens a second; {second.peak_memory // 1024:,} MiB at most"
    yield Finding(name="speed", ok=True, detail=speed)


def _answers(decided: Decided, prompt: PromptConfig, pool: Pool) -> Finding:
    """Whether the answer holds to the format; what it says is not judged."""
    if not decided.finished:
        detail = f"did not end within {decided.answer_tokens} tokens, which counts as silence"
        return Finding(name="answers", ok=True, detail=detail)
    try:
        calls = [validate(pool, call) for call in parse(decided.text, prompt.format).calls]
    except (ModelError, InvalidCallError) as error:
        return Finding(name="answers", ok=False, detail=error.message, fix="Please report this: it cannot happen.")
    return Finding(name="answers", ok=True, detail=f"calls {', '.join(call.name for call in calls) or 'nothing'}")
