"""Decisions by a model in a child process: the prompt's grammar built here, the work done there."""

from collections.abc import Callable, Mapping

from pydantic import JsonValue

from heed.errors import Bug
from models.config import LlamaConfig
from models.engine import Completion, DecisionRequest
from models.grammar import JsonStyle, Limits, OutputFormat, json_lark, lark
from models.llama.process import ModelProcess
from models.llama.protocol import DecideOrder, DecideReply, LoadReply, WarmOrder, WarmReply
from models.output import json_object
from models.prompt import Prompt, PromptImage, question_prompt
from models.reasoner import DecisionCost


class LlamaEngine:
    """Runs a GGUF model. The process is made at the first decision, and again after it has died or idled away."""

    name = "llama"

    def __init__(
        self,
        process: Callable[[], ModelProcess],
        config: LlamaConfig,
        output: OutputFormat,
        limits: Limits,
        style: JsonStyle,
    ) -> None:
        self._make = process
        self._process: ModelProcess | None = None
        self._config = config
        self._output = output
        self._limits = limits
        self._style = style

    @property
    def pid(self) -> int | None:
        """The model process, where one runs."""
        return self._process.pid if self._process else None

    async def load(self) -> LoadReply:
        """Have the model in memory."""
        return await self._running().start()

    async def prepare(self, system: str, *, timeout: float) -> None:
        """Load the model and evaluate the system message; what is done when time runs out is not done again."""
        await self.warm(system, timeout=timeout)

    async def warm(self, system: str, *, timeout: float) -> WarmReply:
        """Have the part of the prompt that is equal in every decision evaluated; how that was done."""

        def order(number: int, seconds: float) -> WarmOrder:
            return WarmOrder(id=number, system=system, timeout=seconds)

        reply = await self._running().ask(order, timeout=timeout)
        if not isinstance(reply, WarmReply):
            raise Bug(f"The model process answered a warm-up with {reply.reply!r}.")
        return reply

    async def complete(self, request: DecisionRequest, *, timeout: float) -> Completion:
        reply = await self.decide(request, timeout=timeout)
        return Completion(
            text=reply.text,
            confidence=reply.confidence,
            finished=reply.finished,
            cost=DecisionCost(
                tokens_evaluated=reply.tokens_evaluated,
                tokens_reused=reply.tokens_reused,
                milliseconds=reply.milliseconds,
            ),
        )

    async def decide(self, request: DecisionRequest, *, timeout: float) -> DecideReply:
        """The answer with everything that was measured on the way."""
        grammar = lark(request.pool, request.candidates, self._output, self._limits, self._style)
        return await self._answer(request.prompt, grammar, timeout)

    async def data(
        self,
        system: str,
        question: str,
        schema: Mapping[str, JsonValue],
        *,
        timeout: float,
        picture: PromptImage | None = None,
    ) -> dict[str, JsonValue]:
        """The answer to one question as a JSON object; ``InvalidAnswer`` when it is cut off."""
        reply = await self._answer(question_prompt(system, question, picture), json_lark(schema), timeout)
        return json_object(reply.text)

    async def _answer(self, prompt: Prompt, grammar: str, timeout: float) -> DecideReply:

        def order(number: int, seconds: float) -> DecideOrder:
            return DecideOrder(
                id=number,
                system=prompt.system,
                user=prompt.user,
                grammar=grammar,
                answer_tokens=self._config.answer_tokens,
                sampling=self._config.sampling,
                timeout=seconds,
            )

        reply = await self._running().ask(order, timeout=timeout)
        if not isinstance(reply, DecideReply):
            raise Bug(f"The model process answered a decision with {reply.reply!r}.")
        return reply

    async def close(self) -> None:
        if self._process is not None:
            await self._process.close()

    def _running(self) -> ModelProcess:
        if self._process is None:
            self._process = self._make()
        return self._process
