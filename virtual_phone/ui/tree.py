"""The widget tree: nodes with their place, text and tap action."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from virtual_phone.state import PhoneState

Kind = Literal[
    "frame", "list", "menu", "scroll", "group", "text", "button", "field", "spinner", "switch", "icon", "picture",
    "checkbox", "radio",
]  # fmt: skip
CLASSES: dict[Kind, str] = {
    "frame": "android.widget.FrameLayout",
    "list": "androidx.recyclerview.widget.RecyclerView",
    "menu": "android.widget.ListView",
    "scroll": "android.widget.ScrollView",
    "group": "android.view.ViewGroup",
    "text": "android.widget.TextView",
    "button": "android.widget.Button",
    "field": "android.widget.EditText",
    "spinner": "android.widget.Spinner",
    "switch": "android.widget.Switch",
    "icon": "android.widget.ImageView",
    "picture": "android.widget.ImageView",
    "checkbox": "android.widget.CheckBox",
    "radio": "android.widget.RadioButton",
}
Action = Callable[[PhoneState], object]
"""The action of a tap; its result is ignored."""


class Box(NamedTuple):
    """Pixels: left, top, right, bottom."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def center(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def contains(self, x: int, y: int) -> bool:
        """Whether a point lies inside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def moved(self, dy: int) -> "Box":
        """The same box further down."""
        return Box(self.left, self.top + dy, self.right, self.bottom + dy)

    def clipped(self, other: "Box") -> "Box":
        """The part inside another box; empty boxes have no width or height."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        return Box(left, top, max(left, min(self.right, other.right)), max(top, min(self.bottom, other.bottom)))


@dataclass
class ViewStyle:
    """How a node is drawn; colours are roles of the theme or ``#rrggbb``."""

    fill: str = ""
    ink: str = "ink"
    size: int = 42
    bold: bool = False
    radius: int = 0
    align: Literal["left", "center", "right"] = "left"
    glyph: str = ""
    border: str = ""
    top: bool = False
    """The text begins at the top instead of in the middle."""


@dataclass
class ViewNode:
    """One widget."""

    kind: Kind
    box: Box
    text: str = ""
    resource: str = ""
    """Resource id without its package; with one where it is not the app's (``android:id/button1``)."""
    description: str = ""
    style: ViewStyle = field(default_factory=ViewStyle)
    tap: Action | None = None
    hold: Action | None = None
    """The action of a long press; without one it does what a tap does."""
    back: Action | None = None
    """Of a window's root: what the Back key does instead of leaving the activity."""
    checked: bool | None = None
    """None = not checkable."""
    focused: bool = False
    selected: bool = False
    """Whether this is the selected tab."""
    enabled: bool = True
    password: bool = False
    scroll_range: int = 0
    """Pixels by which this list can be scrolled."""
    hint: str = ""
    children: list["ViewNode"] = field(default_factory=list)

    def walk(self) -> Iterator["ViewNode"]:
        """This node and everything below it, in drawing order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def at(self, x: int, y: int) -> "ViewNode | None":
        """The topmost node at a point that a tap reaches."""
        for child in reversed(self.children):
            found = child.at(x, y) if child.box.contains(x, y) or child.children else None
            if found is not None:
                return found
        return self if self.tap is not None and self.enabled and self.box.contains(x, y) else None

    def scaled(self, across: float, down: float) -> "ViewNode":
        """Stretch this node and everything in it; returns itself."""
        for node in self.walk():
            left, top, right, bottom = node.box
            node.box = Box(round(left * across), round(top * down), round(right * across), round(bottom * down))
            node.style = replace(
                node.style, size=round(node.style.size * across), radius=round(node.style.radius * across)
            )
        return self

    def moved(self, dy: int) -> "ViewNode":
        """Move this node and everything in it; returns itself."""
        for node in self.walk():
            node.box = node.box.moved(dy)
        return self


@dataclass
class ScreenWindow:
    """One window: the app's, or one of the system's over it."""

    package: str
    root: ViewNode
    name: str = ""
    touch_modal: bool = True
    """Whether taps outside its nodes are kept from the windows below."""
    dims: bool = False
    """Whether the windows below are darkened."""
    secure: bool = False
    """``FLAG_SECURE``: black in every picture of the screen."""
