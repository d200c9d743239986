"""Words for moments that several sources share."""

from datetime import UTC, datetime

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""In the order of ``datetime.weekday``."""


def iso(moment: datetime, now: datetime) -> str:
    """``moment`` on the phone's wall clock, to the second."""
    return moment.astimezone(now.tzinfo).isoformat(timespec="seconds")


def moment(milliseconds: str | None) -> datetime:
    """A time as providers print it: milliseconds since 1970."""
    return datetime.fromtimestamp(int(milliseconds or 0) / 1000, UTC)
