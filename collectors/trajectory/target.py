"""Finds the touched view: from a point and the view hierarchy before the touch."""

from collections.abc import Iterable
from typing import NamedTuple

from android_bridge.facts.hierarchy import Bounds, Hierarchy, Node

LONGEST = 60
"""Maximum number of characters of a view's label."""
_EDITABLE = ("EditText", "AutoCompleteTextView", "MultiAutoCompleteTextView", "SearchAutoComplete")


class Target(NamedTuple):
    """The view at a point."""

    words: str
    """Its label on the screen; empty when it has none."""
    key: bool
    """Whether it is a key of a keyboard or number pad; pressed keys are never recorded."""
    scrolls: bool
    """Whether a view at this point scrolls."""


def target_at(tree: Hierarchy, x: int, y: int, keyboard: str = "") -> Target:
    """The target of a tap: the topmost clickable view at the point, else the topmost one with a label.

    ``keyboard`` is the package of the phone's keyboard.
    """
    paths = [path for root in tree.roots for path in _paths(root, x, y)]
    scrolls = any(node.scrollable for path in paths for node in path)
    tapped = next((node for path in reversed(paths) for node in reversed(path) if node.clickable), None)
    worded = next((path[-1] for path in reversed(paths) if words_of(path[-1])), None)
    reached = tapped or worded
    words = words_of(reached)
    is_key = len(words) == 1 or (reached is not None and keyboard != "" and reached.package == keyboard)
    return Target(words, is_key, scrolls)


def words_of(node: Node | None) -> str:
    """The label of a view: its text, its description or the first text inside it; for a text field its name."""
    if node is None:
        return ""
    if is_editable(node):
        return field_name(node)
    inside = [word.strip() for one in node.walk() for word in _own(one) if word.strip()]
    # The first letter of a name, as a picture, comes before the name.
    longer = [word for word in inside if len(word) > 1]
    return _short((longer or inside or [""])[0])


def is_editable(node: Node) -> bool:
    """Whether text can be typed into it."""
    return node.class_name.rsplit(".", 1)[-1] in _EDITABLE


def field_name(node: Node) -> str:
    """The name of a text field: its description or resource name, never its text, which was typed."""
    return _short(node.description.strip() or node.resource_id.rpartition("/")[2].replace("_", " ").strip())


def fields(tree: Hierarchy) -> Iterable[Node]:
    """The text fields on the screen."""
    return (node for node in tree.nodes() if is_editable(node))


def focused_field(tree: Hierarchy) -> Node | None:
    """The text field with the focus."""
    return next((node for node in fields(tree) if node.focused), None)


def has_password(tree: Hierarchy) -> bool:
    """Whether a password field is on the screen."""
    return any(node.password for node in tree.nodes())


def _own(node: Node) -> tuple[str, ...]:
    return () if node.password or is_editable(node) else (node.text, node.description)


def _paths(node: Node, x: int, y: int) -> list[tuple[Node, ...]]:
    """The paths from ``node`` to each innermost view at the point, in drawing order."""
    if not _contains(node.bounds, x, y):
        return []
    inner = [(node, *path) for child in node.children for path in _paths(child, x, y)]
    return inner or [(node,)]


def _contains(box: Bounds, x: int, y: int) -> bool:
    return box.left <= x < box.right and box.top <= y < box.bottom


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
