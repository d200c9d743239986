"""The phone's wall clock. No capture exists; the command sets the format (POSIX ``date``, toybox since Android 6)."""

import re
from datetime import datetime

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, parser
from heed.messages import msg

_STAMP = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4})$", re.MULTILINE | re.ASCII)


@parser(msg("The phone's clock"))
def parse_clock(text: str) -> datetime:
    """Parses the output of ``CLOCK``: the phone's date and time with its UTC offset."""
    return datetime.fromisoformat(find(_STAMP, text, msg("date")))


CLOCK = Reader("clock", "date '+%Y-%m-%dT%H:%M:%S%z'", parse_clock, verified=False)
