"""The views on the screen, from the accessibility tree.

Checked against ``uiautomator dump`` of the Google emulator, Samsung, vivo and Xiaomi (lock screen), and against the
richer tree of uiautomator2's server. Texts come from apps, so they are third-party text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg
from heed.model import Frozen


class Bounds(NamedTuple):
    """A rectangle in pixels of the screen; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def center(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2


class Node(Frozen):
    """One view."""

    package: str
    class_name: str
    resource_id: str
    text: str
    description: str
    """The content description (``content-desc``)."""
    bounds: Bounds
    clickable: bool
    scrollable: bool
    checkable: bool
    checked: bool
    enabled: bool
    focused: bool
    selected: bool
    password: bool
    children: tuple["Node", ...] = ()

    def walk(self) -> Iterator["Node"]:
        """Yields this view and all views inside it, in tree order."""
        yield self
        for child in self.children:
            yield from child.walk()


class Hierarchy(Frozen):
    """The windows of the screen; the status bar or the lock screen may be among them."""

    rotation: int
    """Quarter turns of the screen, 0 to 3 (``Surface.ROTATION_*``)."""
    roots: tuple[Node, ...]

    def nodes(self) -> Iterator[Node]:
        """Yields all views."""
        for root in self.roots:
            yield from root.walk()

    def texts(self) -> tuple[str, ...]:
        """Returns all texts and descriptions in tree order, without repetition."""
        words = (word for node in self.nodes() for word in (node.text, node.description) if word.strip())
        return tuple(dict.fromkeys(words))


_DECLARATION, _END = "<?xml", "</hierarchy>"
_EMPTY = re.compile(r"<\?xml[^>]*\?>\s*+<hierarchy[^>]*/>")
_BOUNDS = re.compile(r"\[(-?\d{1,6}),(-?\d{1,6})\]\[(-?\d{1,6}),(-?\d{1,6})\]", re.ASCII)
_MAX_DEPTH = 200


@parser(msg("The screen's contents"))
def parse_hierarchy(text: str) -> Hierarchy:
    """Parses ``uiautomator dump /dev/tty`` or uiautomator2's ``dumpWindowHierarchy``."""
    document = _document(text)
    # A document type could define entities that grow without end; Android writes none.
    if not document or "<!DOCTYPE" in document:
        raise missing(msg("tree of views"))
    try:
        root = ElementTree.fromstring(document)  # noqa: S314 - no document type, see above
    except ElementTree.ParseError as error:
        raise missing(msg("well-formed tree of views")) from error
    return Hierarchy(rotation=int(root.get("rotation", "0")), roots=tuple(_node(child, 1) for child in root))


def _document(text: str) -> str:
    """Returns the document in the output, which the tool's own messages may surround; empty when there is none."""
    start = max(text.find(_DECLARATION), 0)
    end = text.rfind(_END, start)
    if end >= 0 and text.startswith(_DECLARATION, start):
        return text[start : end + len(_END)]
    empty = _EMPTY.match(text, start)
    return empty[0] if empty else ""


def _node(element: ElementTree.Element, depth: int) -> Node:
    bounds = _BOUNDS.fullmatch(element.get("bounds", ""))
    if bounds is None or depth > _MAX_DEPTH:
        raise missing(msg("bounds of a view"))
    return Node(
        package=element.get("package", ""),
        class_name=element.get("class", ""),
        resource_id=element.get("resource-id", ""),
        text=element.get("text", ""),
        description=element.get("content-desc", ""),
        bounds=Bounds(*(int(number) for number in bounds.groups())),
        **{flag: element.get(flag) == "true" for flag in _FLAGS},
        children=tuple(_node(child, depth + 1) for child in element),
    )


_FLAGS = ("clickable", "scrollable", "checkable", "checked", "enabled", "focused", "selected", "password")

HIERARCHY = Reader("hierarchy", "uiautomator dump /dev/tty", parse_hierarchy)
"""Takes two to three seconds, because it waits until the screen is idle; ``android_bridge.ui`` is faster."""
