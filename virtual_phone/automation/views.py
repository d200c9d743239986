"""The screen as an accessibility service sees it, and uiautomator's selectors.

The meaning of a selector is androidx.test.uiautomator's ``UiSelector``: text and description match exactly, their
``Contains`` and ``StartsWith`` forms ignore case, ``Matches`` is a pattern for the whole string, ``instance`` counts
matches in drawing order, and a child or sibling selector searches below a match or below its parent.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from virtual_phone.ui.dump import attributes, visible_children
from virtual_phone.ui.tree import Box, ScreenWindow, ViewNode

Selector = Mapping[str, Any]


@dataclass
class View:
    """A node with its accessibility attributes and its visible part."""

    node: ViewNode
    attributes: dict[str, str]
    visible: Box
    parent: "View | None" = None
    children: list["View"] = field(default_factory=list)

    def walk(self) -> Iterator["View"]:
        """This view and all below it, in drawing order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def info(self) -> dict[str, Any]:
        """The attributes as ``objInfo`` returns them."""
        shown = self.attributes
        flags = {_FLAGS[name]: shown[name] == "true" for name in _FLAGS}
        return flags | {
            "bounds": _edges(self.node.box),
            "visibleBounds": _edges(self.visible),
            "childCount": len(self.children),
            "className": shown["class"],
            "contentDescription": shown["content-desc"] or None,
            "packageName": shown["package"],
            "resourceName": shown["resource-id"] or None,
            "text": shown["text"],
        }


_FLAGS = {
    "checkable": "checkable", "checked": "checked", "clickable": "clickable", "enabled": "enabled",
    "focusable": "focusable", "focused": "focused", "scrollable": "scrollable",
    "long-clickable": "longClickable", "selected": "selected",
}  # fmt: skip


def _edges(box: Box) -> dict[str, int]:
    return dict(zip(("left", "top", "right", "bottom"), box, strict=True))


def views(windows: Sequence[ScreenWindow]) -> list[View]:
    """The root view of every window."""
    return [_view(window.root, 0, window.package, window.root.box, None) for window in windows]


def _view(node: ViewNode, index: int, package: str, clip: Box, parent: View | None) -> View:
    view = View(node, attributes(node, index, package, clip), node.box.clipped(clip), parent)
    children = visible_children(node, clip)
    view.children = [_view(child, number, package, view.visible, view) for number, child in enumerate(children)]
    return view


def _exactly(shown: str, wanted: str) -> bool:
    return shown == wanted


def _contains(shown: str, wanted: str) -> bool:
    return wanted.lower() in shown.lower()


def _starts(shown: str, wanted: str) -> bool:
    return shown.lower().startswith(wanted.lower())


def _matches(shown: str, wanted: str) -> bool:
    return re.fullmatch(wanted, shown, re.DOTALL) is not None


_WORDS: dict[str, tuple[str, Callable[[str, str], bool]]] = {
    "text": ("text", _exactly), "textContains": ("text", _contains), "textMatches": ("text", _matches),
    "textStartsWith": ("text", _starts), "className": ("class", _exactly), "classNameMatches": ("class", _matches),
    "description": ("content-desc", _exactly), "descriptionContains": ("content-desc", _contains),
    "descriptionMatches": ("content-desc", _matches), "descriptionStartsWith": ("content-desc", _starts),
    "packageName": ("package", _exactly), "packageNameMatches": ("package", _matches),
    "resourceId": ("resource-id", _exactly), "resourceIdMatches": ("resource-id", _matches),
}  # fmt: skip
_SWITCHES = {camel: name for name, camel in _FLAGS.items()}


def _fits(view: View, selector: Selector) -> bool:
    for key, (attribute, compare) in _WORDS.items():
        if key in selector and not compare(view.attributes[attribute], str(selector[key])):
            return False
    for key, attribute in _SWITCHES.items():
        if key in selector and (view.attributes[attribute] == "true") != bool(selector[key]):
            return False
    return "index" not in selector or view.attributes["index"] == str(selector["index"])


def _chosen(candidates: Iterator[View], selector: Selector) -> list[View]:
    """The distinct candidates that match, or only the one of the selector's ``instance``."""
    found: dict[int, View] = {id(view): view for view in candidates if _fits(view, selector)}
    matches = list(found.values())
    if "instance" in selector:
        at = int(selector["instance"])
        return matches[at : at + 1]
    return matches


def _below(view: View, relation: str) -> Iterator[View]:
    """The views among which a child (or sibling) of a match is searched."""
    base = view.parent if relation == "sibling" else view
    for child in base.children if base else []:
        yield from child.walk()


def select(roots: Sequence[View], selector: Selector) -> list[View]:
    """Every view that matches a selector in uiautomator2's form, in drawing order."""
    matches = _chosen((view for root in roots for view in root.walk()), selector)
    steps = zip(selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=True)
    for relation, inner in steps:
        matches = _chosen((view for match in matches for view in _below(match, relation)), inner)
    return matches
