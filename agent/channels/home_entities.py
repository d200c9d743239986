"""Entities in Home Assistant over MQTT discovery: the last suggestion, a pause switch, each phone's battery.

Sources: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery,
https://www.home-assistant.io/integrations/sensor.mqtt/, https://www.home-assistant.io/integrations/switch.mqtt/.
"""

import asyncio
import hashlib
import json
import logging
import ssl
from contextlib import suppress
from typing import Any, Protocol

from pydantic import JsonValue

from agent.channels.channel_status import ChannelState, ChannelStatus
from agent.channels.config import MqttSettings
from agent.channels.extras import optional
from agent.channels.question_text import headline
from agent.channels.service import ChannelError, require
from agent.loop.failures import failure_text
from agent.loop.progress import ConsentRequested, ContextRead, ProgressEvent
from heed.language import Language
from heed.messages import Message, Text, msg, translate

log = logging.getLogger(__name__)

_FIRST_RETRY, _LONGEST_RETRY = 1.0, 60.0
"""Seconds between attempts to reach a broker that keeps failing; doubled each time."""
_TIMEOUT = 15.0
"""Seconds that the broker may take for one thing."""
_PAUSE_SECONDS = 2.0
"""Between two looks at whether heed was paused elsewhere."""
_STATE_LENGTH = 255
"""Characters of a state in Home Assistant (``MAX_LENGTH_STATE_STATE`` in its ``homeassistant/const.py``)."""
_ON, _OFF = "ON", "OFF"


class Pausing(Protocol):
    """Pausing all phones, as ``heed pause`` does."""

    @property
    def paused(self) -> bool:
        """Whether heed is paused now."""
        ...

    async def pause(self) -> None:
        """Make no suggestions until ``resume``."""
        ...

    async def resume(self) -> None:
        """Go on."""
        ...


