"""Covers secrets on a picture of the screen: a filled rectangle over each view that shows one."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from android_bridge.facts.hierarchy import Bounds, Hierarchy, Node
from collectors.limits import MOST_CHARACTERS
from heed.redaction import redact_together

_COVER = (64, 64, 64)
_MARGIN = 4
"""Pixels around a view: a font's curves reach over its bounds."""


def secret_views(screen: Hierarchy) -> tuple[Bounds, ...]:
    """The bounds of the views that show a secret, all texts of the screen taken together."""
    nodes = [node for node in screen.nodes() if node.text or node.description]
    texts = [text[:MOST_CHARACTERS] for node in nodes for text in (node.text, node.description)]
    kept = redact_together(texts) if texts else []
    changed = [before != after for before, after in zip(texts, kept, strict=True)]
    found = [node for place, node in enumerate(nodes) if any(changed[2 * place : 2 * place + 2])]
    return tuple(node.bounds for node in (*found, *_passwords(screen)))


def _passwords(screen: Hierarchy) -> list[Node]:
    return [node for node in screen.nodes() if node.password]


def fits(picture: Image.Image, views: Sequence[Bounds]) -> bool:
    """Whether the views lie on the picture: otherwise it is of another size than the screen that was read."""
    return all(view.left < view.right <= picture.width and view.top < view.bottom <= picture.height for view in views)


def cover(picture: Image.Image, views: Sequence[Bounds]) -> None:
    """Fill the views' rectangles, in place."""
    draw = ImageDraw.Draw(picture)
    for view in views:
        box = (view.left - _MARGIN, view.top - _MARGIN, view.right + _MARGIN, view.bottom + _MARGIN)
        draw.rectangle(box, fill=_COVER)
