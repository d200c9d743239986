"""System properties: model, version, serial number, locale, time zone.

Checked against Android 13 (Motorola), 14 (Xiaomi HyperOS) and a Samsung: values may go over several lines.
"""

import re
from collections.abc import Mapping

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg

_PROPERTY = re.compile(r"^\[([\w.@:/-]+)\]: \[(.*?)\]$", re.MULTILINE | re.DOTALL | re.ASCII)


@parser(msg("The system properties"))
def parse_properties(text: str) -> Mapping[str, str]:
    """Parses ``getprop``: name to value."""
    properties = dict(_PROPERTY.findall(text))
    if not properties:
        raise missing(msg("property"))
    return properties


PROPERTIES = Reader("properties", "getprop", parse_properties)
