"""Values in sentences."""

from heed.language import Language
from heed.value_text import value_text


def test_values_are_yes_no_and_lists() -> None:
    assert value_text([True, None, "x"], Language.EN) == "yes, none, x"
    assert value_text({"on": False}, Language.ZH) == "on: 否"
