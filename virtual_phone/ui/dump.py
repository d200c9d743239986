"""``uiautomator dump``: the active window as XML (AOSP AccessibilityNodeInfoDumper)."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from virtual_phone.ui.tree import CLASSES, Box, ScreenWindow, ViewNode

_QUOTES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def hierarchy(windows: Sequence[ScreenWindow], rotation: int = 0, *, depth: int = 50) -> str:
    """The whole file: each window's root below ``hierarchy``, ``depth`` levels of each."""
    body = "".join(_node(window.root, 0, window.package, window.root.box, depth) for window in windows)
    return (
        f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">{body}</hierarchy>"
    )


def _safe(text: str) -> str:
    legal = "".join(character if character >= " " or character in "\n\r\t" else "." for character in text)
    return escape(legal.encode("utf-8", "replace").decode("utf-8"), _QUOTES)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def attributes(node: ViewNode, index: int, package: str, clip: Box) -> dict[str, str]:
    """A node as accessibility reports it; ``bounds`` end where its list ends."""
    box = node.box.clipped(clip)
    return {
        "index": str(index),
        "text": node.text or (node.hint if node.kind == "field" else ""),
        "resource-id": _identified(node.resource, package),
        "class": CLASSES[node.kind],
        "package": package,
        "content-desc": node.description,
        "checkable": _flag(node.checked is not None),
        "checked": _flag(bool(node.checked)),
        "clickable": _flag(node.tap is not None),
        "enabled": _flag(node.enabled),
        "focusable": _flag(node.tap is not None),
        "focused": _flag(node.focused),
        "scrollable": _flag(node.scroll_range > 0),
        "long-clickable": _flag(node.hold is not None),
        "password": _flag(node.password),
        "selected": _flag(node.selected),
        "bounds": f"[{box.left},{box.top}][{box.right},{box.bottom}]",
    }


def _identified(resource: str, package: str) -> str:
    return f"{package}:id/{resource}" if resource and ":" not in resource else resource


def visible_children(node: ViewNode, clip: Box) -> list[ViewNode]:
    """The children that are at least partly visible."""
    box = node.box.clipped(clip)
    return [child for child in node.children if child.box.clipped(box).height > 0]


def _node(node: ViewNode, index: int, package: str, clip: Box, depth: int) -> str:
    # The last two: captures emulator-wdiodemo-login and emulator-gms-popup.
    shown = attributes(node, index, package, clip) | {"drawing-order": str(index + 1), "hint": node.hint}
    words = " ".join(f'{name}="{_safe(value)}"' for name, value in shown.items())
    children = visible_children(node, clip) if depth > 1 else []
    box = node.box.clipped(clip)
    inner = "".join(_node(child, number, package, box, depth - 1) for number, child in enumerate(children))
    return f"<node {words}>{inner}</node>" if inner else f"<node {words} />"
