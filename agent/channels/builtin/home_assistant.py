"""Home Assistant: notifications with buttons from its companion app; presses come as events over its REST API.

Sources: https://companion.home-assistant.io/docs/notifications/actionable-notifications/,
https://companion.home-assistant.io/docs/notifications/notifications-basic/ (tag, clear_notification), and the event
stream in Home Assistant's ``homeassistant/components/api/__init__.py`` (``/api/stream``, a ping every 50 seconds).
"""

import json
from collections.abc import AsyncGenerator
from typing import ClassVar

from pydantic import JsonValue

from agent.channels.config import HomeAssistantSettings
from agent.channels.http import ChannelHttp
from agent.channels.service import ChannelError, MessageService, Press, ServiceQuestion, require
from agent.consent.request import Answer, ChannelName
from heed.messages import msg

_EVENT = "mobile_app_notification_action"
_SILENCE = 120.0
"""Seconds without a line after which the stream is dead."""
_DATA = "data:"


class HomeAssistantService(MessageService):
    """Asks through Home Assistant's companion app."""

    name: ClassVar[str] = ChannelName.HOME_ASSISTANT.value
    settings_type = HomeAssistantSettings
    answers: ClassVar[tuple[Answer, ...]] = (Answer.ONCE, Answer.NOT_NOW, Answer.NEVER)
    """The app on Android shows three buttons."""
    longest: ClassVar[int] = 2000
    """Google's push service carries 4,000 bytes, with title and buttons."""

    def __init__(self, settings: HomeAssistantSettings) -> None:
        token = settings.token.get_secret_value()
        require(self.name, url=settings.url, token=token, notify=settings.notify)
        self._http = ChannelHttp("Home Assistant", {"Authorization": f"Bearer {token}"})
        self._url, self._notify = settings.url.rstrip("/"), settings.notify.removeprefix("notify.")

    async def presses(self) -> AsyncGenerator[Press | None, None]:
        """Read the events of pressed buttons."""
        async for line in self._http.lines(f"{self._url}/api/stream", {"restrict": _EVENT}, silence=_SILENCE):
            if line.startswith(_DATA):
                yield _press(line.removeprefix(_DATA).strip())

    async def send(self, question: ServiceQuestion) -> str:
        """Show the notification; a second one with its tag replaces it."""
        actions: list[JsonValue] = [{"action": button.code, "title": button.label} for button in question.buttons]
        # Without these two, Android may hold the message back until the phone is next used.
        data: dict[str, JsonValue] = {"tag": question.id, "actions": actions, "ttl": 0, "priority": "high"}
        await self._tell(question.text, question.title, data)
        return question.id

    async def close(self, message: str, question: ServiceQuestion, ending: str) -> None:
        """Remove the notification."""
        await self._tell("clear_notification", "", {"tag": message})

    async def reply(self, press: Press, text: str, *, counts: bool) -> None:
        """Say it in a notification where the answer does not count."""
        if not counts:
            await self._tell(text, "heed", {"tag": "heed-reply"})

    async def check(self) -> None:
        """Ask whether the token is right and the notify action exists."""
        services = await self._http.get(f"{self._url}/api/services")
        known = {
            name
            for domain in (services if isinstance(services, list) else ())
            if domain.get("domain") == "notify"
            for name in domain.get("services", ())
        }
        if self._notify not in known:
            raise ChannelError(
                msg("Home Assistant has no notify action called {name!r}.", name=self._notify),
                msg("Set channels.home_assistant.notify to one of {known}.", known=sorted(known)),
            )

    async def _tell(self, text: str, title: str, data: dict[str, JsonValue]) -> None:
        body: dict[str, JsonValue] = {"message": text, "data": data}
        if title:
            body["title"] = title
        await self._http.post(f"{self._url}/api/services/notify/{self._notify}", body)


def _press(payload: str) -> Press | None:
    """The press in one event of the stream; None for a ping."""
    try:
        event = json.loads(payload)
    except ValueError:
        return None
    if not isinstance(event, dict) or event.get("event_type") != _EVENT:
        return None
    return Press(str((event.get("data") or {}).get("action", "")))
