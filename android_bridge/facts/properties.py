"""System properties: model, version, serial number, locale, time zone.

Checked against Android 13 (Motorola), 14 (Xiaomi HyperOS) and a Samsung: values may go over several lines.
"""

import re
from collections.abc import Mapping

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser, pieces
from heed.messages import msg

_START = re.compile(r"^\[([\w.@:/-]+)\]: \[", re.MULTILINE | re.ASCII)
_END = "]\n"


@parser(msg("The system properties"))
def parse_properties(text: str) -> Mapping[str, str]:
    """Parses ``getprop``: name to value."""
    starts = list(_START.finditer(text))
    rests = [f"{piece}\n" for piece in pieces(starts, text)]
    properties = {start[1]: rest.partition(_END)[0] for start, rest in zip(starts, rests, strict=True) if _END in rest}
    if not properties:
        raise missing(msg("property"))
    return properties


def api_level(properties: Mapping[str, str]) -> int:
    """Returns the API level (34: Android 14); 0 where the phone does not tell it."""
    level = properties.get("ro.build.version.sdk", "")
    return int(level) if level.isdecimal() else 0


PROPERTIES = Reader("properties", "getprop", parse_properties)