class HomeEntities:
    """Publishes entities while ``run`` runs, and obeys the pause switch.

    Args:
        settings: the section ``channels.mqtt``.
        language: of the entities' names and of the last suggestion.
        pause: what the switch does; None = no switch is announced.
    """

    def __init__(self, settings: MqttSettings, language: Language, pause: Pausing | None) -> None:
        require("mqtt", host=settings.host)
        self._library: Any = optional("aiomqtt", "channels")
        self._settings, self._language, self._pause = settings, language, pause
        self._payloads: dict[str, str] = {}
        """The newest payload of each topic; all are published again when the broker is back."""
        self._unsent: dict[str, None] = {}
        self._changed = asyncio.Event()
        self._state: ChannelState = ChannelState.CONNECTING
        self._reason: Text = ""

    @property
    def status(self) -> ChannelStatus:
        """Whether the broker is connected."""
        return ChannelStatus(name="mqtt", state=self._state, reason=self._reason)

    def listen(self, event: ProgressEvent) -> None:
        """Take a progress event: a question is the last suggestion, and a context has the battery's level."""
        match event:
            case ConsentRequested(request=request, phone=phone):
                identity = request.phone.id if request.phone else request.serial
                text = headline(request, self._settings.texts, self._language)
                self._sensor(identity, phone, "suggestion", msg("Last suggestion"), {}, text[:_STATE_LENGTH])
            case ContextRead(context=context, phone=phone):
                level = context.value("battery.level")
                if level is not None:
                    about = {"device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement"}
                    self._sensor(context.phone_id, phone, "battery", msg("Battery"), about, str(level))

    async def run(self) -> None:
        """Publish and obey for as long as heed runs; when the broker goes away, connect again."""
        pause = _FIRST_RETRY
        while True:
            try:
                async with self._client() as client:
                    pause = _FIRST_RETRY
                    await self._serve(client)
            except* (self._library.MqttError, OSError, TimeoutError) as errors:
                self._failed(errors.exceptions[0])
            except* Exception as errors:  # whatever fails, the broker is tried again
                log.exception("channel mqtt has a mistake")
                self._failed(errors.exceptions[0])
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_RETRY)

    # --- the broker ------------------------------------------------------------------------------------------

    def _client(self) -> Any:
        settings = self._settings
        return self._library.Client(
            settings.host,
            settings.port,
            username=settings.username or None,
            password=settings.password.get_secret_value() or None,
            will=self._library.Will(self._topic("available"), "offline", qos=1, retain=True),
            tls_context=ssl.create_default_context() if settings.tls else None,
            timeout=_TIMEOUT,
        )

    async def _serve(self, client: Any) -> None:
        await self._publish(client, self._topic("available"), "online")
        self._announce_switch()
        self._unsent.update(dict.fromkeys(self._payloads))
        self._changed.set()
        self._state, self._reason = ChannelState.WORKING, ""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._publish_changes(client))
                if self._pause is not None:
                    await client.subscribe(self._topic("pause/set"), qos=1)
                    tasks.create_task(self._obey(client, self._pause))
                    tasks.create_task(self._follow(self._pause))
                else:
                    tasks.create_task(self._read(client))
        finally:
            # Where the broker is gone, it says so itself.
            with suppress(self._library.MqttError, TimeoutError):
                await self._publish(client, self._topic("available"), "offline")

    async def _publish_changes(self, client: Any) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._unsent:
                topic = next(iter(self._unsent))
                await self._publish(client, topic, self._payloads[topic])
                del self._unsent[topic]

    async def _publish(self, client: Any, topic: str, payload: str) -> None:
        await client.publish(topic, payload, qos=1, retain=True)

    async def _obey(self, client: Any, switch: Pausing) -> None:
        async for message in client.messages:
            # A retained command is somebody's of long ago.
            if not message.retain and message.payload in (_ON.encode(), _OFF.encode()):
                await (switch.pause() if message.payload == _ON.encode() else switch.resume())
                self._note_pause(switch)

    async def _read(self, client: Any) -> None:
        """Notice the end of the connection, which reading tells."""
        async for _ in client.messages:
            pass

    async def _follow(self, switch: Pausing) -> None:
        while True:
            self._note_pause(switch)
            await asyncio.sleep(_PAUSE_SECONDS)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, self._library.MqttError | OSError | TimeoutError):
            error = ChannelError(
                msg("The MQTT broker did not answer or refused ({error}).", error=str(error)[:200]),
                msg("Are its address, user and password right?"),
            )
        reason = failure_text(error)
        if reason != self._reason:
            log.warning("channel mqtt: %s", reason)
        self._state, self._reason = ChannelState.FAILING, reason

    # --- the entities ----------------------------------------------------------------------------------------

    def _sensor(self, identity: str, phone: str, kind: str, name: Message, about: dict[str, str], state: str) -> None:
        key = hashlib.sha256(identity.encode()).hexdigest()[:12]
        device: dict[str, JsonValue] = {"identifiers": [f"heed_{key}"], "name": phone or "heed", "manufacturer": "heed"}
        entity: dict[str, JsonValue] = {
            "name": translate(name, self._language),
            "state_topic": self._topic(f"{key}/{kind}"),
            **about,
        }
        self._announce("sensor", f"heed_{key}_{kind}", entity, device)
        self._put(self._topic(f"{key}/{kind}"), state)

    def _announce_switch(self) -> None:
        if self._pause is None:
            return
        entity: dict[str, JsonValue] = {
            "name": translate(msg("Paused"), self._language),
            "state_topic": self._topic("pause"),
            "command_topic": self._topic("pause/set"),
            "icon": "mdi:pause-circle",
        }
        self._announce("switch", "heed_pause", entity, {"identifiers": ["heed"], "name": "heed"})
        self._note_pause(self._pause)

    def _announce(self, component: str, name: str, entity: dict[str, JsonValue], device: dict[str, JsonValue]) -> None:
        about: dict[str, JsonValue] = {
            **entity,
            "unique_id": name,
            "availability_topic": self._topic("available"),
            "device": device,
            "origin": {"name": "heed"},
        }
        payload = json.dumps(about, ensure_ascii=False)
        self._put(f"{self._settings.discovery_prefix}/{component}/{name}/config", payload)

    def _note_pause(self, switch: Pausing) -> None:
        self._put(self._topic("pause"), _ON if switch.paused else _OFF)

    def _put(self, topic: str, payload: str) -> None:
        if self._payloads.get(topic) != payload:
            self._payloads[topic] = payload
            self._unsent[topic] = None
            self._changed.set()

    def _topic(self, name: str) -> str:
        return f"{self._settings.base_topic}/{name}"
