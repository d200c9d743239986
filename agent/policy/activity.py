"""What the person is doing, and whether what happened can wait until they are done with it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum

from collectors import apps
from collectors.context import Context

DRIVING_KMH = 25
"""Nobody walks or runs so fast."""
LAST_PERCENT = 10
"""A battery that is this low does not last through a film."""
SOON_MINUTES = 15
"""An appointment that begins so soon cannot wait."""


class Activity(StrEnum):
    """What should not be interrupted; also the policy's rule, and the key of its wording."""

    CALLING = "in_call"
    DRIVING = "driving"
    TYPING = "typing"
    WATCHING = "watching"
    PLAYING = "playing"


_OF_THE_SCREEN = frozenset({Activity.WATCHING, Activity.PLAYING})


def activity(context: Context) -> Activity | None:
    """What the person is doing; None when the facts tell nothing that should not be interrupted.

    What the app on the screen itself gives rise to (it was opened, it is used for long) does not interrupt it.
    """
    undisturbed = _OF_THE_SCREEN if context.trigger.kind in ("app_foreground", "screen_time") else frozenset[Activity]()
    return next((one for one, holds in _SIGNS.items() if one not in undisturbed and holds(context)), None)


def is_urgent(context: Context) -> bool:
    """Whether what happened cannot wait. Only what the phone measured counts, never a text that calls itself urgent."""
    urgent = _URGENT.get(context.trigger.kind)
    return urgent is not None and urgent(context)


def _calling(context: Context) -> bool:
    return context.value("call.state", "idle") not in ("idle", None) or context.value("call.has_sound") is True


def _driving(context: Context) -> bool:
    """In the car, or being guided. A map on the screen alone is only looked at."""
    speed = context.value("motion.speed")
    fast = isinstance(speed, int | float) and speed >= DRIVING_KMH
    return fast or context.value("bluetooth.kind") == "car" or context.value("navigation.guiding") is True


def _typing(context: Context) -> bool:
    return context.value("screen.on") is not False and context.value("keyboard.shown") is True


def _watching(context: Context) -> bool:
    """The app in front plays, and not music: a paused film or a player behind another app holds nobody."""
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
    """The owner's calendar says when; what others wrote into the invitation does not matter."""
    try:
        start = datetime.fromisoformat(str(context.trigger.data.get("start")))
        ahead = (start - context.now).total_seconds() / 60
    except (ValueError, TypeError):
        return False
    return 0 <= ahead <= SOON_MINUTES


_URGENT: Mapping[str, Callable[[Context], bool]] = {"battery_level": _battery_ends, "calendar_event": _begins_soon}
"""By kind of trigger."""
