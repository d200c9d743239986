"""The last known location, from ``dumpsys location``; reading it activates no sensor.

Checked against Android 7-8 (Xiaomi), 10-11 (Sunmi terminal), 16, and a locale with decimal commas.
"""

import re

from pydantic import Field

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg
from heed.model import Frozen


class Location(Frozen):
    """The newest last location of the phone's providers."""

    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    accuracy: float | None
    """Radius in metres."""
    provider: str
    """``fused``, ``gps``, ``network``."""
    age: float | None
    """Seconds since it was measured; None where the phone does not print it."""
    speed: float | None = None
    """Metres per second at that time; None where the phone does not print it."""


_NUMBER = r"-?\d{1,5}(?:[.,]\d{1,10})?"
_LOCATION = re.compile(
    rf"^ +(?:last location=|\w+: )Location\[(?P<provider>\w+) (?P<latitude>-?\d{{1,3}}[.,]\d+), ?"
    rf"(?P<longitude>-?\d{{1,3}}[.,]\d+)(?: h?[aA]cc=(?P<accuracy>{_NUMBER}))?(?: et=(?P<et>[+-][\ddhms]+))?"
    rf"(?:[^\]\[{{}}\n]{{0,80}}? vel=(?P<speed>{_NUMBER}))?",
    re.MULTILINE | re.ASCII,
)
_KNOWN = re.compile(r"^ *(?:last location=|Last Known Locations:|Current Location Manager state:)", re.MULTILINE)
_UPTIME = re.compile(r"^(\d{1,12}\.\d\d) \d{1,12}\.\d\d$", re.MULTILINE | re.ASCII)
_PART = re.compile(r"(\d{1,9})(ms|d|h|m|s)", re.ASCII)
_SECONDS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


@parser(msg("The place"))
def parse_location(text: str) -> Location | None:
    """Parses ``/proc/uptime`` and ``dumpsys location``: the newest last location; None when there is none."""
    places = [_place(match, _UPTIME.search(text)) for match in _LOCATION.finditer(text)]
    if not places:
        if not _KNOWN.search(text):
            raise missing(msg("last location"))
        return None
    return min(places, key=lambda place: place.age if place.age is not None else float("inf"))


def _place(match: re.Match[str], uptime: re.Match[str] | None) -> Location:
    # `et` counts from the phone's start, as does /proc/uptime; their distance is the age.
    age = float(uptime[1]) - _elapsed(match["et"]) if uptime and match["et"] else None
    return Location(
        latitude=_decimal(match["latitude"]),
        longitude=_decimal(match["longitude"]),
        accuracy=_decimal(match["accuracy"]) if match["accuracy"] else None,
        provider=match["provider"],
        age=max(0.0, age) if age is not None else None,
        speed=_decimal(match["speed"]) if match["speed"] else None,
    )


def _decimal(printed: str) -> float:
    return float(printed.replace(",", "."))


def _elapsed(printed: str) -> float:
    return sum(int(number) * _SECONDS[unit] for number, unit in _PART.findall(printed))


LOCATION = Reader("location", "cat /proc/uptime; dumpsys location", parse_location)
