"""The tables behind the screens are whole in both languages."""

import re

from tests.phones import START
from virtual_phone import PhoneState
from virtual_phone.ui import catalogue, words
from virtual_phone.ui.screens import SCREENS


def test_every_word_is_there_in_english_and_chinese_with_the_same_gaps() -> None:
    for key, forms in words.table().items():
        assert len(forms) == 2 and all(forms), key
        gaps = [sorted(re.findall(r"{\d}", form)) for form in forms]
        assert gaps[0] == gaps[1], key


def test_every_article_has_a_unique_key_and_names_in_both_languages() -> None:
    for package in ("com.taobao.taobao", "com.sankuai.meituan"):
        sold = [thing for store in catalogue.stores(package) for thing in store.goods]
        assert len(sold) == len(catalogue.goods(package)) >= 8
        assert all(set(thing.name) == set(thing.about) == {"en", "zh"} for thing in sold)


def test_every_screen_that_an_activity_names_is_built_somewhere() -> None:
    named = {spec.screen for app in PhoneState.standard(START).apps.packages for spec in app.activities.values()}
    assert named - {"none"} <= set(SCREENS)
