"""Whether a model can be used: checks in the order in which they can fail, each with what to do."""

import math
from collections.abc import AsyncIterator, Iterator

from function_pool.spec import Pool
from function_pool.validation import InvalidCallError, validate
from heed.clock import Clock
from heed.errors import ModelError, UsageError
from heed.messages import Text, msg
from heed.model import Frozen
from models.config import LlamaConfig, PromptConfig
from models.factory import other_pool
from models.llama.files import ModelFiles, locate
from models.llama.memory import MIB, available, estimate, per_token
from models.llama.protocol import DecideReply
from models.llama.trial import on_trial
from models.output import parse


class Finding(Frozen):
    """The outcome of one check."""

    name: str
    ok: bool
    detail: Text
    fix: Text = ""


class Setting(Frozen):
    """What a model is checked with."""

    llama: LlamaConfig
    prompt: PromptConfig
    decision_timeout: float
    """Seconds."""


_ANSWER_TOKENS = 150
"""Of a usual answer: a sentence and one call."""
_CHARACTERS_PER_TOKEN = 4
_MARGIN = 1.5
"""The advised deadline, in times of the measured decision: real moments differ."""


async def check(setting: Setting, ours: Pool, clock: Clock) -> AsyncIterator[Finding]:
    """Findings as they are made; an error ends them with one that is not ok."""
    name = "files"
    config, prompt = setting.llama.model_copy(update={"idle_unload": 0.0}), setting.prompt
    try:
        other = other_pool(prompt)
        pool = other.pool if other else ours
        files = locate(config)
        yield Finding(name=name, ok=True, detail=_description(files))
        yield _memory(files, config)
        name = "runs"
        async with on_trial(files, config, prompt, pool, clock) as trial:
            loaded = await trial.engine.load()
            yield Finding(name="loads", ok=True, detail=msg("{milliseconds:,.0f} ms", milliseconds=loaded.milliseconds))
            frames = (trial.frame(1),) if loaded.sees else ()
            decisions = [await trial.decide(moment, frames) for moment in (15, 14)]
        for finding in _findings(*decisions, prompt=prompt, pool=pool, sees=loaded.sees):
            yield finding
        yield _time(decisions[0], decisions[1], setting)
    except (ModelError, UsageError) as error:
        yield Finding(name=name, ok=False, detail=error.message, fix=error.remedy)


def _description(files: ModelFiles) -> Text:
    header = files.header
    values = {
        "architecture": header.architecture,
        "weights": header.parameters / 1e9,
        "size": header.size // MIB,
    }
    if files.mmproj:
        return msg(
            "a chat model ({architecture}), {weights:.2f} billion weights, {size:,} MiB, with a vision projector",
            **values,
        )
    return msg(
        "a chat model ({architecture}), {weights:.2f} billion weights, {size:,} MiB, "
        "without a vision projector, so it reads no screenshots",
        **values,
    )


def _memory(files: ModelFiles, config: LlamaConfig) -> Finding:
    wanted, free = estimate(files.header, files.projector, config), available()
    detail = msg(
        "needs about {total:,} MiB: {weights:,} for weights, {context:,} for "
        "{context_tokens:,} tokens of context ({per_token:,.0f} bytes each), {buffers:,} for "
        "buffers; {free:,} MiB are free",
        total=wanted.total // MIB,
        weights=wanted.weights // MIB,
        context=wanted.context // MIB,
        context_tokens=config.context_tokens,
        per_token=per_token(files.header, config),
        buffers=wanted.buffers // MIB,
        free=free // MIB,
    )
    enough = wanted.total <= free
    fix = msg("Lower models.llama.context_tokens, set models.llama.kv_type to q8_0, or choose a smaller model.")
    return Finding(name="memory", ok=enough, detail=detail, fix="" if enough else fix)


def _findings(
    first: DecideReply, second: DecideReply, *, prompt: PromptConfig, pool: Pool, sees: bool
) -> Iterator[Finding]:
    if sees:
        once, again = first.milliseconds["encode"], second.milliseconds["encode"]
        seen = msg(
            "a screenshot takes {once:,.0f} ms to encode once, and {again:,.0f} ms when it is shown again",
            once=once,
            again=again,
        )
        yield Finding(name="sees", ok=first.pictures_encoded == 1 and second.pictures_encoded == 0, detail=seen)
    yield _answers(first, prompt, pool)
    kept = msg(
        "{tokens_reused:,} of {prompt_tokens:,} tokens of the second prompt were there already",
        tokens_reused=second.tokens_reused,
        prompt_tokens=second.prompt_tokens,
    )
    yield Finding(name="reuses", ok=second.tokens_reused > first.prompt_tokens // 2, detail=kept)
    prefill = first.tokens_evaluated / first.milliseconds["prefill"] * 1000
    decode = second.answer_tokens / second.milliseconds["decode"] * 1000
    speed = msg(
        "reads {prefill:,.0f} and writes {decode:,.0f} tokens a second; {peak_memory:,} MiB at most",
        prefill=prefill,
        decode=decode,
        peak_memory=second.peak_memory // 1024,
    )
    yield Finding(name="speed", ok=True, detail=speed)


def _time(first: DecideReply, second: DecideReply, setting: Setting) -> Finding:
    """Compares ``decision_timeout`` with the time of the first decision, whose whole prompt had to be read."""
    tokens = _ANSWER_TOKENS
    if setting.prompt.format.thinks:
        tokens += setting.prompt.limits.thoughts // _CHARACTERS_PER_TOKEN
    writing = tokens * second.milliseconds["decode"] / second.answer_tokens
    reading = first.milliseconds["prefill"] + first.milliseconds.get("encode", 0.0)
    seconds = (reading + writing) / 1000
    detail = msg(
        "a decision takes about {seconds:,.0f} s, of which {reading:,.0f} s to read a prompt that is all new; "
        "policy.decision_timeout is {timeout:,.0f} s.",
        seconds=seconds,
        reading=reading / 1000,
        timeout=setting.decision_timeout,
    )
    value = 10 * math.ceil(_MARGIN * seconds / 10)
    fix = msg("Set policy.decision_timeout to {value}, or choose a smaller model.", value=value)
    enough = seconds <= setting.decision_timeout
    return Finding(name="in time", ok=enough, detail=detail, fix="" if enough else fix)


def _answers(decided: DecideReply, prompt: PromptConfig, pool: Pool) -> Finding:
    """Whether the answer holds to the format; what it says is not judged."""
    if not decided.finished:
        detail = msg(
            "did not end within {answer_tokens} tokens, which counts as silence", answer_tokens=decided.answer_tokens
        )
        return Finding(name="answers", ok=True, detail=detail)
    try:
        calls = [validate(pool, call) for call in parse(decided.text, prompt.format).calls]
    except (ModelError, InvalidCallError) as error:
        return Finding(name="answers", ok=False, detail=error.message, fix=msg("Please report this: it cannot happen."))
    return Finding(
        name="answers", ok=True, detail=msg("calls {calls}", calls=[call.name for call in calls] or msg("nothing"))
    )
