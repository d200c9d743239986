"""KnowU-Bench's actions on a screen, and the screen step that each one is (``executors/steps/vocabulary.py``).

Source: ``JSONAction`` in the benchmark's ``runtime/utils/models.py`` (ZJU-REAL/KnowU-Bench, Apache-2.0). Its
``unknown``, ``mcp`` and ``error_env`` are states of its environment and no actions on a screen.
"""

from collections.abc import Mapping

from pydantic import JsonValue

ACTIONS: Mapping[str, Mapping[str, JsonValue]] = {
    "open_app": {"do": "launch"},
    "click": {"do": "tap", "times": 1},
    "double_tap": {"do": "tap", "times": 2},
    "long_press": {"do": "long_press"},
    "input_text": {"do": "type", "enter": False},
    "keyboard_enter": {"do": "type", "enter": True},
    "scroll": {"do": "scroll_to"},
    "swipe": {"do": "swipe"},
    "drag": {"do": "swipe"},
    "navigate_back": {"do": "back"},
    "navigate_home": {"do": "home"},
    "wait": {"do": "wait_for"},
    "ask_user": {"do": "ask"},
    "answer": {"do": "finish"},
    "finished": {"do": "finish"},
    "status": {"do": "finish"},
}
"""Per action of the benchmark the step, with the fields that tell like ones apart. ``find`` and ``read`` have none: the
benchmark's agents look at pictures."""
