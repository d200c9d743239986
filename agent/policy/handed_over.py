"""Whether the owner has left a page that heed opened for them, although it is still in front."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from collectors.context import Context

LEFT_AFTER = timedelta(minutes=5)
"""A page that was not touched for this long was left."""
_TOUCHES = frozenset({"tap", "long_press", "scroll", "swipe", "pinch", "type", "password"})


def left_app(context: Context) -> str:
    """The package in front, where heed opened its page last and the owner left it; else empty.

    The owner left it when the screen went off since, or when nothing was touched for ``LEFT_AFTER``.
    """
    opened = next((one for one in reversed(_items(context, "heed.done")) if one.get("outcome") == "handed_over"), None)
    app = str(opened.get("app", "")) if opened else ""
    if opened is None or not app or app != context.value("foreground.package"):
        return ""
    at = _time(opened)
    steps = [step for step in _items(context, "trajectory.steps") if _time(step) > at]
    touched = max((_time(step) for step in steps if step.get("kind") in _TOUCHES), default=at)
    switched_off = any(_is_screen_off(step) and _time(step) >= touched for step in steps)
    return app if switched_off or context.now - touched >= LEFT_AFTER else ""


def _is_screen_off(step: Mapping[str, JsonValue]) -> bool:
    return step.get("kind") == "screen" and step.get("target") == "off"


def _items(context: Context, name: str) -> Sequence[Mapping[str, JsonValue]]:
    value = context.value(name)
    return [item for item in (value if isinstance(value, list) else []) if isinstance(item, dict)]


def _time(step: Mapping[str, JsonValue]) -> datetime:
    return datetime.fromisoformat(str(step["time"]))
