"""Steps: single actions of the owner, and changes of the screen."""

from datetime import datetime
from enum import StrEnum

from pydantic import JsonValue

from collectors import apps
from collectors.sources.times import iso
from heed.language import Language
from heed.model import Frozen


class StepKind(StrEnum):
    """The kind of a step. Facts and wording refer to these names."""

    OPEN = "open"
    """The owner opened an app."""
    APPEAR = "appear"
    """An app came to the foreground without a touch: an alarm, a call, heed itself."""
    TAP = "tap"
    LONG_PRESS = "long_press"
    SCROLL = "scroll"
    """A swipe over a scrolling view; ``direction`` is that of the finger."""
    SWIPE = "swipe"
    PINCH = "pinch"
    """A gesture with more than one finger."""
    TYPE = "type"
    """Text was entered into a field."""
    PASSWORD = "password"  # noqa: S105
    """A password field was filled in; the text is not recorded."""
    SCREEN = "screen"
    """``target`` is ``on``, ``off`` or ``unlocked``."""
    PRIVATE = "private"
    """An excluded app came to the foreground; which one is not recorded."""
    PROTECTED = "protected"
    """The app protects its screen; nothing on it is recorded."""


class TrajectoryStep(Frozen):
    """One step, already redacted."""

    at: datetime
    """On the phone's wall clock."""
    kind: StepKind
    package: str = ""
    """The app in which it happened; empty for the screen and for private apps."""
    target: str = ""
    """The label of the view that was touched or filled in; empty when it is not known for certain."""
    text: str = ""
    """The typed text."""
    direction: str = ""
    """``up``, ``down``, ``left`` or ``right``."""

    def value(self, now: datetime, language: Language) -> dict[str, JsonValue]:
        """The step as a fact's value; empty fields are left out."""
        named = {
            "kind": str(self.kind),
            "package": self.package,
            "app": (apps.name(self.package, language) or self.package) if self.package else "",
            "target": self.target,
            "text": self.text,
            "direction": self.direction,
        }
        return {"time": iso(self.at, now), **{name: value for name, value in named.items() if value}}
