"""Reasons to look that no event tells of: what shows on the phone when somebody asks "what now?"."""

from collections.abc import Iterator

from collectors.context import Context, Trigger
from heed.trust import Trust


def standing_triggers(context: Context) -> Iterator[Trigger]:
    """The clock, then what would have been an event had heed been watching: battery, charger, newest unread SMS."""
    yield Trigger(kind="clock")
    level, plugged = context.value("battery.level"), context.value("battery.plugged")
    if level is not None:
        yield Trigger(kind="battery_level", data={"level": level, "plugged": plugged})
    unread = context.value("sms.unread")
    if isinstance(unread, list) and unread and isinstance(unread[0], dict):
        yield Trigger(kind="sms_received", data=unread[0], trust=Trust.THIRD_PARTY)
