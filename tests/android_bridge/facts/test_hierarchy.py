"""The tree of the screen."""

import random
from pathlib import Path

import pytest

from android_bridge.facts.hierarchy import parse_hierarchy
from android_bridge.facts.reader import UnreadableError
from tests.proof import examples

LOGIN = "emulator-wdiodemo-login.txt"


@pytest.fixture
def folder(shared: Path) -> Path:
    """No captured tree may be redistributed."""
    return shared / "fixtures/android/uiautomator-dump"


def test_every_captured_tree_parses_with_all_its_views(folder: Path) -> None:
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert len(list(parse_hierarchy(text).nodes())) == text.count("<node "), path.name


def test_a_view_has_its_text_place_and_state(folder: Path) -> None:
    tree = parse_hierarchy((folder / LOGIN).read_text(encoding="utf-8"))
    (field,) = [node for node in tree.nodes() if node.description == "input-password"]
    assert field.password
    assert field.class_name == "android.widget.EditText"
    assert field.package == "com.wdiodemoapp"
    x, y = field.bounds.center
    assert field.bounds.left < x < field.bounds.right
    assert field.bounds.top < y < field.bounds.bottom
    assert "LOGIN" in tree.texts()


def test_what_the_tool_prints_around_the_tree_is_left_out(folder: Path) -> None:
    text = (folder / LOGIN).read_text(encoding="utf-8")
    assert parse_hierarchy(f"warning\n{text}UI hierchary dumped to: /dev/tty\n") == parse_hierarchy(text)
    empty = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"1\" />"
    assert (parse_hierarchy(empty).roots, parse_hierarchy(empty).rotation) == ((), 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ERROR: could not get idle state.\n",
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><hierarchy rotation='0'></hierarchy>",
        "<?xml version='1.0'?><hierarchy rotation='0'><node bounds='[0,0]'></node></hierarchy>",
        "<?xml version='1.0'?><hierarchy rotation='0'><node></hierarchy>",
        "<?xml version='1.0'?><hierarchy rotation='0'>" + "<node bounds='[0,0][1,1]'>" * 900 + "</hierarchy>",
    ],
)
def test_no_tree_is_an_error(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse_hierarchy(text)


def test_a_mutilated_tree_raises_nothing_but_unreadable(folder: Path) -> None:
    chance = random.Random(7)
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        for _ in range(examples(5, 500)):
            start = chance.randrange(len(text))
            broken = (
                text[:start]
                + chance.choice(["", "<", '"', "&#0;", "9" * 5000, "\x00"])
                + text[start + chance.randint(0, 30) :]
            )
            try:
                parse_hierarchy(broken)
            except UnreadableError:
                continue
