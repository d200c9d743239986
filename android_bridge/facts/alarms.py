"""The next alarm, from ``dumpsys alarm``, and the apps that are alarm clocks, from ``cmd package query-activities``.

Any app can hold a so-called alarm clock, and some that set no alarm for the owner do: a cleaner of HyperOS, Samsung's
calendar at midnight (docs/android-notes.md, "Clock app"). An alarm therefore counts only if its app says that it sets
alarms. Checked against Android 6-7, vivo and a watch (Android 11 era), Samsung One UI and 14 (Xiaomi HyperOS): all
print the heading. Of the line of an alarm (`user:0 pendingSend:false time:1786854000000 = 2026-08-16 13:20:00.000 =
+4h16m41s708ms`) and of its owner there is one capture, HyperOS of 2026.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from android_bridge.commands import query_activities
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import from_millis, missing, parser, pieces
from heed.messages import msg
from heed.model import Frozen

_HEAD = "Current Alarm Manager state:"
_APP = re.compile(r"^ *([A-Za-z]\w*(?:\.\w+)+)/[\w.$]+$", re.MULTILINE | re.ASCII)
_BLOCK = re.compile(r"^  Next alarm clock information: *\n((?: {4}.*\n)*)", re.MULTILINE)
_TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
_NEXT = re.compile(rf"^ {{4}}user:(\d+) pendingSend:\w+ time:(\d{{1,15}}) = ({_TIME})", re.MULTILINE | re.ASCII)
_PENDING = re.compile(r"^[ \t]*+RTC(?:_WAKEUP)? #\d+: Alarm\{(.*)\}$", re.MULTILINE | re.ASCII)
_MILLIS = re.compile(r"\b(?:origWhen|when) (\d{1,15})\b", re.ASCII)
_OWNER = re.compile(r"\bpackageName=(\S+)| (\S+)$", re.ASCII)
_CLOCK = re.compile(rf"^ +Alarm clock:\n +triggerTime=({_TIME}).*\n +showIntent=(.*)$", re.MULTILINE | re.ASCII)


class NextAlarm(Frozen):
    """An alarm of an alarm clock."""

    at: datetime
    """When it rings, in the phone's time zone."""
    package: str = ""
    """The app that set it; empty where the phone does not print it."""


class _Pending(Frozen):
    """An alarm clock in the list of pending alarms."""

    local: str
    """The time as printed."""
    alarm: NextAlarm
    opens_page: bool
    """Whether a tap on the alarm in the status bar opens a page of its app."""


@parser(msg("The next alarm"))
def parse_next_alarm(text: str) -> NextAlarm | None:
    """Parses the activities that set alarms, then ``dumpsys alarm``; None: no alarm clock has set one.

    Returns the next alarm of the phone's first user. Where no activities are printed, an alarm counts if a page of its
    app can be opened for it.
    """
    apps, _, dump = text.rpartition(_HEAD)
    block = _BLOCK.search(dump)
    if block is None:
        raise missing(msg("next alarm clock information"))
    lines = sorted((int(user), int(millis), local) for user, millis, local in _NEXT.findall(block[1]))
    if not lines:
        if block[1].strip():
            raise missing(msg("time of the next alarm"))
        return None
    (user, millis, local), *others = lines
    foreign = {time for other, _, time in others if other != user}
    pending = [one for one in _pending(dump) if one.local not in foreign]
    if all(one.local != local for one in pending):  # its owner is not printed: it counts
        return NextAlarm(at=from_millis(millis, datetime.fromisoformat(local)))
    clocks = frozenset(_APP.findall(apps))
    counting = (one.alarm for one in pending if (one.alarm.package in clocks if clocks else one.opens_page))
    return min(counting, key=lambda alarm: alarm.at, default=None)


def _pending(dump: str) -> Iterator[_Pending]:
    """Yields the alarm clocks of all users; the list does not say whose they are."""
    starts = list(_PENDING.finditer(dump))
    for start, block in zip(starts, pieces(starts, dump), strict=True):
        clock, millis, owner = _CLOCK.search(block), _MILLIS.search(start[1]), _OWNER.search(start[1])
        if clock and millis and owner:
            at = from_millis(int(millis[1]), datetime.fromisoformat(clock[1]))
            opens_page = clock[2].endswith(("startActivity}", "startActivity}}"))
            yield _Pending(local=clock[1], alarm=NextAlarm(at=at, package=owner[1] or owner[2]), opens_page=opens_page)


SETS_ALARMS = "android.intent.action.SET_ALARM"

NEXT_ALARM = Reader("next_alarm", f"{query_activities(action=SETS_ALARMS)}; dumpsys alarm", parse_next_alarm)
