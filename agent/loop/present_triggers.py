"""The triggers that a phone's present state stands for, where no event is at hand."""

from collections.abc import Iterator

from collectors.context import Context, Trigger, TriggerKind
from heed.trust import Trust


def present_triggers(context: Context) -> Iterator[Trigger]:
    """The clock, then what an event would have told earlier: battery, charger, newest unread SMS."""
    yield Trigger(kind=TriggerKind.CLOCK)
    level, plugged = context.value("battery.level"), context.value("battery.plugged")
    if level is not None:
        yield Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": level, "plugged": plugged})
    unread = context.value("sms.unread")
    if isinstance(unread, list) and unread and isinstance(unread[0], dict):
        yield Trigger(kind=TriggerKind.SMS_RECEIVED, data=unread[0], trust=Trust.THIRD_PARTY)
