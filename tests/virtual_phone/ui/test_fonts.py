"""Letters of the phone's languages are drawn as themselves."""

from importlib.util import find_spec

import pytest

from virtual_phone import fonts

NOBODY_HAS_IT = "\U0010fffd"


@pytest.mark.skipif(find_spec("pylopdf_fonts_zh_cn") is None, reason="the Chinese font is not installed")
@pytest.mark.parametrize("letters", ["中国银行电话闹钟", "早上好，明天见！", "привет", "αβγ"])
def test_letters_are_not_boxes(letters: str) -> None:
    font = fonts.font(60, wide=True)
    shapes = {bytes(font.getmask(letter)) for letter in letters}
    assert bytes(font.getmask(NOBODY_HAS_IT)) not in shapes
    assert len(shapes) >= len(set(letters)) - 1
