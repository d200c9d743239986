"""Weather, exchange rates and news from services on the internet, only where the owner has switched them on.

Nothing about the owner is sent but a position to about 11 km (weather). What a service says is a third party's text.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree

from pydantic import BaseModel, Field, ValidationError

from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.source import PhoneValues, Reading, Source
from collectors.sources.owner import ProfileFile
from collectors.sources.sky import LOCATION_NEED, coarse_position
from heed.errors import PersonError
from heed.messages import msg
from heed.trust import Trust

MAX_BYTES = 1_000_000
"""No answer that is needed is larger."""
PATIENCE_S, ANSWER_S = 1.5, 10.0
"""How long a snapshot waits for an answer, and how long it may take to come in the end, seconds."""
REST_S = 300.0
"""A service that failed is not asked again for so long, seconds."""
_AGENT = {"User-Agent": "heed"}
_MOST_HEADLINES = 5


class UnavailableError(PersonError):
    """A service did not answer, or not with what it should."""


class Web:
    """Fetches small documents; keeps each while it is fresh, and a failure for a while, too.

    Nobody waits long: what has not come soon goes on coming and is there the next time.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, str | UnavailableError]] = {}
        self._coming: dict[str, asyncio.Task[str | UnavailableError]] = {}

    async def get(self, url: str, parameters: Mapping[str, str], *, fresh: float) -> str:
        """The document; ``UnavailableError`` when there is none, or none yet."""
        key = _address(url, parameters)
        now = asyncio.get_running_loop().time()
        kept = self._kept.get(key)
        if kept is None or now - kept[0] >= (REST_S if isinstance(kept[1], UnavailableError) else fresh):
            kept = await self._ask(key, now) or kept
        if kept is None:
            raise UnavailableError(msg("{host} has not answered yet.", host=_host(url)))
        if isinstance(kept[1], UnavailableError):
            raise kept[1]
        return kept[1]

    async def _ask(self, key: str, now: float) -> tuple[float, str | UnavailableError] | None:
        task = self._coming.get(key) or asyncio.create_task(_fetch(key))
        self._coming[key] = task
        await asyncio.wait({task}, timeout=PATIENCE_S)
        if not task.done():
            return None
        del self._coming[key]
        self._kept[key] = (now, task.result())
        return self._kept[key]


def _address(url: str, parameters: Mapping[str, str]) -> str:
    """``url`` with more parameters than it has."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}" if parameters else url


def _host(url: str) -> str:
    return urlsplit(url).hostname or url


async def _fetch(url: str) -> str | UnavailableError:
    # It takes a tenth of a second to import, and is needed only where services are switched on.
    import httpx

    host = _host(url)

    async def stays(request: httpx.Request) -> None:
        if request.url.host != httpx.URL(url).host:
            raise UnavailableError(
                msg("{host} sends us on to {url_host}, which nobody named.", host=host, url_host=request.url.host),
                msg("Name its address."),
            )

    client = httpx.AsyncClient(
        headers=_AGENT,
        timeout=ANSWER_S,
        trust_env=False,  # no proxy of the environment sees what is asked
        follow_redirects=True,
        max_redirects=3,
        event_hooks={"request": [stays]},  # called for where a redirect leads, too
    )
    try:
        async with asyncio.timeout(ANSWER_S), client, client.stream("GET", url) as answer:
            answer.raise_for_status()
            data = bytearray()
            async for chunk in answer.aiter_bytes():
                data += chunk
                if len(data) > MAX_BYTES:
                    return UnavailableError(
                        msg("{host} answered with more than {max_bytes} kB.", host=host, max_bytes=MAX_BYTES // 1000)
                    )
            return data.decode(answer.encoding or "utf-8", errors="replace")
    except UnavailableError as error:
        return error
    except httpx.HTTPStatusError as error:
        return UnavailableError(
            msg("{host} answered with status {status_code}.", host=host, status_code=error.response.status_code)
        )
    except (httpx.HTTPError, TimeoutError, LookupError) as error:
        return UnavailableError(msg("{host} did not answer ({name}).", host=host, name=type(error).__name__))


class WebService(Source):
    """A source that asks a service; it has nothing to say while services are switched off."""

    dimension = Dimension.WORLD
    fresh: ClassVar[float]
    """Seconds that an answer holds."""

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._web = Web()

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        if not self.config.network_services:
            return []
        try:
            return await self.ask(phone)
        except ValidationError as error:
            raise UnavailableError(msg("The service for {name} answered in another format.", name=self.name)) from error

    @abstractmethod
    async def ask(self, phone: PhoneValues) -> Iterable[Reading]:
        """The readings; raises ``UnavailableError``."""

    async def get(self, url: str, parameters: Mapping[str, str]) -> str:
        """A document, from the service or kept."""
        return await self._web.get(url, parameters, fresh=self.fresh)

    def reading(self, name: str, value: object, url: str) -> Reading:
        """A reading with the service's host as its origin."""
        return Reading(name, value, Trust.THIRD_PARTY, origin=_host(url))


