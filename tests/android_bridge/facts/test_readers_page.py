"""The page on what the readers were checked against."""

from pathlib import Path

from tests.android_bridge.facts.readers_page import PAGE, page, unverified


def test_the_page_is_current(shared: Path) -> None:
    written = PAGE.read_text(encoding="utf-8")
    why = "docs/readers.md is not current: run `python -m tests.android_bridge.facts.readers_page`"
    same = written == page(shared / "fixtures" / "android")  # a difference of whole pages takes pytest minutes to draw
    assert same, why


def test_it_names_every_reader_without_a_capture() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert unverified() and all(f"| {name} | `{command}` |" in text for name, command, _ in unverified())
