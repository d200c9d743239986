"""The gate before a language model: it is asked where something seems to be needed, about a few functions."""

from collections.abc import Sequence

from collectors.context import Context
from function_pool.spec import Pool
from heed.language import Language
from models.perceptor import Perceptor
from models.reader.reasoner import TextReasoner
from models.reasoner import Reasoner, Recommendation, silence
from models.vlm import Render

NAME = "gate"
MOST_FUNCTIONS = 5
"""Functions that a language model is asked about."""


class Gate:
    """Chooses the functions that a context may call for.

    Args:
        reader: decides on incoming texts.
        perceptor: decides on every other trigger.
        render: writes the context that the perceptor reads.
        language: of the rendered context.
    """

    def __init__(self, reader: TextReasoner, perceptor: Perceptor, render: Render, language: Language) -> None:
        self._reader, self._perceptor, self._render, self._language = reader, perceptor, render, language

    def functions(self, context: Context, pool: Pool, candidates: Sequence[str]) -> tuple[str, ...]:
        """The likeliest candidates, at most ``MOST_FUNCTIONS``; none where the gate stays closed."""
        ranked = self._reader.likely(context)
        if ranked is None:
            seen = self._perceptor.perceive(self._render(context, self._language), pool)
            ranked = tuple(name for name, _ in seen.candidates) if seen.opens else ()
        return tuple(name for name in ranked if name in candidates)[:MOST_FUNCTIONS]


class GatedReasoner:
    """A language model behind the gate.

    Args:
        model: is asked where the gate opens.
        gate: chooses the functions.
    """

    def __init__(self, model: Reasoner, gate: Gate) -> None:
        self._model, self._gate = model, gate

    @property
    def name(self) -> str:
        return self._model.name

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """The model's recommendation among the gate's functions; silence where the gate stays closed."""
        functions = self._gate.functions(context, pool, candidates)
        if not functions:
            return silence(NAME, "nothing seems to be needed")
        return await self._model.recommend(context, pool, functions, timeout=timeout)

    async def close(self) -> None:
        """Close the model."""
        await self._model.close()
