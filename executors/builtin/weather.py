"""The weather: from a service that the owner has set, or a search on the phone.

https://open-meteo.com/en/docs: coordinates in, daily values out. A place is rounded to 0.1 degrees before it is sent.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import JsonValue

from android_bridge.commands import am_start
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.location import LOCATION
from executors.executor import Executor, HostError, Receipt, RefusedError
from executors.observation import observe
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Proof, Step
from executors.screen import app_for, hand_over, require_screen, verify_opened
from executors.services import Service
from function_pool.call import FunctionCall
from heed.messages import Message, msg

_SEARCH = "android.intent.action.WEB_SEARCH"
_FORECAST = (
    "weather_code",
    "temperature_2m_min",
    "temperature_2m_max",
    "precipitation_probability_max",
    "uv_index_max",
)
_AIR = ("pm2_5", "european_aqi")
# WMO code table 4677, as Open-Meteo groups it.
_SKIES: Mapping[int, Message] = {
    0: msg("clear"),
    1: msg("mostly clear"),
    2: msg("partly cloudy"),
    3: msg("overcast"),
    45: msg("fog"),
    48: msg("freezing fog"),
    51: msg("light drizzle"),
    53: msg("drizzle"),
    55: msg("heavy drizzle"),
    61: msg("light rain"),
    63: msg("rain"),
    65: msg("heavy rain"),
    66: msg("freezing rain"),
    67: msg("heavy freezing rain"),
    71: msg("light snow"),
    73: msg("snow"),
    75: msg("heavy snow"),
    77: msg("snow grains"),
    80: msg("light showers"),
    81: msg("showers"),
    82: msg("heavy showers"),
    85: msg("snow showers"),
    86: msg("heavy snow showers"),
    95: msg("thunderstorm"),
    96: msg("thunderstorm with hail"),
    99: msg("heavy thunderstorm with hail"),
}


class _Place(NamedTuple):
    name: str
    latitude: float
    longitude: float


class QueryWeather(Executor):
    """Queries the weather service; without one, opens the phone's search."""

    function = "query_weather"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        (now,) = await observe(phone, CLOCK)
        date = str(call.parameters.get("date", now.date().isoformat()))
        url = self._url(call)
        if not url or call.parameters.get("info_type") == "alert":
            return await self._on_phone(phone, call, date)
        place = await self._place(phone, str(call.parameters.get("location", "")))
        where = {"latitude": f"{place.latitude:.1f}", "longitude": f"{place.longitude:.1f}"}
        detail: dict[str, JsonValue] = {"host": urlsplit(url).hostname, "place": _shown(place.name), "date": date}
        return Preparation(
            requests=(f"GET {url} {' '.join(f'{name}={value}' for name, value in where.items())} {date}",),
            effects=(Effect(kind="weather_asked", detail=detail),),
            before={"url": url, "place": place.name, "date": date, **where},
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        before = {name: str(value) for name, value in step.before.items()}
        air = step.call.parameters.get("info_type") == "air_quality"
        answer = await self._service().get(before["url"], _question(before, air=air))
        text = _air(answer) if air else _sky(answer)
        detail: dict[str, JsonValue] = {
            "place": _shown(before["place"]),
            "date": before["date"],
            "text": text.model_dump(mode="json"),
        }
        told = Effect(kind="weather_told", detail=detail)
        proof = (Proof(command=f"GET {before['url']}", answer=str(text)),)
        return Outcome(kind=OutcomeKind.VERIFIED, told=(told,), proof=proof)

    def _url(self, call: FunctionCall) -> str:
        weather = self.config.weather
        air = call.parameters.get("info_type") == "air_quality"
        return weather.air_quality_url if air else weather.forecast_url

    def _service(self) -> Service:
        return Service("The weather service", self.config.service_timeout)

    async def _place(self, phone: Device, name: str) -> _Place:
        """Returns the phone's place, or the place called ``name``."""
        if not name:
            (here,) = await observe(phone, LOCATION)
            if here is None:
                raise RefusedError(msg("The phone does not know where it is."), msg("Name the place."))
            return _Place("", here.latitude, here.longitude)
        if not self.config.weather.geocoding_url:
            remedy = msg("Set executors.weather.geocoding_url, or ask for the weather where the phone is.")
            raise RefusedError(msg("No service finds places by name."), remedy)
        answer = await self._service().get(self.config.weather.geocoding_url, {"name": name, "count": "1"})
        found = answer.get("results") if isinstance(answer, dict) else None
        if not found:
            raise RefusedError(
                msg("The weather service knows no place called {name!r}.", name=name), msg("Name a larger town.")
            )
        try:
            return _Place(str(found[0]["name"]), float(found[0]["latitude"]), float(found[0]["longitude"]))
        except (KeyError, TypeError, ValueError) as error:
            raise HostError(msg("The weather service gave a place that heed does not understand.")) from error

    async def _on_phone(self, phone: Device, call: FunctionCall, date: str) -> Preparation:
        front = await require_screen(phone)
        app = await app_for(phone, _SEARCH)
        what = str(call.parameters.get("info_type", "forecast")).replace("_", " ")
        words = " ".join(["weather", what, str(call.parameters.get("location", "")), date]).replace("  ", " ")
        command = am_start(action=_SEARCH, package=app, extras={"query": words})
        shows: JsonValue = msg("the search for “{search}”", search=words).model_dump(mode="json")
        name: JsonValue = msg("the search app").model_dump(mode="json")
        return hand_over(command, app, Effect(kind="page", detail={"app": name, "shows": shows}), before=front)


def _question(before: dict[str, str], *, air: bool) -> dict[str, str]:
    question = {name: before[name] for name in ("latitude", "longitude")}
    question |= {"start_date": before["date"], "end_date": before["date"], "timezone": "auto"}
    return question | ({"hourly": ",".join(_AIR)} if air else {"daily": ",".join(_FORECAST)})


def _sky(answer: Any) -> Message:
    code, low, high, rain, uv = (_first(answer, "daily", name) for name in _FORECAST)
    told = [_SKIES[int(code)]] if code is not None and int(code) in _SKIES else []
    told += [msg("{low:g} to {high:g} °C", low=low, high=high)] if low is not None and high is not None else []
    told += [msg("rain {percent:g} %", percent=rain)] if rain is not None else []
    told += [msg("UV {index:g}", index=uv)] if uv is not None else []
    return _told(told)


def _air(answer: Any) -> Message:
    particles, index = (_first(answer, "hourly", name) for name in _AIR)
    told = [msg("PM2.5 {particles:g} µg/m³", particles=particles)] if particles is not None else []
    told += [msg("air quality index {index:g}", index=index)] if index is not None else []
    return _told(told)


def _told(told: Sequence[Message]) -> Message:
    if not told:
        raise HostError(msg("The weather service has no values for that day."))
    return msg("{items}", items=told)


def _first(answer: Any, block: str, name: str) -> float | None:
    values = answer.get(block, {}).get(name) if isinstance(answer, dict) else None
    value = next((item for item in values if item is not None), None) if isinstance(values, list) else None
    return float(value) if isinstance(value, int | float) else None


def _shown(place: str) -> JsonValue:
    """A place as effects name it; it has no name where the phone is."""
    return place or msg("this place").model_dump(mode="json")
