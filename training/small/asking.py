"""Asks the small language model for the arguments of one call, in heed's engine."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from collectors.context import RenderedContext
from function_pool.spec import FunctionSpec, Meaning, ParameterSpec, Pool
from heed.clock import SystemClock
from models.config import LlamaConfig
from models.engine import DecisionRequest
from models.grammar import JsonStyle, Limits, OutputFormat
from models.llama.engine import LlamaEngine
from models.llama.files import locate
from models.llama.process import ModelProcess, new_process
from models.llama.protocol import DecideReply
from models.output import parse
from training.small.prompt import small_prompt

FORMAT = OutputFormat.FUNC
LIMITS = Limits(calls=1, text=200, items=4)
ANSWER_TOKENS = 160
CONTEXT_TOKENS = 1_024
TIMEOUT = 300.0
"""Seconds for one call; loading the model counts."""
_DATED = (Meaning.DATE, Meaning.DATE_TIME)
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""The engine wants a time; the prompt says the moment's own."""


class SmallModel:
    """The small language model.

    Args:
        base: GGUF file.
        adapter: GGUF file of its adapter.
        prefixes: folder for evaluated beginnings of prompts.
    """

    def __init__(self, base: Path, adapter: Path, prefixes: Path) -> None:
        config = LlamaConfig(
            model=str(base), adapter=str(adapter), context_tokens=CONTEXT_TOKENS, answer_tokens=ANSWER_TOKENS
        )

        def process() -> ModelProcess:
            files = locate(config)
            return new_process(files.model, None, config, prefixes, SystemClock(), files.adapter)

        self._engine = LlamaEngine(process, config, FORMAT, LIMITS, JsonStyle())

    async def ask(self, spec: FunctionSpec, said: RenderedContext) -> DecideReply:
        """The answer for the parameters of ``spec``, with what was measured on the way.

        ``ModelError`` when the model cannot be used, or not in time.
        """
        asked = _undated(spec)
        request = DecisionRequest(
            prompt=small_prompt(spec, said),
            pool=Pool(functions={spec.name: asked}),
            candidates=(spec.name,),
            now=_ANY_TIME,
        )
        return await self._engine.decide(request, timeout=TIMEOUT)

    async def close(self) -> None:
        """End the model."""
        await self._engine.close()


def stated(reply: DecideReply) -> Mapping[str, JsonValue]:
    """The arguments of an answer, days and times in the moment's words; none of silence, or where it does not end."""
    calls = parse(reply.text, FORMAT).calls if reply.finished else ()
    return calls[0].parameters if calls else {}


def _undated(spec: FunctionSpec) -> FunctionSpec:
    """``spec`` with dates as words: a moment may state "Sunday" or "14:00" without a year."""
    return spec.model_copy(update={"parameters": {name: _worded(one) for name, one in spec.parameters.items()}})


def _worded(parameter: ParameterSpec) -> ParameterSpec:
    return parameter.model_copy(update={"meaning": Meaning.TEXT}) if parameter.meaning in _DATED else parameter
