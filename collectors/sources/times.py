"""Words for moments that several sources share."""

from datetime import datetime

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""In the order of ``datetime.weekday``."""


def iso(moment: datetime, now: datetime) -> str:
    """``moment`` on the phone's wall clock, to the second."""
    return moment.astimezone(now.tzinfo).isoformat(timespec="seconds")
