"""What a finger touched: a point and the tree of views that was on the screen before it."""

from collections.abc import Iterable
from typing import NamedTuple

from android_bridge.facts.hierarchy import Bounds, Hierarchy, Node

LONGEST = 60
"""Characters of what a touched view is called."""
_EDITABLE = ("EditText", "AutoCompleteTextView", "MultiAutoCompleteTextView", "SearchAutoComplete")


class Target(NamedTuple):
    """What lies at a point."""

    words: str
    """What it is called on the screen; empty when it has no words."""
    key: bool
    """A key of a keyboard or a number pad: what keys are pressed is never recorded."""
    scrolls: bool
    """Something at this point scrolls."""


def target_at(tree: Hierarchy, x: int, y: int, keyboard: str = "") -> Target:
    """What a tap at this point reaches: the topmost clickable view, else the topmost one with words.

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
    """What a view is called: its text, its description, or the first words inside it; a field by its name."""
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
    """A field's name: its description, or its resource's; its text is what somebody typed."""
    return _short(node.description.strip() or node.resource_id.rpartition("/")[2].replace("_", " ").strip())


def fields(tree: Hierarchy) -> Iterable[Node]:
    """The text fields on the screen."""
    return (node for node in tree.nodes() if is_editable(node))


def focused_field(tree: Hierarchy) -> Node | None:
    """The field that is typed into."""
    return next((node for node in fields(tree) if node.focused), None)


def has_password(tree: Hierarchy) -> bool:
    """Whether a password field is on the screen."""
    return any(node.password for node in tree.nodes())


def _own(node: Node) -> tuple[str, ...]:
    return () if node.password or is_editable(node) else (node.text, node.description)


def _paths(node: Node, x: int, y: int) -> list[tuple[Node, ...]]:
    """The ways down to each innermost view at the point, in drawing order."""
    if not _contains(node.bounds, x, y):
        return []
    inner = [(node, *path) for child in node.children for path in _paths(child, x, y)]
    return inner or [(node,)]


def _contains(box: Bounds, x: int, y: int) -> bool:
    return box.left <= x < box.right and box.top <= y < box.bottom


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
