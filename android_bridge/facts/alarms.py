"""The next alarm of the clock, from ``dumpsys alarm``.

Checked against Android 6-7, vivo and a watch (Android 11 era), Samsung One UI and 14 (Xiaomi HyperOS): all print the
heading. Of the line of an alarm (`user:0 pendingSend:false time:1786854000000 = 2026-08-16 13:20:00.000 =
+4h16m41s708ms`) there is one capture, HyperOS of 2026.
"""

import re
from datetime import datetime

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import from_millis, missing, parser
from heed.messages import msg

_BLOCK = re.compile(r"^  Next alarm clock information: *\n((?: {4}.*\n)*)", re.MULTILINE)
_ALARM = re.compile(
    r"^ {4}user:(\d+) pendingSend:\w+ time:(\d{1,15}) = (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", re.MULTILINE | re.ASCII
)


@parser(msg("The next alarm"))
def parse_next_alarm(text: str) -> datetime | None:
    """Parses ``dumpsys alarm``: the next alarm clock of the first user, in the phone's time zone; None: none is set.

    It may belong to another app than the clock (docs/android-notes.md, "Clock app").
    """
    block = _BLOCK.search(text)
    if block is None:
        raise missing(msg("next alarm clock information"))
    alarms = sorted((int(user), int(time), local) for user, time, local in _ALARM.findall(block[1]))
    if not alarms:
        if block[1].strip():
            raise missing(msg("time of the next alarm"))
        return None
    _, millis, local = alarms[0]
    return from_millis(millis, datetime.fromisoformat(local))


NEXT_ALARM = Reader("next_alarm", "dumpsys alarm", parse_next_alarm)
