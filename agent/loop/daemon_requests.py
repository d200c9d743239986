"""The requests that commands and the console send to the daemon: one model per operation."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter

from agent.loop.owner_touch import ScreenTouch
from function_pool.call import FunctionCall
from heed.model import Frozen

LONGEST_PAUSE = 7 * 24 * 60.0
"""Minutes."""
MOST_REQUEST = 500
"""Characters of a typed request."""
MOST_NAME = 200
"""Characters of the name of an app or a person."""


class StatusRequest(Frozen):
    """The phones of the daemon, each as a ``PhoneStatus``."""

    op: Literal["status"] = "status"


class ContextRequest(Frozen):
    """The context of one phone, read now. An empty serial = the only monitored phone."""

    op: Literal["context"] = "context"
    serial: str = ""


class DecideRequest(Frozen):
    """A decision on what one phone shows now; asks and acts. An empty serial = the only monitored phone."""

    op: Literal["decide"] = "decide"
    serial: str = ""


class PreviewRequest(Frozen):
    """The decision on what one phone shows now, as a ``DecisionPreview``; asks, records and changes nothing."""

    op: Literal["preview"] = "preview"
    serial: str = ""


class PlanRequest(Frozen):
    """The plan for a call that the owner typed, as a ``PlanPreview``; asks, records and changes nothing."""

    op: Literal["plan"] = "plan"
    call: FunctionCall
    serial: str = ""


class PreviewDoRequest(Frozen):
    """What a typed request would do, as a ``RequestPreview``; asks, records and changes nothing."""

    op: Literal["preview_do"] = "preview_do"
    text: str = Field(max_length=MOST_REQUEST)
    serial: str = ""


class DoRequest(Frozen):
    """A typed request, carried out after its questions and consent; its outcomes, none where it was not allowed."""

    op: Literal["do"] = "do"
    text: str = Field(max_length=MOST_REQUEST)
    serial: str = ""


class UndoRequest(Frozen):
    """Undo of one action, by its number in the journal."""

    op: Literal["undo"] = "undo"
    action: int


class ConsoleLinkRequest(Frozen):
    """A new link to the web console."""

    op: Literal["console_link"] = "console_link"


class ChannelsRequest(Frozen):
    """The channels outside heed, each as a ``ChannelStatus``."""

    op: Literal["channels"] = "channels"


class AssistantCallRequest(Frozen):
    """A call that an assistant asks for over MCP, as an ``AssistantCallResult``; the owner is asked about it.

    An empty serial = the only monitored phone.
    """

    op: Literal["assistant_call"] = "assistant_call"
    function: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    assistant: str = Field(max_length=100)
    """The assistant's own name for itself, as the owner is shown it."""
    serial: str = ""


class EndSessionsRequest(Frozen):
    """The end of every browser's session in the web console."""

    op: Literal["end_sessions"] = "end_sessions"


class TouchRequest(Frozen):
    """A touch of the owner on the live screen of the console, sent to the phone as the owner's own."""

    op: Literal["touch"] = "touch"
    serial: str
    touch: ScreenTouch


class PauseRequest(Frozen):
    """A pause of all suggestions, as a ``PauseState``; by default until ``ResumeRequest``."""

    op: Literal["pause"] = "pause"
    minutes: float | None = Field(default=None, gt=0, le=LONGEST_PAUSE)
    """How long, in elapsed time."""
    until_tomorrow: bool = False
    """Until the phone's next morning: the end of its quiet hours, or 07:00."""


class ResumeRequest(Frozen):
    """The end of the pause, as a ``PauseState``."""

    op: Literal["resume"] = "resume"


class DaemonInfoRequest(Frozen):
    """The daemon itself, as a ``DaemonInfo``."""

    op: Literal["info"] = "info"


class RulesChangedRequest(Frozen):
    """The owner's rules changed: what is due is planned anew."""

    op: Literal["rules_changed"] = "rules_changed"


class ForgetRequest(Frozen):
    """Delete the stored data that names an app or a person; one of the two is given.

    The daemon ends for it: heed's files are closed, the data is deleted, and the daemon begins anew.
    """

    op: Literal["forget"] = "forget"
    app: str = Field(default="", max_length=MOST_NAME)
    """A package or a visible name."""
    person: str = Field(default="", max_length=MOST_NAME)
    """A name or a phone number."""


class HoldDayRequest(Frozen):
    """Hold a demo's day, or let it go on; the daemon refuses it."""

    op: Literal["hold_day"] = "hold_day"
    held: bool


DaemonRequest = (
    StatusRequest
    | ContextRequest
    | DecideRequest
    | PreviewRequest
    | PlanRequest
    | PreviewDoRequest
    | DoRequest
    | UndoRequest
    | ConsoleLinkRequest
    | ChannelsRequest
    | AssistantCallRequest
    | EndSessionsRequest
    | TouchRequest
    | PauseRequest
    | ResumeRequest
    | DaemonInfoRequest
    | RulesChangedRequest
    | ForgetRequest
    | HoldDayRequest
)

REQUESTS: TypeAdapter[DaemonRequest] = TypeAdapter(Annotated[DaemonRequest, Field(discriminator="op")])
"""Reads a request from JSON; ``ValidationError`` for an unknown operation."""
