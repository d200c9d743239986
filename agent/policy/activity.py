"""The owner's activity, and whether a trigger can wait until it ends."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum

from agent.policy.handed_over import left_app
from collectors import apps
from collectors.context import Context, OtherKind, TriggerKind

DRIVING_KMH = 25
"""Faster than walking or running."""
LAST_PERCENT = 10
"""A battery level, in percent, at which a trigger cannot wait."""
SOON_MINUTES = 15
"""An appointment that begins within this time cannot wait."""


class Activity(StrEnum):
    """An activity that is not interrupted; each value is a ``Rule`` of the policy."""

    CALLING = "in_call"
    DRIVING = "driving"
    TYPING = "typing"
    WATCHING = "watching"
    PLAYING = "playing"


_OF_FOREGROUND_APP = frozenset({Activity.WATCHING, Activity.PLAYING})


def activity(context: Context) -> Activity | None:
    """The owner's activity by the facts; None when there is none that should not be interrupted.

    A trigger that the app on the screen causes itself (it was opened, it is used for long) does not interrupt it.
    """
    undisturbed = (
        _OF_FOREGROUND_APP
        if context.trigger.kind in (TriggerKind.APP_FOREGROUND, TriggerKind.SCREEN_TIME)
        else frozenset[Activity]()
    )
    return next((one for one, holds in _SIGNS.items() if one not in undisturbed and holds(context)), None)


def is_urgent(context: Context) -> bool:
    """Whether the trigger cannot wait. Only what the phone measured counts, never a text that calls itself urgent."""
    urgent = _URGENT.get(context.trigger.kind)
    return urgent is not None and urgent(context)


def _calling(context: Context) -> bool:
    return context.value("call.state", "idle") not in ("idle", None) or context.value("call.has_sound") is True


def _driving(context: Context) -> bool:
    """In a car, or navigating; a map on the screen alone, or a car that connects before it drives, does not count.

    Who uses the phone in a car that stands or is driven by somebody else does not drive.
    """
    speed = context.value("motion.speed")
    fast = isinstance(speed, int | float) and speed >= DRIVING_KMH
    in_use = context.value("screen.on") is True and context.value("screen.locked") is False
    connects = context.trigger.kind is TriggerKind.BLUETOOTH_CONNECTED
    boarded = context.value("bluetooth.kind") == "car" and not in_use and not connects
    return fast or boarded or context.value("navigation.guiding") is True


def _typing(context: Context) -> bool:
    """The keyboard of a page that heed opened and the owner left does not count."""
    if left_app(context):
        return False
    return context.value("screen.on") is not False and context.value("keyboard.shown") is True


def _watching(context: Context) -> bool:
    """The app in front plays, and not music; paused media and a player in the background do not count."""
    front = (context.value("foreground.app"), context.value("foreground.package"))
    plays = context.value("media.playing") is True and context.value("media.app") in front
    return plays and _front_kind(context) != "music"


def _playing(context: Context) -> bool:
    return context.value("screen.on") is not False and _front_kind(context) == "game"


def _front_kind(context: Context) -> str | None:
    return apps.kind(str(context.value("foreground.package", "")))


_SIGNS: Mapping[Activity, Callable[[Context], bool]] = {
    Activity.CALLING: _calling,
    Activity.DRIVING: _driving,
    Activity.TYPING: _typing,
    Activity.WATCHING: _watching,
    Activity.PLAYING: _playing,
}


def _battery_ends(context: Context) -> bool:
    data = context.trigger.data
    level, plugged = data.get("level"), data.get("plugged", context.value("battery.plugged"))
    return isinstance(level, int | float) and level <= LAST_PERCENT and plugged is False


def _begins_soon(context: Context) -> bool:
    """The start is the calendar's; text of the invitation does not count."""
    try:
        start = datetime.fromisoformat(str(context.trigger.data.get("start")))
        ahead = (start - context.now).total_seconds() / 60
    except (ValueError, TypeError):
        return False
    return 0 <= ahead <= SOON_MINUTES


_URGENT: Mapping[TriggerKind | OtherKind, Callable[[Context], bool]] = {
    TriggerKind.BATTERY_LEVEL: _battery_ends,
    TriggerKind.CALENDAR_EVENT: _begins_soon,
}
