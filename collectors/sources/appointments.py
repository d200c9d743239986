"""The place of an appointment among the owner's own places, and the distance to it."""

from pydantic import JsonValue

from android_bridge.facts.location import LOCATION
from android_bridge.facts.network import WIFI
from collectors.place import KnownPlace, Position, distance, infer, place_of_text
from collectors.profile import Profile
from collectors.source import PhoneValues
from collectors.sources.owner import position_of

_STALE_S = 3600.0
"""An older position, seconds, does not tell where the phone is."""


def whereabouts(profile: Profile, location: str, here: Position | None) -> dict[str, JsonValue]:
    """``place``: home, work or the label of a place of the profile, where ``location`` names one; ``distance_km``: from
    the phone to it, where both positions are known."""
    place = place_of_text(profile.places, location) if location else None
    if place is None:
        return {}
    if here is None or place.latitude is None:
        return {"place": place.name}
    return {"place": place.name, "distance_km": round(distance(here, place) / 1000, 1)}


def current_position(phone: PhoneValues, profile: Profile) -> Position | None:
    """The position of the phone: of the known place whose Wi-Fi it uses, else the last one it measured.

    ``phone`` has the values of ``WIFI`` and ``LOCATION``.
    """
    wifi, location = phone.get(WIFI), phone.get(LOCATION)
    by_wifi = infer(profile.places, wifi=wifi.ssid if wifi else None).name
    known = next((place for place in profile.places if place.name == by_wifi), None)
    if known is not None and (position := _position(known)):
        return position
    if location is None or location.age is None or location.age > _STALE_S:
        return None
    return position_of(location)


def _position(place: KnownPlace) -> Position | None:
    if place.latitude is None or place.longitude is None:
        return None
    return Position(place.latitude, place.longitude)
