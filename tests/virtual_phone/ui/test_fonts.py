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


def test_bold_letters_are_those_of_a_bold_face() -> None:
    regular, bold = fonts.font(60), fonts.font(60, bold=True)
    assert bold.getname() == ("Roboto", "Bold")
    assert bytes(regular.getmask("a")) != bytes(bold.getmask("a"))
    assert fonts.width("Settings", 60, bold=True) != fonts.width("Settings", 60)
    assert fonts.stroke(60, False, bold=True) == 0


@pytest.mark.parametrize("text", ["café", "Grüße", "Łódź", "ΑΒΓ", "Привет", "“…”", "€ 5"])
def test_european_letters_are_in_the_same_face_as_latin(text: str) -> None:
    assert list(fonts.runs(text)) == [(text, False)]
    shapes = {bytes(fonts.font(60).getmask(letter)) for letter in text}
    assert bytes(fonts.font(60).getmask(NOBODY_HAS_IT)) not in shapes


def test_a_text_of_any_length_is_wrapped() -> None:
    text = "x" * 50_000

    lines = fonts.wrap(text, 38, 700)

    assert "".join(lines) == text
    assert len({len(line) for line in lines[:-1]}) == 1
    assert fonts.wrap(text, 38, 700, 2) == (lines[0], fonts.wrap(text[len(lines[0]) :], 38, 700, 1)[0])