SKY = {
    **dict.fromkeys((0, 1), "clear"),
    2: "partly_cloudy",
    3: "cloudy",
    **dict.fromkeys((45, 48), "fog"),
    **dict.fromkeys((51, 53, 55, 56, 57), "drizzle"),
    **dict.fromkeys((61, 63, 65, 66, 67, 80, 81, 82), "rain"),
    **dict.fromkeys((71, 73, 75, 77, 85, 86), "snow"),
    **dict.fromkeys((95, 96, 99), "thunderstorm"),
}
"""Weather codes of the WMO as Open-Meteo documents them (https://open-meteo.com/en/docs)."""


class _Current(BaseModel):
    temperature: float = Field(alias="temperature_2m", ge=-100, le=70)
    code: int = Field(alias="weather_code")


class _Daily(BaseModel):
    low: list[float | None] = Field(alias="temperature_2m_min", min_length=1)
    high: list[float | None] = Field(alias="temperature_2m_max", min_length=1)
    rain: list[float | None] = Field(alias="precipitation_probability_max", min_length=1)


class _Forecast(BaseModel):
    current: _Current
    daily: _Daily


class WeatherSource(WebService):
    """The weather now and today at the phone's place, in degrees Celsius, from Open-Meteo or what answers like it."""

    name = "weather"
    needs = (LOCATION_NEED,)
    fresh = 1800.0

    def __init__(self, config: CollectorsConfig) -> None:
        super().__init__(config)
        self._profile = ProfileFile(config)

    async def ask(self, phone: PhoneValues) -> Iterable[Reading]:
        position = coarse_position(phone, self._profile)
        if position is None:
            return []
        url = self.config.services.weather_url
        parameters = {
            "latitude": str(position[0]),
            "longitude": str(position[1]),
            "current": "temperature_2m,weather_code",
            "daily": "temperature_2m_max,temperature_2m_min,precipitation_probability_max",
            "timezone": "auto",
            "forecast_days": "1",
        }
        forecast = _Forecast.model_validate_json(await self.get(url, parameters))
        now = {"temperature": round(forecast.current.temperature), "sky": SKY.get(forecast.current.code)}
        daily = {"low": forecast.daily.low[0], "high": forecast.daily.high[0], "rain_percent": forecast.daily.rain[0]}
        today = {name: round(value) for name, value in daily.items() if value is not None}
        known = {name: value for name, value in now.items() if value is not None}
        return [self.reading("weather.now", known, url), self.reading("weather.today", today, url)]


class _Rates(BaseModel):
    date: str
    base: str
    rates: dict[str, float]


class RateSource(WebService):
    """What one unit of the first currency is worth in the others, of the last banking day, from Frankfurter."""

    name = "rates"
    fresh = 6 * 3600.0

    async def ask(self, phone: PhoneValues) -> Iterable[Reading]:
        base, *others = self.config.services.currencies or ("",)
        if not others:
            return []
        url = self.config.services.rates_url
        found = _Rates.model_validate_json(await self.get(url, {"base": base, "symbols": ",".join(others)}))
        wanted = {currency: found.rates[currency] for currency in others if currency in found.rates}
        return [self.reading("rates", {"base": found.base, "date": found.date, "rates": wanted}, url)] if wanted else []


class NewsSource(WebService):
    """Headlines of the feeds that the owner has chosen (RSS 2.0 or Atom), the same number of each."""

    name = "news"
    fresh = 1800.0

    async def ask(self, phone: PhoneValues) -> Iterable[Reading]:
        feeds = self.config.services.news_feeds
        found = await asyncio.gather(*(self.get(url, {}) for url in feeds), return_exceptions=True)
        for error in found:
            if isinstance(error, BaseException) and not isinstance(error, UnavailableError):
                raise error
        documents = [(url, text) for url, text in zip(feeds, found, strict=True) if isinstance(text, str)]
        if not documents:
            failed = next((error for error in found if isinstance(error, UnavailableError)), None)
            if failed is not None:
                raise failed
            return []
        share = -(-_MOST_HEADLINES // len(documents))
        titles = [title for _, text in documents for title in headlines(text)[:share]][:_MOST_HEADLINES]
        return [self.reading("news.headlines", titles, documents[0][0])] if titles else []


def headlines(document: str) -> list[str]:
    """The titles of a feed's entries, in its order; ``UnavailableError`` when it is none."""
    # A document type could define entities that grow without end; feeds need none.
    if "<!DOCTYPE" in document or "<!ENTITY" in document:
        raise UnavailableError(msg("The news feed defines a document type, so it is not read."))
    try:
        root = ElementTree.fromstring(document)  # noqa: S314 - no document type, see above
    except ElementTree.ParseError as error:
        raise UnavailableError(msg("The news feed is not XML.")) from error
    entries = (element for element in root.iter() if element.tag.rpartition("}")[2] in ("item", "entry"))
    titles = (" ".join("".join(title.itertext()).split()) for entry in entries if (title := _title(entry)) is not None)
    return [title for title in titles if title]


def _title(entry: ElementTree.Element) -> ElementTree.Element | None:
    return next((child for child in entry if child.tag.rpartition("}")[2] == "title"), None)
