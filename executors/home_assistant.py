"""Home Assistant's REST API: entities by name, their states, their services.

Source: https://developers.home-assistant.io/docs/api/rest/
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from executors.config import HomeAssistantConfig
from executors.executor import HostError, RefusedError
from executors.services import Service
from heed.messages import msg
from heed.model import Frozen

_ENTITY = re.compile(r"[a-z_]+\.[a-z0-9_]+")


class HomeEntity(Frozen):
    """One device, sensor, scene or script."""

    identifier: str
    name: str
    state: str
    attributes: Mapping[str, JsonValue]

    @property
    def domain(self) -> str:
        return self.identifier.partition(".")[0]

    @property
    def members(self) -> tuple[str, ...]:
        """The entities of a scene or group, where its state lists them."""
        listed = self.attributes.get("entity_id")
        items = listed if isinstance(listed, list) else []
        return tuple(item for item in items if isinstance(item, str) and _ENTITY.fullmatch(item))


class HomeAssistant:
    """The owner's Home Assistant; raises ``RefusedError`` when it is not configured."""

    def __init__(self, config: HomeAssistantConfig, timeout: float) -> None:
        token = config.token.get_secret_value()
        if not config.url or not token:
            remedy = msg("Set executors.home_assistant.url and .token, or name the platform whose app shall be opened.")
            raise RefusedError(msg("Home Assistant is not set up."), remedy)
        self._url = config.url.rstrip("/")
        self._service = Service("Home Assistant", timeout, {"Authorization": f"Bearer {token}"})

    async def find(self, name: str, room: str = "", domains: Sequence[str] = ()) -> HomeEntity:
        """Returns the one entity called ``name``; raises ``RefusedError`` for none or several."""
        states = await self._get("/api/states")
        if not isinstance(states, list):
            raise HostError(msg("Home Assistant gave no list of states."))
        entities = [_entity(raw) for raw in states]
        fitting = [one for one in entities if not domains or one.domain in domains]
        wanted = _folded(f"{room} {name}") if room else _folded(name)
        exact = [one for one in fitting if wanted in (_folded(one.name), one.identifier)]
        found = exact or [one for one in fitting if room and _folded(one.name) == _folded(name)]
        if not found:
            near = ", ".join(one.name for one in fitting if set(_folded(name).split()) & set(_folded(one.name).split()))
            raise RefusedError(
                msg("Home Assistant has nothing called {name!r}.", name=name),
                msg("It has {near}.", near=near[:200]) if near else "",
            )
        if len(found) > 1:
            raise RefusedError(
                msg("{name!r} means several things: {found}.", name=name, found=[one.identifier for one in found]),
                msg("Say which."),
            )
        return found[0]

    async def entity(self, identifier: str) -> HomeEntity:
        """Returns the present state of one entity."""
        return _entity(await self._get(f"/api/states/{identifier}"))

    async def call(self, domain: str, service: str, data: Mapping[str, JsonValue]) -> None:
        """Calls a service."""
        await self._service.post(f"{self._url}/api/services/{domain}/{service}", data)

    def request(self, domain: str, service: str, data: Mapping[str, JsonValue]) -> str:
        """Returns the line that shows ``call`` to the owner."""
        return f"POST {self._url}/api/services/{domain}/{service} {json.dumps(dict(data), ensure_ascii=False)}"

    def question(self, identifier: str) -> str:
        """Returns the line that shows ``entity`` to the owner."""
        return f"GET {self._url}/api/states/{identifier}"

    async def _get(self, path: str) -> Any:
        return await self._service.get(f"{self._url}{path}")


def _entity(raw: Any) -> HomeEntity:
    try:
        identifier, attributes = str(raw["entity_id"]), dict(raw["attributes"])
        if not _ENTITY.fullmatch(identifier):
            raise ValueError(identifier)
        name = str(attributes.get("friendly_name") or identifier)
        return HomeEntity(identifier=identifier, name=name, state=str(raw["state"]), attributes=attributes)
    except (KeyError, TypeError, ValueError) as error:
        raise HostError(msg("Home Assistant gave a state that heed does not understand.")) from error


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
