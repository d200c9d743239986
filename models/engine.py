"""The interface of engines, which run a language model in a child process or on a server."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from function_pool.spec import Pool
from heed.model import Frozen
from models.prompt import Prompt, PromptImage
from models.reasoner import DecisionCost


class DecisionRequest(Frozen):
    """The input of one decision."""

    prompt: Prompt
    pool: Pool
    candidates: tuple[str, ...]
    """Names of the functions that may be called; not empty."""
    now: datetime
    """Current time of the phone, for relative times."""


class Completion(Frozen):
    """The output of the model, with its cost."""

    text: str
    confidence: float | None = None
    """Exponential of the mean log-probability of the function-name tokens; None when no function was named."""
    finished: bool = True
    """False when the answer reached the bound on its length before it ended."""
    cost: DecisionCost = DecisionCost()


class Engine(Protocol):
    """Runs one kind of model. Raises ``heed.errors.ModelError`` when it cannot."""

    @property
    def name(self) -> str: ...

    async def prepare(self, system: str, *, timeout: float) -> None:
        """Prepare decisions with this system message: load the model, evaluate the message. ``timeout`` in seconds."""
        ...

    async def complete(self, request: DecisionRequest, *, timeout: float) -> Completion:
        """The model's answer, within ``timeout`` seconds."""
        ...

    async def close(self) -> None:
        """Release processes and connections; may be called repeatedly."""
        ...


class JsonModel(Protocol):
    """Answers single questions, which may be about a picture, as JSON. Raises ``heed.errors.ModelError``."""

    async def data(
        self,
        system: str,
        question: str,
        schema: Mapping[str, JsonValue],
        *,
        timeout: float,
        picture: PromptImage | None = None,
    ) -> dict[str, JsonValue]:
        """The answer as a JSON object, held to ``schema`` where that can be; ``InvalidAnswer`` when it is none."""
        ...

    async def close(self) -> None:
        """Release processes and connections; may be called repeatedly."""
        ...
