"""The reasoner for language models: renders the context, runs the engine, parses the answer."""

from collections.abc import Callable, Sequence

from collectors.context import Context, RenderedContext
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from function_pool.validation import InvalidCallError, validate
from heed.language import Language
from models.argument_basis import Grounding
from models.engine import Completion, DecisionRequest, Engine
from models.grammar import OutputFormat
from models.output import ModelAnswer, parse
from models.prompt import PromptBuilder
from models.reasoner import Recommendation, Why, silence

Render = Callable[[Context, Language], RenderedContext]
"""Renders a context as text: ``collectors.wording.render``."""


class VlmReasoner:
    """Decides with a vision-language model."""

    def __init__(
        self, engine: Engine, builder: PromptBuilder, render: Render, *, language: Language, output: OutputFormat
    ) -> None:
        self._engine = engine
        self._builder = builder
        self._render = render
        self._language = language
        self._output = output

    @property
    def name(self) -> str:
        return self._engine.name

    async def prepare(self, pool: Pool, *, timeout: float) -> None:
        """Load the model and evaluate what every prompt begins with, so that the first decision is quick."""
        await self._engine.prepare(self._builder.system(pool), timeout=timeout)

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """Suggest calls among ``candidates``, or stay silent; ``ModelError`` when the model cannot be used."""
        if not candidates:
            return silence(self.name, "No function is a candidate.", prompt_version=self._builder.version)
        prompt = self._builder.build(pool, self._render(context, self._language), context.frames)
        request = DecisionRequest(prompt=prompt, pool=pool, candidates=tuple(candidates), now=context.now)
        completion = await self._engine.complete(request, timeout=timeout)
        if not completion.finished:
            why = "The model's answer did not end within the bound on its length."
            return silence(self.name, why, prompt_version=prompt.version, cost=completion.cost)
        answer = parse(completion.text, self._output)
        try:
            calls = tuple(validate(pool, call, context.now) for call in answer.calls)
        except InvalidCallError as error:
            why = f"The model's call does not fit: {error.message}"
            return silence(self.name, why, prompt_version=prompt.version, cost=completion.cost)
        return self._recommendation(context, pool, answer.model_copy(update={"calls": calls}), completion)

    async def close(self) -> None:
        await self._engine.close()

    def _recommendation(
        self, context: Context, pool: Pool, answer: ModelAnswer, completion: Completion
    ) -> Recommendation:
        grounding = Grounding(context)
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
