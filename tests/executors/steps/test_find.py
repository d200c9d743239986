"""Which views a locator means: by the row that they lie in, by their state, and by their place among their like."""

import pytest

from android_bridge.facts.hierarchy import Bounds, Hierarchy, Node
from executors.steps.find import matching
from executors.steps.vocabulary import Locator

APP = "com.example"


def view(kind: str, *children: Node, text: str = "", checked: bool | None = None) -> Node:
    """A view of one app, of a class of ``android.widget``."""
    return Node(
        package=APP, class_name=f"android.widget.{kind}", resource_id="", text=text, description="",
        bounds=Bounds(0, 0, 10, 10), clickable=True, scrollable=False, checkable=checked is not None,
        checked=bool(checked), enabled=True, focused=False, selected=False, password=False, children=children,
    )  # fmt: skip


def row(title: str, *, on: bool) -> Node:
    return view("FrameLayout", view("TextView", text=title), view("Switch", checked=on))


TOOLS = view("LinearLayout", view("ImageView"), view("ImageView"), view("TextView", text="Wi-Fi"))
SCREEN = Hierarchy(
    rotation=0,
    roots=(view("FrameLayout", TOOLS, view("ListView", row("Wi-Fi", on=True), row("Sound", on=False))),),
)
SCROLLED = Hierarchy(rotation=0, roots=(view("ScrollView", row("Wi-Fi", on=True), row("Sound", on=False)),))


@pytest.mark.parametrize(
    ("conditions", "count"),
    [
        ({"role": "switch"}, 2),
        ({"role": "switch", "beside": ["Sound"]}, 1),
        ({"role": "switch", "beside": ["声音", "Sound"]}, 1),
        ({"role": "switch", "beside": ["Display"]}, 0),
        ({"role": "switch", "checked": True}, 1),
        ({"role": "switch", "checked": True, "beside": ["Sound"]}, 0),
        ({"role": "text", "checked": False}, 0),
        ({"role": "image", "beside": ["Wi-Fi"]}, 0),  # the bar is no row of a list
        ({"role": "image", "place": [2, 2]}, 1),
        ({"role": "image", "place": [2, 3]}, 0),
        ({"role": "image", "place": [0, 2]}, 0),
        ({"role": "switch", "place": [1, 1]}, 2),  # in two parents
    ],
)
def test_conditions(conditions: dict[str, object], count: int) -> None:
    assert len(matching(SCREEN, Locator.model_validate(conditions), APP)) == count


def test_a_page_that_only_scrolls_has_no_rows() -> None:
    assert not matching(SCROLLED, Locator.model_validate({"role": "switch", "beside": ["Wi-Fi"]}), APP)
