"""Measures a converted model with the engine, as ``heed model check`` and ``heed eval proactivemobile`` do."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from agent.config import PolicyConfig
from evaluation.proactivemobile.cases import load_cases
from evaluation.proactivemobile.metrics import ProactiveReport, report
from evaluation.proactivemobile.run import LanguageModelPredictor, play
from function_pool.spec import Pool
from heed.clock import SystemClock
from models.config import LlamaConfig, ModelsConfig, PromptConfig, ReasonerKind
from models.llama.check import Finding, Setting, check


class Trial(NamedTuple):
    """How converted models are run."""

    pool: Pool
    prompt: PromptConfig
    context_tokens: int
    image_tokens: int

    def engine(self, model: Path, projector: Path | None) -> LlamaConfig:
        """The engine's configuration for these files."""
        return LlamaConfig(
            model=str(model),
            mmproj=str(projector or ""),
            context_tokens=self.context_tokens,
            image_tokens=self.image_tokens,
            idle_unload=0,
        )


def findings(trial: Trial, model: Path, projector: Path | None) -> list[Finding]:
    """The findings of ``heed model check``."""

    async def collect() -> list[Finding]:
        setting = Setting(
            llama=trial.engine(model, projector), prompt=trial.prompt, decision_timeout=PolicyConfig().decision_timeout
        )
        found = check(setting, trial.pool, SystemClock())
        return [finding async for finding in found]

    return asyncio.run(collect())


def evaluate(trial: Trial, model: Path, projector: Path | None, records: Path, limit: int) -> ProactiveReport:
    """The figures of the model on the first ``limit`` records of a file."""
    cases = load_cases(records)[:limit]
    config = ModelsConfig(reasoner=ReasonerKind.LLAMA, prompt=trial.prompt, llama=trial.engine(model, projector))

    async def run() -> ProactiveReport:
        predictor = LanguageModelPredictor(config, cases, records.parent, SystemClock())
        try:
            return report(cases, await play(cases, predictor, trial.pool, {}, lambda _: None), trial.pool)
        finally:
            await predictor.close()

    return asyncio.run(run())
