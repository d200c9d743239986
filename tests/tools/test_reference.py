import pytest

from tools.reference import PAGES, ROOT


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_file_is_what_the_code_says(name: str) -> None:
    current = (ROOT / name).read_text(encoding="utf-8")
    same = current == PAGES[name]()  # a difference of whole pages takes pytest minutes to draw
    assert same, f"{name} is not current: run `make reference`"
