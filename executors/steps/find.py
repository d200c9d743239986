"""Finds views in a hierarchy: which ones a locator means, and which one a touch at a point reaches."""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Sequence

from android_bridge.facts.hierarchy import Hierarchy, Node
from executors.steps.vocabulary import Locator, ViewRole

_ROLES: tuple[tuple[ViewRole, tuple[str, ...]], ...] = (
    (ViewRole.FIELD, ("EditText", "AutoCompleteTextView")),
    (ViewRole.SWITCH, ("Switch", "SwitchCompat", "CheckBox", "RadioButton", "ToggleButton")),
    (ViewRole.BUTTON, ("Button",)),
    (ViewRole.LIST, ("ListView", "RecyclerView", "ScrollView", "GridView")),
    (ViewRole.IMAGE, ("ImageView",)),
    (ViewRole.TEXT, ("TextView",)),
)
"""The ends of class names; the first that fits counts (``RadioButton`` before ``Button``)."""
_WITH_ROWS = ("ListView", "RecyclerView", "GridView")


def role_of(node: Node) -> ViewRole:
    """Returns the role of a view, from the name of its class in ``android.widget`` or a library."""
    return next((role for role, ends in _ROLES if node.class_name.endswith(ends)), ViewRole.GROUP)


def folded(text: str) -> str:
    """Returns ``text`` for comparing: without case, width of letters and needless blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def matching(hierarchy: Hierarchy, locator: Locator, package: str = "") -> tuple[Node, ...]:
    """Returns the views that ``locator`` means, in reading order; with ``first`` at most one.

    Args:
        hierarchy: the views on the screen.
        locator: the conditions.
        package: only views of this app; empty for any.
    """
    if locator.point is not None:
        at = topmost(hierarchy, locator.point)
        nodes: Iterator[Node] = iter([at] if at is not None else [])
    else:
        nodes = hierarchy.nodes()
    found = [node for node in nodes if (not package or node.package == package) and _fits(node, locator)]
    if locator.beside:
        found = [node for node in found if _stands_beside(hierarchy, node, _all(locator.beside))]
    if locator.place is not None:
        found = _placed(hierarchy, found, *locator.place)
    return tuple(found[:1] if locator.first else found)


def rows(hierarchy: Hierarchy) -> Iterator[Node]:
    """Yields the rows of all lists: what lies directly in them. A page that only scrolls has none."""
    for node in hierarchy.nodes():
        if node.class_name.endswith(_WITH_ROWS):
            yield from node.children


def row_of(hierarchy: Hierarchy, node: Node) -> Node | None:
    """Returns the innermost row of a list that holds a view; None for one outside all lists."""
    around = [row for row in rows(hierarchy) if any(inner is node for inner in row.walk())]
    return around[-1] if around else None


def _stands_beside(hierarchy: Hierarchy, node: Node, texts: frozenset[str]) -> bool:
    row = row_of(hierarchy, node)
    return row is not None and any(folded(inner.text) in texts for inner in row.walk() if inner is not node)


def _placed(hierarchy: Hierarchy, found: Sequence[Node], number: int, count: int) -> list[Node]:
    """Returns those of ``found`` that are the given one of so many in their parent."""
    wanted = {id(node) for node in found}
    families = [hierarchy.roots, *(node.children for node in hierarchy.nodes())]
    meant = [[child for child in children if id(child) in wanted] for children in families]
    return [children[number - 1] for children in meant if len(children) == count and 1 <= number <= count]


def _fits(node: Node, locator: Locator) -> bool:
    return not _empty(node) and _is_named(node, locator) and _shows(node, locator)


def _is_named(node: Node, locator: Locator) -> bool:
    if locator.role is not None and role_of(node) is not locator.role:
        return False
    if locator.checked is not None and not (node.checkable and node.checked is locator.checked):
        return False
    return locator.id in ("", node.resource_id, node.resource_id.rpartition(":id/")[2])


def _shows(node: Node, locator: Locator) -> bool:
    own = (folded(node.text), folded(node.description))
    if locator.text and own[0] not in _all(locator.text):
        return False
    if locator.description and own[1] not in _all(locator.description):
        return False
    if locator.contains and not any(word and word in text for word in _all(locator.contains) for text in own):
        return False
    if not locator.inside:
        return True
    return takes_touch(node) and any(folded(inner.text) in _all(locator.inside) for inner in node.walk())


def _all(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(folded(text) for text in texts)


def _empty(node: Node) -> bool:
    left, top, right, bottom = node.bounds
    return right <= left or bottom <= top


def topmost(hierarchy: Hierarchy, point: tuple[int, int]) -> Node | None:
    """Returns the view that a touch at ``point`` reaches; None when there is none, or when several windows have one.

    Within a window the last one in tree order lies on top. The order of windows is not known: uiautomator's
    ``getWindowRoots`` returns them from a hash set (androidx.test.uiautomator, ``UiDevice``).
    """
    reached = [found for root in hierarchy.roots if (found := _touched(root, point)) is not None]
    return reached[0] if len(reached) == 1 else None


def _touched(root: Node, point: tuple[int, int]) -> Node | None:
    takers = [node for node in root.walk() if takes_touch(node) and contains(node, point)]
    return takers[-1] if takers else None


def digest(hierarchy: Hierarchy, app: str) -> str:
    """Returns the SHA-256 of an app's views: what they are, say and can, and where they are; not what has the focus."""
    views = [
        [
            *(node.class_name, node.resource_id, node.text, node.description, *node.bounds),
            *(node.clickable, node.checked, node.enabled),
        ]
        for node in hierarchy.nodes()
        if node.package == app
    ]
    return hashlib.sha256(json.dumps(views, ensure_ascii=False).encode()).hexdigest()


def takes_touch(node: Node) -> bool:
    """Whether a touch on it ends there: it can be clicked or checked, or is a text field."""
    return node.clickable or node.checkable or role_of(node) is ViewRole.FIELD


def contains(node: Node, point: tuple[int, int]) -> bool:
    """Whether the point lies on the view."""
    left, top, right, bottom = node.bounds
    return left <= point[0] < right and top <= point[1] < bottom


def taken_by(hierarchy: Hierarchy, node: Node) -> Node | None:
    """Returns the view that takes a touch on ``node``: itself, or the innermost view around it that can be clicked."""
    if takes_touch(node):
        return node
    around = [outer for outer in hierarchy.nodes() if takes_touch(outer) and any(one is node for one in outer.walk())]
    return around[-1] if around else None


def label_texts(node: Node) -> tuple[str, ...]:
    """Returns the texts that label a view: its own, and those inside it that no other view takes touches for."""
    return tuple(text for text in _labels(node, outermost=True) if text.strip())


def _labels(node: Node, *, outermost: bool) -> Iterator[str]:
    if not outermost and takes_touch(node):
        return
    yield from (node.text, node.description)
    for child in node.children:
        yield from _labels(child, outermost=False)
