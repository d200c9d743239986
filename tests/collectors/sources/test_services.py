"""Weather, rates and news from a local server that answers like the real ones, or fails."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from android_bridge.facts.location import LOCATION, Location
from collectors.config import CollectorsConfig, ServicesConfig
from collectors.sources import services
from collectors.sources.services import (
    NewsSource,
    RateSource,
    UnavailableError,
    WeatherSource,
    Web,
    WebService,
    headlines,
)
from heed.trust import Trust
from tests.collectors.sources.phone_values import readings

HERE = Location(latitude=31.2304, longitude=121.4737, accuracy=20, provider="gps", age=10)
WEATHER = {
    "current": {"time": "2026-02-06T16:00", "temperature_2m": 6.6, "weather_code": 61},
    "daily": {"temperature_2m_max": [8.4], "temperature_2m_min": [2.5], "precipitation_probability_max": [80]},
}
RATES = {"amount": 1.0, "base": "CNY", "date": "2026-02-05", "rates": {"USD": 0.1441, "EUR": 0.1222}}
RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>The Feed</title>
<item><title>One &amp; only</title></item><item><title><![CDATA[Two <b>]]></title></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>The Feed</title>
<entry><title type="html">Three</title></entry><entry><title/></entry></feed>"""


class Server:
    """Answers every request with what the test put in ``answers``, by path."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.moved: dict[str, str] = {}
        self.asked: list[str] = []
        self.stuck = asyncio.Event()
        self.stuck.set()
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Server"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            self.stuck.set()
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        target = head.split()[1]
        self.asked.append(target)
        await self.stuck.wait()
        path = urlsplit(target).path
        body = self.answers.get(path)
        status = "200 OK" if body is not None else "503 Unavailable"
        if path in self.moved:
            status = f"302 Found\r\nLocation: {self.moved[path]}"
        start = f"HTTP/1.1 {status}\r\nContent-Length: {len(body or b'')}\r\nConnection: close\r\n\r\n"
        writer.write(start.encode() + (body or b""))
        writer.close()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server().running() as running:
        running.answers = {
            "/weather": json.dumps(WEATHER).encode(),
            "/rates": json.dumps(RATES).encode(),
            "/rss": RSS.encode(),
            "/atom": ATOM.encode(),
        }
        yield running


def config(server: Server, **more: Any) -> CollectorsConfig:
    addresses = ServicesConfig(
        weather_url=f"{server.url}/weather",
        rates_url=f"{server.url}/rates",
        news_feeds=(f"{server.url}/rss", f"{server.url}/atom"),
    )
    return CollectorsConfig(**{"network_services": True, "services": addresses, **more})


async def found(source: WebService) -> dict[str, Any]:
    readings_of = await readings(source, {LOCATION: HERE})
    assert {one.trust for one in readings_of.values()} <= {Trust.THIRD_PARTY}
    return {name: one.value for name, one in readings_of.items()}


async def test_the_weather_is_asked_with_a_coarse_position(server: Server) -> None:
    assert await found(WeatherSource(config(server))) == {
        "weather.now": {"temperature": 7, "sky": "rain"},
        "weather.today": {"low": 2, "high": 8, "rain_percent": 80},
    }
    asked = parse_qs(urlsplit(server.asked[0]).query)
    assert (asked["latitude"], asked["longitude"]) == (["31.2"], ["121.5"])


async def test_rates_of_the_first_currency(server: Server) -> None:
    expected = {"base": "CNY", "date": "2026-02-05", "rates": {"USD": 0.1441, "EUR": 0.1222}}
    assert await found(RateSource(config(server))) == {"rates": expected}
    assert parse_qs(urlsplit(server.asked[0]).query) == {"base": ["CNY"], "symbols": ["USD,EUR"]}


async def test_headlines_of_several_feeds(server: Server) -> None:
    assert await found(NewsSource(config(server))) == {"news.headlines": ["One & only", "Two <b>", "Three"]}


async def test_one_feed_that_fails_does_not_hide_the_others(server: Server) -> None:
    del server.answers["/rss"]
    assert await found(NewsSource(config(server))) == {"news.headlines": ["Three"]}
    del server.answers["/atom"]
    with pytest.raises(UnavailableError, match="503"):
        await found(NewsSource(config(server)))


@pytest.mark.parametrize("kind", [WeatherSource, RateSource, NewsSource])
async def test_nothing_is_asked_unless_it_is_switched_on(server: Server, kind: type[WebService]) -> None:
    assert await found(kind(config(server, network_services=False))) == {}
    assert server.asked == []


async def test_an_answer_is_kept_and_so_is_a_failure(server: Server) -> None:
    weather, rates = WeatherSource(config(server)), RateSource(config(server))
    del server.answers["/rates"]
    for _ in range(3):
        await found(weather)
        with pytest.raises(UnavailableError, match="503"):
            await found(rates)
    assert len(server.asked) == 2


async def test_nobody_waits_for_a_slow_service_and_its_answer_is_there_the_next_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "PATIENCE_S", 0.05)
    server.stuck.clear()
    rates = RateSource(config(server))
    with pytest.raises(UnavailableError, match="not answered yet"):
        await found(rates)
    server.stuck.set()
    monkeypatch.setattr(services, "PATIENCE_S", 20)
    assert "rates" in await found(rates)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"[]", b'{"current": {}}', b'{"rates": {"USD": "much"}}', b"\xff" * 9]
)
@pytest.mark.parametrize("kind", [WeatherSource, RateSource])
async def test_another_format_is_unavailable(server: Server, kind: type[WebService], answer: bytes) -> None:
    server.answers = {"/weather": answer, "/rates": answer}
    with pytest.raises(UnavailableError, match="format"):
        await found(kind(config(server)))


async def test_a_huge_answer_is_not_read(server: Server) -> None:
    server.answers = {"/rates": b" " * (services.MAX_BYTES + 1)}
    with pytest.raises(UnavailableError, match="more than"):
        await found(RateSource(config(server)))


async def test_a_document_that_moved_is_followed_on_its_server_and_to_no_other(server: Server) -> None:
    server.moved = {"/old": "/rss", "/away": server.url.replace("127.0.0.1", "localhost") + "/rss"}
    web = Web()
    assert await web.get(f"{server.url}/old", {}, fresh=60) == RSS
    with pytest.raises(UnavailableError, match="sends us on to localhost"):
        await web.get(f"{server.url}/away", {}, fresh=60)
    assert server.asked == ["/old", "/rss", "/away"]


async def test_no_server_is_unavailable() -> None:
    offline = ServicesConfig(rates_url="http://127.0.0.1:9/rates")
    with pytest.raises(UnavailableError, match=r"127\.0\.0\.1"):
        await found(RateSource(CollectorsConfig(network_services=True, services=offline)))


@pytest.mark.parametrize("document", ["", "no xml", '<!DOCTYPE x [<!ENTITY a "aaaa">]><rss/>', "<rss>"])
def test_what_is_no_feed_is_unavailable(document: str) -> None:
    with pytest.raises(UnavailableError):
        headlines(document)
