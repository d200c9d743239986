"""The views of an app as numbered lines for a model; what it may not touch has no number."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from android_bridge.facts.hierarchy import Hierarchy, Node
from executors.steps.find import label_texts, matching, role_of, takes_touch
from executors.steps.vocabulary import Locator, ViewRole
from heed.redaction import redact_together

MOST_VIEWS, MOST_LINES = 80, 160
_MOST_TEXT = 80
"""Characters of one view's text."""
_NAME = re.compile(r"\w{1,60}")
"""A resource id; some frameworks put any text there."""
_AT_ONCE = ("Switch", "SwitchCompat", "ToggleButton")
"""Ends of the classes of switches: they, and rows that hold one, take effect at once, without a last button."""


class Listing(NamedTuple):
    """What of a screen a model is shown."""

    lines: tuple[str, ...]
    """Texts are JSON strings, so that none can pose as a line of its own; secrets are left out."""
    views: tuple[Node, ...]
    """The views that may be named in an answer; the first one has the number 1."""


class _Line(NamedTuple):
    node: Node
    texts: tuple[str, ...]
    touchable: bool


def listed(hierarchy: Hierarchy, app: str) -> Listing:
    """Returns the views of an app, in reading order.

    Args:
        hierarchy: the views on the screen; those of other apps are left out.
        app: the package.
    """
    found = [line for root in hierarchy.roots for line in _lines(root, app)][:MOST_LINES]
    texts = [text for line in found for text in line.texts]
    kept = iter(redact_together(texts) if texts else [])
    lines: list[str] = []
    views: list[Node] = []
    for line in found:
        shown = tuple(next(kept) for _ in line.texts)
        usable = line.touchable and shown == line.texts and len(views) < MOST_VIEWS
        if usable:
            views.append(line.node)
        lines.append(_worded(line.node, shown, len(views) if usable else 0))
    return Listing(tuple(lines), tuple(views))


def locator_of(node: Node, hierarchy: Hierarchy, app: str) -> Locator:
    """Returns the locator of a listed view: at its place, as it is and with what it says now.

    A field is found by its id alone where that is unique: typing changes its text, and the keyboard moves it.
    """
    role, own = role_of(node), Locator(id=node.resource_id, role=role_of(node))
    if role is ViewRole.FIELD and node.resource_id and len(matching(hierarchy, own, app)) == 1:
        return own
    texts = label_texts(node)
    inside = texts[:1] if role is not ViewRole.FIELD and not node.text.strip() and not node.description.strip() else ()
    return Locator(
        id=node.resource_id,
        text=(node.text,) if node.text.strip() and role is not ViewRole.FIELD else (),
        description=(node.description,) if node.description.strip() else (),
        inside=inside,
        role=role,
        point=node.bounds.center,
    )


def _lines(node: Node, app: str, *, labels: bool = False) -> Iterator[_Line]:
    """Yields a view and those inside it; a text that ``labels`` a view around it is a part of that view's line."""
    left, top, right, bottom = node.bounds
    shown = node.package == app and right > left and bottom > top
    takes = shown and takes_touch(node)
    if takes:
        at_once = any(inner.class_name.endswith(_AT_ONCE) for inner in node.walk())
        texts = () if node.password else label_texts(node)
        yield _Line(node, texts, node.enabled and not node.password and not at_once)
    elif shown and not labels and (own := tuple(text for text in (node.text, node.description) if text.strip())):
        yield _Line(node, own, touchable=False)
    for child in node.children:
        yield from _lines(child, app, labels=labels or takes)


def _worded(node: Node, texts: tuple[str, ...], number: int) -> str:
    name = node.resource_id.rpartition(":id/")[2]
    parts = [f"[{number}]" if number else "-", str(role_of(node))]
    parts += [json.dumps(text[:_MOST_TEXT], ensure_ascii=False) for text in texts]
    if _NAME.fullmatch(name):
        parts.append(f"id={name}")
    if node.checkable:
        parts.append("on" if node.checked else "off")
    return " ".join(parts)
