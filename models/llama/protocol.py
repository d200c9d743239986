"""The messages between daemon and model process: one JSON object per line, over pipes."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from heed.messages import Message
from heed.model import Frozen
from models.config import LlamaConfig, SamplingConfig
from models.prompt import PromptImage, PromptText


class LoadOrder(Frozen):
    """The first order: which model, and how. Answered by ``LoadReply``."""

    order: Literal["load"] = "load"
    model: str
    mmproj: str
    adapter: str = ""
    config: LlamaConfig
    prefix_folder: str


class WarmOrder(Frozen):
    """Evaluate, or restore, what every prompt begins with. Answered by ``WarmReply``."""

    order: Literal["warm"] = "warm"
    id: int
    system: str
    timeout: float


class DecideOrder(Frozen):
    """Answer one prompt by a grammar. Answered by ``DecideReply``."""

    order: Literal["decide"] = "decide"
    id: int
    system: str
    user: tuple[Annotated[PromptText | PromptImage, Field(discriminator="kind")], ...]
    grammar: str
    """In llguidance's Lark dialect."""
    answer_tokens: int
    sampling: SamplingConfig
    timeout: float


class CancelOrder(Frozen):
    """Stop the order with this id. Not answered itself."""

    order: Literal["cancel"] = "cancel"
    id: int


class LoadReply(Frozen):
    reply: Literal["loaded"] = "loaded"
    id: int = 0
    vocabulary: int
    context_tokens: int
    sees: bool
    """Whether the model sees pictures."""
    milliseconds: float


class WarmReply(Frozen):
    reply: Literal["warmed"] = "warmed"
    id: int
    source: Literal["cache", "file", "evaluated"]
    """Where the prefix came from."""
    tokens: int
    milliseconds: float


class DecideReply(Frozen):
    reply: Literal["decided"] = "decided"
    id: int
    text: str
    finished: bool
    confidence: float | None
    prompt_tokens: int
    tokens_evaluated: int
    tokens_reused: int
    answer_tokens: int
    forced_tokens: int
    pictures_encoded: int
    milliseconds: dict[str, float]
    """Per stage: ``restore``, ``encode``, ``prefill``, ``grammar``, ``decode``."""
    peak_memory: int
    """KiB resident at most since the process began."""


class FailureReply(Frozen):
    """An order that could not be carried out; the process goes on."""

    reply: Literal["failed"] = "failed"
    id: int
    stopped: bool = False
    """True when it was cancelled or ran out of time."""
    too_long: bool = False
    """True when the prompt does not fit in the context."""
    message: Message | str = ""
    remedy: Message | str = ""


Order = LoadOrder | WarmOrder | DecideOrder | CancelOrder
Reply = LoadReply | WarmReply | DecideReply | FailureReply
_SILENT = ConfigDict(hide_input_in_errors=True)
"""Orders hold prompts, which no log may repeat."""
ORDERS: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="order")], config=_SILENT)
REPLIES: TypeAdapter[Reply] = TypeAdapter(Annotated[Reply, Field(discriminator="reply")])
