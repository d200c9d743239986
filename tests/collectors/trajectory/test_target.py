"""What a finger touched, from trees of views; and what was typed, from how fields look."""

from hypothesis import given
from hypothesis import strategies as st

from android_bridge.events.touch import Gesture
from android_bridge.facts.hierarchy import Hierarchy, parse_hierarchy
from collectors.trajectory.gestures import GestureResult, interpret_gesture
from collectors.trajectory.steps import StepKind
from collectors.trajectory.target import LONGEST, target_at
from collectors.trajectory.typing import TypedText, Typing

KEYBOARD = "com.google.android.inputmethod.latin"


def node(bounds: str, inside: str = "", **attributes: str) -> str:
    words = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<node bounds="{bounds}" {words}>{inside}</node>'


def tree(*nodes: str, rotation: int = 0) -> Hierarchy:
    return parse_hierarchy(f"<?xml version='1.0'?><hierarchy rotation='{rotation}'>{''.join(nodes)}</hierarchy>")


def field(text: str, **attributes: str) -> str:
    given = {"resource_id": "a:id/search_box", "focused": "true", "clickable": "true", **attributes}
    return node("[0,0][1000,100]", text=text, **{"class": "android.widget.EditText"}, **given)


def press(x: int, y: int, to: tuple[int, int] | None = None, seconds: float = 0.1, fingers: int = 1) -> Gesture:
    return Gesture(start=(x, y), end=to or (x, y), seconds=seconds, fingers=fingers, screen=(1000, 2000))


ROW = node(
    "[0,100][1000,300]",
    node("[0,100][100,300]", text="A") + node("[100,100][900,200]", text="Alice Chen"),
    clickable="true",
)


def test_a_row_is_called_by_its_first_words() -> None:
    assert interpret_gesture(press(500, 250), tree(ROW)) == GestureResult(StepKind.TAP, "Alice Chen")


def test_an_empty_layer_over_a_button_does_not_hide_it() -> None:
    layered = node("[0,0][1000,2000]", ROW + node("[0,0][1000,2000]"))
    assert interpret_gesture(press(500, 250), tree(layered)).target == "Alice Chen"


def test_a_window_above_is_what_is_touched() -> None:
    dialog = node("[0,0][1000,2000]", text="Delete?", clickable="true")
    assert interpret_gesture(press(500, 250), tree(ROW, dialog)).target == "Delete?"


def test_beside_all_views_nothing_is_known() -> None:
    assert interpret_gesture(press(500, 1500), tree(ROW)) == GestureResult(StepKind.TAP)
    assert interpret_gesture(press(500, 250), None) == GestureResult(StepKind.TAP)


def test_keys_of_keyboards_and_number_pads_are_not_told() -> None:
    pad = node("[0,500][300,800]", text="7", clickable="true")
    keyboard = node("[0,1500][1000,2000]", text="space", clickable="true", package=KEYBOARD)
    assert interpret_gesture(press(100, 600), tree(pad)) == GestureResult(StepKind.TAP, key=True)
    assert interpret_gesture(press(100, 1600), tree(keyboard), KEYBOARD) == GestureResult(StepKind.TAP, key=True)
    assert interpret_gesture(press(100, 1600), tree(field("hi"))).key


def test_gestures_are_told_apart() -> None:
    scrolling = tree(node("[0,0][1000,2000]", ROW, scrollable="true"))
    assert interpret_gesture(press(500, 250, (500, 1000)), scrolling) == GestureResult(
        StepKind.SCROLL, direction="down"
    )
    assert interpret_gesture(press(500, 250, (100, 260)), tree(ROW)) == GestureResult(StepKind.SWIPE, direction="left")
    assert interpret_gesture(press(500, 250, seconds=0.7), tree(ROW)) == GestureResult(
        StepKind.LONG_PRESS, "Alice Chen"
    )
    assert interpret_gesture(press(500, 250, fingers=2), tree(ROW)) == GestureResult(StepKind.PINCH)


def test_on_a_turned_screen_the_touch_is_turned_too() -> None:
    # A quarter turn: the point (750, 500) of the phone is (500, 249) of what apps draw.
    assert interpret_gesture(press(750, 500), tree(ROW, rotation=1)).target == "Alice Chen"


def test_a_field_is_called_by_its_name_never_by_what_is_in_it() -> None:
    assert interpret_gesture(press(500, 50), tree(field("my secret diary"))).target == "search box"


def test_what_is_typed_is_the_fields_new_text() -> None:
    typing = Typing()
    assert typing.see(tree(field("Search"))) == [] and typing.going_on
    assert typing.see(tree(field("noo"))) == [TypedText("search box", "noo", password=False)]
    assert typing.see(tree(field("noo"))) == []
    assert typing.see(tree(field("noodles"))) == [TypedText("search box", "noodles", password=False)]
    assert typing.see(tree(field("Search"))) == [], "an empty field shows its hint"


def test_a_password_is_never_told() -> None:
    typing = Typing()
    typing.see(tree(field("", password="true")))
    assert typing.see(tree(field("hunter2", password="true"))) == [TypedText("search box", "", password=True)]


def test_keys_without_a_look_are_told_without_text() -> None:
    typing = Typing()
    typing.key()
    assert typing.interrupted() is None
    typing.see(tree(field("Search")))
    typing.key()
    assert typing.interrupted() == TypedText("search box", "", password=False)
    assert typing.interrupted() is None


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>&\"'"), max_size=200))
def test_names_are_short_and_on_one_line(text: str) -> None:
    target = target_at(tree(node("[0,0][10,10]", text=text, clickable="true")), 5, 5)
    assert len(target.words) <= LONGEST and "\n" not in target.words
