"""The state of a channel, as ``heed status`` shows it."""

from enum import StrEnum

from heed.messages import Text
from heed.model import Frozen


class ChannelState(StrEnum):
    """Whether a channel can be asked on now."""

    CONNECTING = "connecting"
    WORKING = "working"
    FAILING = "failing"
    """Tried again by itself."""


class ChannelStatus(Frozen):
    """One channel outside heed, and its state."""

    name: str
    state: ChannelState
    reason: Text = ""
    """Why it fails, and what to do."""
