"""The reasoner for language models: renders the context, runs the engine, parses the answer."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from collectors.context import Context, RenderedContext
from function_pool.call import FunctionCall
from function_pool.pool_map import PoolMap
from function_pool.spec import Pool
from function_pool.validation import InvalidCallError, validate
from heed.language import Language
from models.argument_basis import Grounding
from models.engine import Completion, DecisionRequest, Engine
from models.grammar import OutputFormat
from models.output import ModelAnswer, parse
from models.prompt import PromptBuilder
from models.prompt.history import HistoryReader, PromptHistory
from models.reasoner import Recommendation, Why, silence

Render = Callable[[Context, Language], RenderedContext]
"""Renders a context as text: ``collectors.wording.render``."""


class OtherPool(NamedTuple):
    """The pool that a model was fine-tuned on, where that is not heed's."""

    pool: Pool
    table: PoolMap


class VlmReasoner:
    """Decides with a vision-language model.

    Args:
        engine: runs the model.
        builder: writes the prompts; the context is rendered in its language.
        render: renders contexts.
        output: the format of answers.
        history: reads the past for the prompts; None = they say nothing of it.
        other: the pool in the prompts, whose calls are translated into heed's; None = heed's own.
    """

    def __init__(
        self,
        engine: Engine,
        builder: PromptBuilder,
        render: Render,
        *,
        output: OutputFormat,
        history: HistoryReader | None = None,
        other: OtherPool | None = None,
    ) -> None:
        self._engine = engine
        self._builder = builder
        self._render = render
        self._output = output
        self._history = history
        self._other = other

    @property
    def name(self) -> str:
        return self._engine.name

    async def prepare(self, pool: Pool, *, timeout: float) -> None:
        """Load the model and evaluate what every prompt begins with, so that the first decision is quick."""
        offered = self._other.pool if self._other else pool
        await self._engine.prepare(self._builder.system(offered), timeout=timeout)

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """Suggest calls among ``candidates``, or stay silent; ``ModelError`` when the model cannot be used."""
        history = self._history.read(context, self._builder.language) if self._history else PromptHistory()
        request = self._request(context, pool, candidates, history)
        if not request.candidates:
            return silence(self.name, "No function is a candidate.", prompt_version=self._builder.version)
        completion = await self._engine.complete(request, timeout=timeout)
        if not completion.finished:
            return self._silence("The model's answer did not end within the bound on its length.", completion)
        answer = parse(completion.text, self._output)
        try:
            calls = tuple(validate(pool, self._ours(call, pool), context.now) for call in answer.calls)
        except InvalidCallError as error:
            return self._silence(f"The model's call does not fit: {error.message}", completion)
        grounding = Grounding(context, (*history.habits, *history.log))
        return self._recommendation(grounding, pool, answer.model_copy(update={"calls": calls}), completion)

    async def close(self) -> None:
        await self._engine.close()

    def _request(
        self, context: Context, pool: Pool, candidates: Sequence[str], history: PromptHistory
    ) -> DecisionRequest:
        words = history.add_to(self._render(context, self._builder.language))
        offered, names = pool, tuple(candidates)
        if self._other:
            offered, names = self._other.pool, self._other.table.covers(self._other.pool, candidates)
        prompt = self._builder.build(offered, words, context.frames)
        return DecisionRequest(prompt=prompt, pool=offered, candidates=names, now=context.now)

    def _ours(self, call: FunctionCall, pool: Pool) -> FunctionCall:
        return self._other.table.translated(call, pool) if self._other else call

    def _silence(self, why: str, completion: Completion) -> Recommendation:
        return silence(self.name, why, prompt_version=self._builder.version, cost=completion.cost)

    def _recommendation(
        self, grounding: Grounding, pool: Pool, answer: ModelAnswer, completion: Completion
    ) -> Recommendation:
        calls = tuple(map(grounding.ground, answer.calls))
        return Recommendation(
            rec=answer.rec or _sentence(pool, calls),
            calls=calls,
            why=Why(text=answer.think, evidence=grounding.evidence(calls)),
            confidence=completion.confidence,
            reasoner=self.name,
            prompt_version=self._builder.version,
            cost=completion.cost,
            topic="+".join(call.name for call in calls),
        )


def _sentence(pool: Pool, calls: Sequence[FunctionCall]) -> str:
    """A sentence for the calls, for the output format without one."""
    return ", ".join(pool.get(call.name).description or call.name for call in calls)
