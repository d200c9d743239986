"""The interface of reasoners: routines, a language model on llama.cpp, or one on a server."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pydantic import Field

from collectors.context import Context
from function_pool.call import FunctionCall
from function_pool.spec import Pool
from heed.model import Frozen
from heed.unicode import ValidText

NO_RECOMMENDATION = "No Recommendation"
"""The ``<rec>`` text for silence, as in ProactiveMobile."""


class EvidenceKind(StrEnum):
    LOG_LINE = "log_line"
    FACT = "fact"


class Evidence(Frozen):
    """A log line or fact that a recommendation rests on."""

    kind: EvidenceKind
    ref: ValidText
    """The log's line number, or the fact's name."""
    text: ValidText
    """The line or the fact's value, redacted."""
    at: datetime | None = None
    """When a log line happened; None for a fact."""


class Why(Frozen):
    """The reason for a recommendation, in words, with its evidence."""

    text: ValidText
    """One sentence for the owner."""
    evidence: tuple[Evidence, ...] = ()


class DecisionCost(Frozen):
    """The cost of one decision of a language model."""

    tokens_evaluated: int = 0
    """Prompt tokens that were evaluated."""
    tokens_reused: int = 0
    """Prompt tokens whose evaluation was cached."""
    milliseconds: dict[str, float] = Field(default_factory=dict)
    """Milliseconds per stage, e.g. ``prefill``, ``decode``."""


class Recommendation(Frozen):
    """One sentence and the calls that would carry it out; no calls means silence."""

    rec: ValidText
    """The question to the owner, or ``NO_RECOMMENDATION``."""
    calls: tuple[FunctionCall, ...] = ()
    why: Why = Why(text="")
    confidence: float | None = Field(default=None, ge=0.0, le=1.0)
    """Probability that the recommendation is wanted; None when unknown. A language model derives it from the
    log-probabilities of the function-name tokens."""
    reasoner: str
    """Name of the reasoner."""
    prompt_version: str | None = None
    """Template, language and format of the prompt; None for a reasoner without prompts."""
    cost: DecisionCost = DecisionCost()
    withheld: tuple[str, ...] = ()
    """Functions that were not offered, because the phone cannot carry them out."""
    topic: ValidText = ""
    """Stable id of the habit or situation behind it; rejections and cool-downs refer to it."""

    @property
    def silent(self) -> bool:
        """Whether it recommends nothing."""
        return not self.calls


def silence(
    reasoner: str, why: str, *, prompt_version: str | None = None, cost: DecisionCost | None = None
) -> Recommendation:
    """A recommendation without calls.

    Args:
        reasoner: name of the reasoner.
        why: the reason, for the journal.
        prompt_version: as in ``Recommendation``.
        cost: of the decision; None = none.
    """
    return Recommendation(
        rec=NO_RECOMMENDATION,
        why=Why(text=why),
        reasoner=reasoner,
        prompt_version=prompt_version,
        cost=cost or DecisionCost(),
    )


class Reasoner(Protocol):
    """Turns a context into a recommendation."""

    @property
    def name(self) -> str:
        """Name in the journal, e.g. ``routines``."""
        ...

    async def recommend(
        self, context: Context, pool: Pool, candidates: Sequence[str], *, timeout: float
    ) -> Recommendation:
        """Recommend calls, or silence.

        Args:
            context: everything known at the moment.
            pool: the functions with their parameters.
            candidates: names of the functions in ``pool`` that may be called.
            timeout: seconds.

        Raises:
            ModelError: the reasoner cannot decide, or not in time.
        """
        ...

    async def close(self) -> None:
        """Release processes and connections; may be called repeatedly."""
        ...
