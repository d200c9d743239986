"""The sun at the phone's place, computed offline."""

from collections.abc import Iterable
from datetime import datetime

from astral import Observer
from astral.sun import sunrise, sunset

from android_bridge.facts.location import LOCATION
from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.place import HOME
from collectors.profile import Profile
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from collectors.sources.owner import ProfileFile
from heed.errors import PersonError

_ORIGIN = "astral"
LOCATION_NEED = ReaderNeed(LOCATION, fresh=60.0)


def coarse_position(phone: PhoneValues, profile: ProfileFile) -> tuple[float, float] | None:
    """Latitude and longitude to about 11 km: where the phone is, or else the profile's home; None when unknown."""
    found = phone.get(LOCATION)
    if found is not None:
        return round(found.latitude, 1), round(found.longitude, 1)
    try:
        known = profile.load() or Profile()
    except PersonError:  # the profile's own source says so
        return None
    home = next((place for place in known.places if place.key == HOME), None)
    if home is None or home.latitude is None or home.longitude is None:
        return None
    return round(home.latitude, 1), round(home.longitude, 1)


class SunSource(Source):
    """When the sun rises and sets today, and whether it is up."""

    name = "sun"
    dimension = Dimension.WORLD
    needs = (LOCATION_NEED,)

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._profile = ProfileFile(config)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        position = coarse_position(phone, self._profile)
        times = _sun(*position, phone.now) if position else None
        if times is None:
            return []
        rises, sets = times
        return [
            Reading("sun.up", rises <= phone.now < sets, origin=_ORIGIN),
            Reading("sun.rises", f"{rises:%H:%M}", origin=_ORIGIN),
            Reading("sun.sets", f"{sets:%H:%M}", origin=_ORIGIN),
        ]


def _sun(latitude: float, longitude: float, now: datetime) -> tuple[datetime, datetime] | None:
    """Today's sunrise and sunset on the phone's clock; None where it does not do both, near the poles."""
    place = Observer(latitude, longitude)
    zone = now.tzinfo
    try:
        rises = sunrise(place, now.date(), tzinfo=zone)
        sets = sunset(place, now.date(), tzinfo=zone)
    except ValueError:
        return None
    return (rises, sets) if rises < sets else None
