"""Local stand-ins for Home Assistant and the weather service, over real HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "test-token"


def _home() -> dict[str, dict[str, Any]]:
    def entity(identifier: str, name: str, state: str, **attributes: Any) -> dict[str, Any]:
        return {"entity_id": identifier, "state": state, "attributes": {"friendly_name": name, **attributes}}

    listed = (
        entity("light.desk", "Desk lamp", "off"),
        entity("light.bedroom", "Bedroom lamp", "on", brightness=128),
        entity("cover.blind", "Living room blind", "closed", current_position=0),
        entity("sensor.bedroom_temperature", "Bedroom temperature", "21.5", unit_of_measurement="°C"),
        entity("lock.door", "Front door", "locked"),
        entity("scene.evening", "Evening", "2026-02-05T18:00:00+00:00", entity_id=["light.desk", "light.bedroom"]),
        entity("script.leave", "Leave home", "off"),
    )
    return {one["entity_id"]: one for one in listed}


class LocalServices:
    """What the services know, and what they were asked."""

    def __init__(self) -> None:
        self.states = _home()
        self.asked: list[str] = []
        self.port = 0
        self.broken = ""
        """What it answers instead: ``slow``, ``error``, ``text``, ``redirect``."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["LocalServices"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])
            if name
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        method, target, _ = head.split(" ", 2)
        self.asked.append(f"{method} {target} {body.decode()}".strip())
        status, answer = self._answer(method, target, headers, body)
        if self.broken == "slow":
            await asyncio.sleep(30)
        if self.broken == "error":
            status = 500
        text = "<html>" if self.broken == "text" else json.dumps(answer)
        place = f"location: {self.url}/elsewhere\r\n" if self.broken == "redirect" else ""
        status = 302 if self.broken == "redirect" else status
        data = text.encode()
        writer.write(f"HTTP/1.1 {status} .\r\ncontent-length: {len(data)}\r\n{place}connection: close\r\n\r\n".encode())
        writer.write(data)
        await writer.drain()
        writer.close()

    def _answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        parts = urlsplit(target)
        question = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/forecast":
            return 200, _forecast(question)
        if parts.path == "/air":
            return 200, {"hourly": {"pm2_5": [12.0], "european_aqi": [35]}}
        if parts.path == "/places":
            known = question["name"] == "Hangzhou"
            return 200, {"results": [{"name": "Hangzhou", "latitude": 30.29, "longitude": 120.16}]} if known else {}
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return 401, {}
        return self._home_answer(method, parts.path, body)

    def _home_answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path == "/api/states":
            return 200, list(self.states.values())
        if path.startswith("/api/states/"):
            found = self.states.get(path.removeprefix("/api/states/"))
            return (200, found) if found else (404, {"message": "Entity not found."})
        if method == "POST" and path.startswith("/api/services/"):
            _, _, _, domain, service = path.split("/")
            self._carry_out(domain, service, json.loads(body))
            return 200, []
        return 404, {}

    def _carry_out(self, domain: str, service: str, data: dict[str, Any]) -> None:
        one = self.states[data["entity_id"]]
        if domain == "scene":
            one["state"] = "2026-02-06T06:00:00+00:00"
            self.states["light.desk"]["state"] = "on"
            return
        attributes = one["attributes"]
        if domain == "light":
            one["state"] = "on" if service == "turn_on" else "off"
            if "brightness_pct" in data:
                attributes["brightness"] = round(data["brightness_pct"] * 2.55)
            if "brightness" in data:
                attributes["brightness"] = data["brightness"]
        elif domain == "cover":
            one["state"] = {"open_cover": "open", "close_cover": "closed"}.get(service, one["state"])
            attributes["current_position"] = 100 if one["state"] == "open" else 0
        elif domain == "lock":
            one["state"] = "unlocked" if service == "unlock" else "locked"
        elif domain == "script":
            attributes["last_triggered"] = "2026-02-06T06:00:00+00:00"


def _forecast(question: dict[str, str]) -> dict[str, Any]:
    values = {"weather_code": 61, "temperature_2m_min": 4.0, "temperature_2m_max": 9.5}
    values |= {"precipitation_probability_max": 80, "uv_index_max": 3.5}
    return {"daily": {name: [values[name]] for name in question["daily"].split(",")}}
