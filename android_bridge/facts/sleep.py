"""The owner's usual sleeping times, which Samsung's phones learn and print in ``dumpsys battery``.

Checked against Samsung One UI of 2026 (its times were replaced). The form follows Samsung's
``SleepChargingTimeController.getInfo`` (decompiled): a pattern's name is cut to three letters, so weekdays and weekend
are both ``WEE`` and cannot be told apart; the times are on the phone's wall clock.
"""

import re
from datetime import time

from pydantic import Field

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg
from heed.model import Frozen

_HEAD = "Current Battery Service state:"
_CLOCK = r"(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?"
_PATTERN = re.compile(
    rf"^\[\w+\]([A-Z]{{3}}) ,time:{_CLOCK} ~ {_CLOCK} ,confidence:(\d(?:\.\d{{1,20}})?) ,isConfident:true$",
    re.MULTILINE | re.ASCII,
)
_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


class SleepTimes(Frozen):
    """The usual sleeping time of one weekday."""

    weekday: int = Field(ge=0, le=6)
    """As ``datetime.weekday``: 0 is Monday."""
    begin: time
    end: time
    """On the next day where it is before ``begin``."""
    confidence: float = Field(ge=0, le=1)
    """The phone's own."""


@parser(msg("The sleeping times"))
def parse_sleep_times(text: str) -> tuple[SleepTimes, ...]:
    """Parses ``dumpsys battery``: the weekdays of which the phone is confident; empty on other vendors' phones."""
    if _HEAD not in text:
        raise missing(msg("state of the battery"))
    found = {day: values for day, *values in _PATTERN.findall(text)}
    return tuple(_times(weekday, *found[day]) for weekday, day in enumerate(_DAYS) if day in found)


def _times(weekday: int, begin: str, end: str, confidence: str) -> SleepTimes:
    return SleepTimes(
        weekday=weekday,
        begin=time.fromisoformat(begin),
        end=time.fromisoformat(end),
        confidence=float(confidence),
    )


SLEEP_TIMES = Reader("sleep_times", "dumpsys battery", parse_sleep_times)
