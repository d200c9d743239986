"""Measures a model's decisions on this machine: cold, warm, with screenshots, and after a restart."""

from collections.abc import AsyncIterator

from function_pool.spec import Pool
from heed.clock import Clock
from heed.model import Frozen
from models.config import LlamaConfig, PromptConfig
from models.llama.files import locate
from models.llama.protocol import DecideReply
from models.llama.trial import on_trial


class Measurement(Frozen):
    """One decision, measured."""

    case: str
    evaluated: int
    reused: int
    answered: int
    milliseconds: dict[str, float]
    peak_mebibytes: int

    @property
    def total(self) -> float:
        """Milliseconds of all stages."""
        return sum(self.milliseconds.values())


def measurement(case: str, decided: DecideReply) -> Measurement:
    return Measurement(
        case=case,
        evaluated=decided.tokens_evaluated,
        reused=decided.tokens_reused,
        answered=decided.answer_tokens,
        milliseconds={stage: round(spent, 1) for stage, spent in decided.milliseconds.items()},
        peak_mebibytes=decided.peak_memory // 1024,
    )


async def bench(
    config: LlamaConfig, prompt: PromptConfig, pool: Pool, clock: Clock, *, repeats: int
) -> AsyncIterator[Measurement]:
    """A cold decision, ``repeats`` warm ones, ones with an arriving screenshot, and one after a restart."""
    async with on_trial(locate(config), config, prompt, pool, clock) as trial:
        loaded = await trial.engine.load()
        yield measurement("cold", await trial.decide(90))
        for moment in range(repeats):
            yield measurement("warm", await trial.decide(80 - moment))
        frames = [trial.frame(number) for number in range(3 if loaded.sees else 0)]
        for shown in range(1, len(frames) + 1):
            yield measurement(f"{shown} screenshots", await trial.decide(70 - shown, frames[:shown]))
        await trial.engine.close()
        yield measurement("restarted", await trial.decide(60))
