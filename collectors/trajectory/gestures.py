"""From a gesture and what was on the screen before it to what the person did."""

import math
from typing import NamedTuple

from android_bridge.events.touch import Gesture
from android_bridge.facts.hierarchy import Hierarchy
from collectors.trajectory.steps import StepKind
from collectors.trajectory.target import Target, focused_field, target_at

MOVED = 0.025
"""A finger that moves less than this share of the screen's height is held still (Android's touch slop is 8 dp)."""
LONG_S = 0.5
"""``ViewConfiguration.getLongPressTimeout``"""
_NOTHING = Target("", key=False, scrolls=False)


class GestureResult(NamedTuple):
    """What a gesture did."""

    kind: StepKind
    target: str = ""
    direction: str = ""
    key: bool = False
    """A key was pressed: which one is nobody's business, the field tells what was typed."""


def interpret_gesture(gesture: Gesture, tree: Hierarchy | None, keyboard: str = "") -> GestureResult:
    """What the gesture did on a screen with these views; without them, what the finger alone tells."""
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
