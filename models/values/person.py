"""The owner of the phone, as far as values of arguments depend on them."""

from heed.language import Language
from heed.model import Frozen

_MONTH_FIRST = frozenset({"US", "PH", "PR", "GU", "FM", "MH", "PW", "AS", "VI"})
"""Regions that write the month before the day (CLDR short date formats)."""


class Person(Frozen):
    """The owner."""

    language: Language = Language.EN
    """Language of the phone."""
    region: str = ""
    """ISO 3166 code of the phone's region, such as ``GB``; empty = not known."""
    home: str = ""
    """Address, as the profile states it."""
    work: str = ""

    @property
    def day_first(self) -> bool:
        """Whether ``6/12`` is the sixth of December."""
        return self.region.upper() not in _MONTH_FIRST
