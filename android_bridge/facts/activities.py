"""The app on the screen and the keyguard, from ``dumpsys activity activities``.

Checked against Android 9 and older (one grepped line), 14 (Xiaomi HyperOS), Samsung One UI with a second display,
and the Google emulator.
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import flag, missing, parser
from heed.messages import msg
from heed.model import Frozen


class ForegroundApp(Frozen):
    """The activity in front."""

    package: str
    activity: str
    """Fully qualified class name."""
    user: int = 0
    """Android's user; work profiles and cloned apps have their own (10, 999)."""


class Activities(Frozen):
    """The app in front, the keyguard and the focused window."""

    foreground: ForegroundApp | None
    """None when nothing is resumed on the screen: the phone sleeps or shows the lock screen alone."""
    locked: bool | None
    """True while the keyguard shows; None where the phone does not print it."""
    focus: str | None = None
    """Title of the window that gets the keys: ``package/activity``, ``NotificationShade``, ``InputMethod``; None when
    no window does or where the phone does not print it (before Android 10)."""


_RECORD = r"ActivityRecord\{\S+ u(\d+) ([\w.]+)/([\w.$]+)"
# Android 10+ names the top activity per display area, older ones `mResumedActivity`. `ResumedActivity:` alone is
# printed by sleeping phones too, so it does not mean "on the screen".
_TOP = re.compile(rf"^[ \t]*+topResumedActivity={_RECORD}", re.MULTILINE | re.ASCII)
_RESUMED = re.compile(rf"^[ \t]*+mResumedActivity: {_RECORD}", re.MULTILINE | re.ASCII)
_KNOWN = re.compile(r"^(?:ACTIVITY MANAGER ACTIVITIES|Display #\d+|[ \t]*+m?ResumedActivity: )", re.MULTILINE)
# One line per display; a second display without focus prints `null` after the phone's own.
_FOCUS = re.compile(r"^[ \t]*+mCurrentFocus=Window\{\S+ (?:u\d+ )?+(.+)\}$", re.MULTILINE)
_KEYGUARD = re.compile(r"^[ \t]*+mKeyguardShowing=(true|false)$", re.MULTILINE)


@parser(msg("The app on the screen"))
def parse_activities(text: str) -> Activities:
    """Parses ``dumpsys activity activities`` or its resumed lines; the first display is the phone's own."""
    if not _KNOWN.search(text):
        raise missing(msg("list of activities"))
    match = _TOP.search(text) or _RESUMED.search(text)
    focus = _FOCUS.search(text)
    return Activities(
        foreground=_app(match) if match else None,
        locked=flag(_KEYGUARD, text),
        focus=_title(focus[1]) if focus else None,
    )


def _title(printed: str) -> str:
    """Returns a window's title without the state and the brackets that may follow it."""
    title, paused, _ = printed.rstrip("}").rpartition(" paused=")
    return title if paused else printed.rstrip("}")


def _app(match: re.Match[str]) -> ForegroundApp:
    user, package, name = match.groups()
    return ForegroundApp(package=package, activity=full_name(package, name), user=int(user))


def full_name(package: str, name: str) -> str:
    """Returns an activity's full class name; Android shortens one inside the app's package to ``.Name``."""
    return package + name if name.startswith(".") else name


ACTIVITIES = Reader("activities", "dumpsys activity activities", parse_activities)
