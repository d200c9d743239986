"""Steps: one thing that the person did, or that the screen did, each."""

from datetime import datetime
from enum import StrEnum

from pydantic import JsonValue

from collectors import apps
from collectors.sources.times import iso
from heed.language import Language
from heed.model import Frozen


class StepKind(StrEnum):
    """What a step is. Facts and wording refer to these names."""

    OPEN = "open"
    """The person opened an app."""
    APPEAR = "appear"
    """An app came to the front although nobody touched the screen: an alarm, a call, heed itself."""
    TAP = "tap"
    LONG_PRESS = "long_press"
    SCROLL = "scroll"
    """A swipe over something that scrolls; ``direction`` is where the finger went."""
    SWIPE = "swipe"
    PINCH = "pinch"
    """More than one finger."""
    TYPE = "type"
    """Text was put into a field."""
    PASSWORD = "password"  # noqa: S105
    """Something was put into a password field: recorded as such, never what."""
    SCREEN = "screen"
    """``target`` is ``on``, ``off`` or ``unlocked``."""
    PRIVATE = "private"
    """An app that is never looked at came to the front; which one is not recorded."""
    PROTECTED = "protected"
    """The app forbids pictures of its screen: nothing on it is recorded."""


class TrajectoryStep(Frozen):
    """One step; what others may have written is redacted already."""

    at: datetime
    """On the phone's wall clock."""
    kind: StepKind
    package: str = ""
    """The app in which it happened; empty for the screen and for private apps."""
    target: str = ""
    """What was touched or filled in, in the screen's own words; empty when that is not known for sure."""
    text: str = ""
    """What was typed."""
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
