"""Icons are drawn, every one of them, at any size."""

import pytest
from PIL import ImageChops

from tests.phones import START
from virtual_phone import PhoneState
from virtual_phone.ui import catalogue, glyphs


@pytest.mark.parametrize("name", [*glyphs.NAMES, "no such icon"])
def test_every_icon_shows_something_and_fits_its_square(name: str) -> None:
    for size in (42, 228):
        mask = glyphs.mask(name, size)
        assert mask.size == (size, size)
        assert 0.02 * 255 < sum(mask.histogram()[128:]) / (size * size) * 255 < 250


def test_an_unknown_icon_is_the_one_of_an_app() -> None:
    assert ImageChops.difference(glyphs.mask("no such icon", 60), glyphs.mask("app", 60)).getbbox() is None


def test_every_icon_named_in_a_table_exists() -> None:
    named = {app.glyph for app in PhoneState.standard(START).apps.packages if app.glyph}
    for package in ("com.taobao.taobao", "com.sankuai.meituan"):
        named |= {thing.glyph for thing in catalogue.goods(package).values()}
        named |= {store.glyph for store in catalogue.stores(package)}
    assert named <= set(glyphs.NAMES)
