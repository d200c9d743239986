"""Decisions by a model on a server. Several may be in flight: the server does the scaling.

Where the server takes a JSON schema, the answer is held to one; its calls are checked here in any case, and an
answer that does not fit is sent back once with what is wrong.
"""

import asyncio

from function_pool.validation import validate
from heed.clock import Clock
from heed.errors import UsageError
from heed.messages import Text, msg
from models.config import OpenAIConfig
from models.engine import Completion, DecisionRequest
from models.grammar import JsonStyle, Limits, OutputFormat, json_answer_schema
from models.openai import wire
from models.openai.server import ModelServer, too_late
from models.output import InvalidAnswer, parse
from models.reasoner import DecisionCost

_REPAIR = "That answer does not fit: {fault} Answer again, in exactly the form asked for and with nothing else."


class OpenAIEngine:
    """Asks one server; ``output`` is the format that the prompts ask for."""

    name = "openai"

    def __init__(
        self, config: OpenAIConfig, output: OutputFormat, limits: Limits, style: JsonStyle, clock: Clock
    ) -> None:
        self._config = config
        self._output = output
        self._limits = limits
        self._style = style.model_copy(update={"portable": True})
        self._clock = clock
        self._server = ModelServer(config)

    async def prepare(self, system: str, *, timeout: float) -> None:
        """Nothing takes time here: the server is ready, or says so at a decision."""

    async def complete(self, request: DecisionRequest, *, timeout: float) -> Completion:
        start = self._clock.monotonic()
        try:
            async with asyncio.timeout(timeout), self._server.slots:
                completion = await self._answer(request)
        except TimeoutError as error:
            raise too_late(timeout) from error
        spent = (self._clock.monotonic() - start) * 1000
        cost = completion.cost.model_copy(update={"milliseconds": {"request": spent}})
        return completion.model_copy(update={"cost": cost})

    async def close(self) -> None:
        await self._server.close()

    async def _answer(self, request: DecisionRequest) -> Completion:
        """The first answer, or the repaired one."""
        messages = wire.messages(request.prompt, images=self._config.images)
        schema = json_answer_schema(request.pool, request.candidates, self._limits, self._style)
        first = await self._server.ask(messages, schema)
        fault = self._fault(request, first)
        if not fault:
            return first
        repair = [wire.message("assistant", first.text), wire.message("user", _REPAIR.format(fault=fault))]
        second = await self._server.ask([*messages, *repair], schema)
        if fault := self._fault(request, second):
            raise InvalidAnswer(
                msg("The model's answer does not fit, even when asked again: {fault}", fault=fault),
                msg("Use a model fine-tuned for it, or a server that constrains its answers."),
            )
        return second.model_copy(update={"cost": _sum(first.cost, second.cost)})

    def _fault(self, request: DecisionRequest, completion: Completion) -> Text:
        """What is wrong with an answer; empty when nothing is, or when it was cut off and will not be used."""
        if not completion.finished:
            return ""
        try:
            for call in parse(completion.text, self._output).calls:
                if call.name not in request.candidates:
                    return f"{call.name!r} is not a function to choose from here."
                validate(request.pool, call, request.now)
        except (InvalidAnswer, UsageError) as error:
            return error.message
        return ""


def _sum(first: DecisionCost, second: DecisionCost) -> DecisionCost:
    return DecisionCost(
        tokens_evaluated=first.tokens_evaluated + second.tokens_evaluated,
        tokens_reused=first.tokens_reused + second.tokens_reused,
    )
