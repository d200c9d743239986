"""What a recording holds: the owner's touches, each with the screen before and after it."""

from enum import StrEnum
from typing import NamedTuple

from android_bridge.facts.hierarchy import Hierarchy, Node
from android_bridge.ui import Direction
from heed.errors import PersonError
from heed.messages import Text


class TeachingError(PersonError):
    """What the owner did cannot be learned; the message says why."""


class TouchKind(StrEnum):
    """What a touch does."""

    TAP = "tap"
    LONG_PRESS = "long_press"
    SCROLL = "scroll"
    SWIPE = "swipe"
    BACK = "back"


class TypedField(NamedTuple):
    """A text field whose text the owner changed."""

    screen: Hierarchy
    """The views when its text was read."""
    field: Node
    empty: str
    """What it showed before: its hint where it was empty."""
    secret: bool = False
    """Whether it takes a password or a code; its text is not kept."""


class TouchMoment(NamedTuple):
    """One touch, or the end of the recording."""

    kind: TouchKind | None
    """None at the end."""
    before: Hierarchy
    after: Hierarchy
    target: Node | None = None
    """The view that took the touch, one of those of ``before``."""
    direction: Direction = Direction.DOWN
    """Of a scroll or a swipe: where the content goes on."""
    seconds: float = 0.0
    """How long the screen took to stand still again."""
    typed: tuple[TypedField, ...] = ()
    """Fields that were filled in since the last touch."""
    left: bool = False
    """Whether another app came to the front."""


class TaskRecording(NamedTuple):
    """What the owner did in an app."""

    app: str
    language: str
    first: Hierarchy
    """The screen on which it began."""
    moments: tuple[TouchMoment, ...]
    ended: Text = ""
    """Why it ended by itself; empty where the owner ended it."""
