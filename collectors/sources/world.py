"""Local time, weekday and public holiday, computed offline."""

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from android_bridge.facts.properties import PROPERTIES
from collectors.context import Dimension
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from collectors.sources.times import WEEKDAYS
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg

if TYPE_CHECKING:
    from holidays import HolidayBase

_LANGUAGES = {Language.EN: ("en_US", "en_GB", "en"), Language.ZH: ("zh_CN", "zh", "en_US")}
"""Names of our languages in the ``holidays`` library, best first."""
_ORIGIN = "holidays"
_REGION = re.compile(r"[-_]([A-Z]{2})$")


class TimeSource(Source):
    """Local time, weekday, public holiday, and whether today is a working day (China shifts some to weekends)."""

    name = "time"
    dimension = Dimension.WORLD
    needs = (ReaderNeed(PROPERTIES, fresh=3600.0),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        now = phone.now
        readings = [
            Reading("time.local", now.isoformat(timespec="seconds"), origin="date"),
            Reading("time.weekday", WEEKDAYS[now.weekday()], origin="date"),
        ]
        country = self.config.country or _country_of_locale(phone)
        if not country:
            return readings
        calendar = public_holidays(country, self.config.region, self.config.language)
        sure = 1.0 if self.config.country else 0.7
        if holiday := calendar.get(now.date()):
            readings.append(Reading("time.holiday", holiday, confidence=sure, origin=_ORIGIN))
        workday = calendar.is_working_day(now.date())
        return [*readings, Reading("time.workday", workday, confidence=sure, origin=_ORIGIN)]


@cache
def public_holidays(country: str, region: str, language: Language) -> "HolidayBase":
    """The calendar of a country (ISO 3166); ``UsageError`` when the library has none."""
    # It takes a tenth of a second to import, and few commands need it.
    import holidays

    try:
        spoken = holidays.country_holidays(country, subdiv=region or None).supported_languages
        known = next((name for name in _LANGUAGES[language] if name in spoken), None)
        return holidays.country_holidays(country, subdiv=region or None, language=known)
    except NotImplementedError as error:
        remedy = msg("Set `country` to an ISO 3166 code and `region` to one of its subdivisions.")
        place = f"{country} {region}".strip()
        raise UsageError(msg("There is no holiday calendar for {place}.", place=place), remedy) from error


def _country_of_locale(phone: PhoneValues) -> str:
    """``CN`` of ``zh-Hans-CN``; empty when the phone's locale names no country."""
    properties = phone[PROPERTIES]
    match = _REGION.search(properties.get("persist.sys.locale") or properties.get("ro.product.locale", ""))
    return match[1] if match else ""
