"""Infers places: ``home``, ``work``, another known place's label, or ``unknown``. Works offline.

``infer`` gives the current place of the phone (Wi-Fi name, last position), ``place_names`` the known places that
location texts of the behaviour log refer to (address, or the times that the owner spends there).
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from pydantic import Field

from collectors.context import LogEntry
from heed.model import Frozen

HOME, WORK, UNKNOWN = "home", "work", "unknown"
EARTH_RADIUS_M = 6_371_008.8
RADIUS_M = 150.0
"""Maximum distance from a place, metres: a block, or the error of a position indoors."""
WORST_ACCURACY_M = 1_000.0
"""A position with a larger error, metres, is not used."""
STALE_S = 3_600.0
"""An older position, seconds, is not used."""


class KnownPlace(Frozen):
    """A place from the owner's profile."""

    key: str
    """``home``, ``work``, or the owner's own key."""
    label: str = ""
    address: str = ""
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)
    wifi: tuple[str, ...] = ()
    """Names of the Wi-Fi networks there."""

    @property
    def name(self) -> str:
        """The value of ``Context.place`` here."""
        return self.key if self.key in (HOME, WORK) else self.label or self.key


class Position(NamedTuple):
    """A position in degrees (WGS 84) with its accuracy in metres and its age in seconds."""

    latitude: float
    longitude: float
    accuracy: float = 0.0
    age: float = 0.0


class InferredPlace(NamedTuple):
    """An inferred place."""

    name: str
    confidence: float
    """0 to 1."""
    by: str
    """``wifi``, ``position`` or empty: what it was inferred from."""


NOWHERE = InferredPlace(UNKNOWN, 0.0, "")


def infer(places: Iterable[KnownPlace], *, wifi: str | None = None, position: Position | None = None) -> InferredPlace:
    """The known place of the phone, by its Wi-Fi network or else by its position."""
    known = tuple(places)
    by_wifi = next((place for place in known if wifi and wifi in place.wifi), None)
    if by_wifi:
        return InferredPlace(by_wifi.name, 0.95, "wifi")
    if position is None or position.accuracy > WORST_ACCURACY_M or position.age > STALE_S:
        return NOWHERE
    reached = [(distance(position, place), place) for place in known if place.latitude is not None]
    metres, nearest = min(reached, default=(math.inf, None), key=lambda pair: pair[0])
    if nearest is None or metres > RADIUS_M + min(position.accuracy, RADIUS_M):
        return NOWHERE
    return InferredPlace(nearest.name, 0.9 if position.accuracy <= RADIUS_M else 0.6, "position")


def distance(position: Position, place: KnownPlace) -> float:
    """Distance in metres on the sphere (haversine); infinite for a place without coordinates."""
    if place.latitude is None or place.longitude is None:
        return math.inf
    north, south = math.radians(position.latitude), math.radians(place.latitude)
    half_north = math.sin((north - south) / 2) ** 2
    half_east = math.sin(math.radians(position.longitude - place.longitude) / 2) ** 2
    chord = half_north + math.cos(north) * math.cos(south) * half_east
    return 2 * EARTH_RADIUS_M * math.asin(min(1.0, math.sqrt(chord)))


# --- location texts of the behaviour log ----------------------------------------------------------------------------
_ELSEWHERE = re.compile(
    r"\b(?:near|nearby|next to|opposite|heading|towards?|on the way|commut\w+|en route|station|stop|line|bus|train|"
    r"subway|metro|car|taxi)\b|附近|旁边|对面|途中|路上|前往|地铁|公交|火车|高铁|车站|站\b|车上|通勤",
    re.I,
)
"""Words that mean a place near or on the way to the address in the text."""
_NOT_TEXT = re.compile(r"[\W_]+")
_MIN_ADDRESS = 6
_MIN_DAYS = 3
_MIN_SHARE = 0.3


def place_names(places: Sequence[KnownPlace], entries: Iterable[LogEntry]) -> Mapping[str, str]:
    """The known place of each location text of a log; texts without one are absent.

    A text that contains an address or label of the profile means that place. If no text means ``home`` (``work``), it
    is the one with most nights (working days), on at least three days and three in ten of all such days.
    """
    log = tuple(entries)
    texts = {entry.location for entry in log if entry.location}
    names = {text: place.name for text in texts if (place := _by_address(places, text))}
    for key, days in ((HOME, _nights(log)), (WORK, _working_days(log))):
        if key not in names.values():
            usual = _usual({text: seen for text, seen in days.items() if text not in names})
            names |= {usual: key} if usual else {}
    return names


def place_of_text(places: Iterable[KnownPlace], text: str) -> KnownPlace | None:
    """The known place that a location text means: its address, label or key; None without one."""
    return _by_address(places, text) if _plain(text) else None


def _by_address(places: Iterable[KnownPlace], text: str) -> KnownPlace | None:
    found = _plain(text)
    for place in places:
        address, label = _plain(place.address), _plain(place.label)
        if found in (address, label, place.key) or (_contains(found, address) and not _ELSEWHERE.search(text)):
            return place
    return None


def _contains(found: str, address: str) -> bool:
    shorter, longer = sorted((found, address), key=len)
    return len(shorter) >= _MIN_ADDRESS and shorter in longer


def _plain(text: str) -> str:
    return _NOT_TEXT.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _nights(log: Iterable[LogEntry]) -> dict[str, set[date]]:
    return _days(entry for entry in log if entry.time.hour >= 21 or entry.time.hour < 8)


def _working_days(log: Iterable[LogEntry]) -> dict[str, set[date]]:
    return _days(entry for entry in log if _is_working_time(entry.time))


def _is_working_time(time: datetime) -> bool:
    return time.weekday() < 5 and 9 <= time.hour < 18


def _days(entries: Iterable[LogEntry]) -> dict[str, set[date]]:
    days: dict[str, set[date]] = defaultdict(set)
    for entry in entries:
        if entry.location and not _ELSEWHERE.search(entry.location):
            days[entry.location].add(entry.time.date())
    return days


def _usual(days: Mapping[str, set[date]]) -> str:
    """The text with the most days, if these are enough; else empty."""
    everything = len(set().union(*days.values())) if days else 0
    text, seen = max(((text, len(seen)) for text, seen in days.items()), default=("", 0), key=lambda pair: pair[1])
    return text if seen >= max(_MIN_DAYS, _MIN_SHARE * everything) else ""
