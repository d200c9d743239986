"""What runs a model: a child process with llama.cpp, or a server. Prompt and grammar in, text and cost out."""

from datetime import datetime
from typing import Protocol

from function_pool.spec import Pool
from heed.model import Frozen
from models.prompt import Prompt
from models.reasoner import DecisionCost


class DecisionRequest(Frozen):
    """One decision to make."""

    prompt: Prompt
    pool: Pool
    candidates: tuple[str, ...]
    """Names of the functions that may be called; not empty."""
    now: datetime
    """The phone's clock, for what is said relative to it."""


class Completion(Frozen):
    """What the model said, and what that cost."""

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
        """Have everything ready that a decision with this system message needs, where that takes time."""
        ...

    async def complete(self, request: DecisionRequest, *, timeout: float) -> Completion:
        """The model's answer, within ``timeout`` seconds."""
        ...

    async def close(self) -> None:
        """Let go of processes and connections; safe to call twice."""
        ...
