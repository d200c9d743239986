import pytest

from tools.reference import DOCS, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_the_reference_page_is_what_the_code_says(name: str) -> None:
    current = (DOCS / name).read_text(encoding="utf-8")
    same = current == PAGES[name]()  # a difference of whole pages takes pytest minutes to draw
    assert same, f"docs/{name} is not current: run `make reference`"
