"""The contract of every reasoner: ours without weights, a VLM on llama.cpp, or a server."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from pydantic import Field

from collectors.context import Context
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.model import Frozen

NO_RECOMMENDATION = "No Recommendation"
"""The benchmark's ``<rec>`` text for silence."""


class EvidenceKind(StrEnum):
    LOG_LINE = "log_line"
    FACT = "fact"


class Evidence(Frozen):
    """Something a recommendation rests on: a line of the behaviour log or a fact of the context."""

    kind: EvidenceKind
    ref: str
    """The log's line number, or the fact's name."""
    text: str
    """The line or the fact's value, redacted as everything the context holds."""


class Why(Frozen):
    """The reason in words and what it rests on."""

    text: str
    evidence: tuple[Evidence, ...] = ()


class DecisionCost(Frozen):
    """What a decision cost."""

    tokens_evaluated: int = 0
    tokens_reused: int = 0
    milliseconds: dict[str, float] = Field(default_factory=dict)
    """Per stage, e.g. ``prefill``, ``decode``."""


class Recommendation(Frozen):
    """One sentence and the calls that would carry it out; no calls means silence."""

    rec: str
    calls: tuple[FunctionCall, ...] = ()
    why: Why = Why(text="")
    confidence: float | None = Field(default=None, ge=0.0, le=1.0)
    """None when unknown; of a language model, from the log-probabilities of the function-name tokens."""
    reasoner: str
    prompt_version: str | None = None
    cost: DecisionCost = DecisionCost()
    topic: str = ""
    """Stable name of the habit or situation behind it: what a rejection is remembered for."""

    @property
    def silent(self) -> bool:
        return not self.calls


def silence(
    reasoner: str, why: str, *, prompt_version: str | None = None, cost: DecisionCost | None = None
) -> Recommendation:
    """The recommendation to say nothing, with the reason for the journal."""
    return Recommendation(
        rec=NO_RECOMMENDATION,
        why=Why(text=why),
        reasoner=reasoner,
        prompt_version=prompt_version,
        cost=cost or DecisionCost(),
    )


class Reasoner(Protocol):
    """Decides what to suggest at one moment. Raises ``heed.errors.ModelError`` when it cannot."""

    @property
    def name(self) -> str: ...

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """Suggest calls among ``candidates`` (names in ``pool``), or stay silent, within ``timeout`` seconds."""
        ...

    async def close(self) -> None:
        """Let go of processes and connections; safe to call twice."""
        ...
