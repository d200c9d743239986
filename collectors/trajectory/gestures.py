"""Interprets a gesture with the view hierarchy that was on the screen before it."""

import math
from typing import NamedTuple

from android_bridge.events.touch import Gesture
from android_bridge.facts.hierarchy import Hierarchy
from collectors.trajectory.steps import StepKind
from collectors.trajectory.target import Target, focused_field, target_at

MOVED = 0.025
"""A finger that moves less than this share of the screen's height counts as still (Android's touch slop is 8 dp)."""
LONG_S = 0.5
"""Seconds; as ``ViewConfiguration.getLongPressTimeout``."""
_NOTHING = Target("", key=False, scrolls=False)


class GestureResult(NamedTuple):
    """The meaning of a gesture."""

    kind: StepKind
    target: str = ""
    direction: str = ""
    key: bool = False
    """Whether a key was pressed; which one is not recorded, since the text field shows the typed text."""


def interpret_gesture(gesture: Gesture, tree: Hierarchy | None, keyboard: str = "") -> GestureResult:
    """Interprets ``gesture``.

    Args:
        gesture: of one or more fingers.
        tree: the views before the gesture; None = not known, then the result has no target.
        keyboard: package of the phone's keyboard.
    """
    seen = gesture.turned(tree.rotation) if tree else gesture
    target = target_at(tree, *seen.start, keyboard) if tree else _NOTHING
    if gesture.fingers > 1:
        return GestureResult(StepKind.PINCH)
    (x, y), (to_x, to_y) = seen.start, seen.end
    if math.hypot(to_x - x, to_y - y) > MOVED * max(gesture.screen):
        kind = StepKind.SCROLL if target.scrolls else StepKind.SWIPE
        return GestureResult(kind, direction=_direction(to_x - x, to_y - y))
    # While a field has the keyboard, a touch beside all views is one of its keys: the keyboard has no views here.
    is_key = target.key or (not target.words and tree is not None and focused_field(tree) is not None)
    kind = StepKind.LONG_PRESS if gesture.seconds >= LONG_S else StepKind.TAP
    return GestureResult(kind, target="" if is_key else target.words, key=is_key)


def _direction(right: int, down: int) -> str:
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"
