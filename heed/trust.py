"""Trust labels: who could have written a piece of text."""

from collections.abc import Iterable
from enum import StrEnum


class Trust(StrEnum):
    """From most to least trusted."""

    OWNER = "owner"
    """Settings and profile: written by the phone's owner."""
    DEVICE = "device"
    """Measured by the phone: battery level, foreground package, clock."""
    THIRD_PARTY = "third_party"
    """Notification text, SMS, web page, file name, screen text: anyone may have written it."""


_ORDER = tuple(Trust)


def least(labels: Iterable[Trust]) -> Trust:
    """The label of something built from all of these; device where it was built from none."""
    return max(labels, key=_ORDER.index, default=Trust.DEVICE)
