"""ntfy: a message with buttons on the owner's topic; a press is a message on a second topic, which heed reads.

So it works without a port that can be reached from outside. Sources: https://docs.ntfy.sh/publish/,
https://docs.ntfy.sh/subscribe/api/; limits from ntfy's ``server/config.go`` and ``server/server_firebase.go``.
"""

import json
import secrets
from collections.abc import AsyncGenerator, Mapping
from typing import ClassVar

from pydantic import JsonValue

from agent.channels.config import NtfySettings
from agent.channels.http import ChannelHttp
from agent.channels.service import ChannelError, MessageService, Press, ServiceQuestion, require
from agent.consent.request import Answer, ChannelName
from heed.messages import msg

_SILENCE = 120.0
"""Seconds without a line after which the stream is dead: the server sends a keepalive every 45."""
_HIGH, _LOWEST = 4, 1
"""Priorities: a question pops up, its end makes no sound."""


class NtfyService(MessageService):
    """Asks through an ntfy server."""

    name: ClassVar[str] = ChannelName.NTFY.value
    settings_type = NtfySettings
    answers: ClassVar[tuple[Answer, ...]] = (Answer.ONCE, Answer.NOT_NOW, Answer.NEVER)
    """ntfy allows three buttons."""
    longest: ClassVar[int] = 2000
    """The server allows 4,096 bytes of text, and Google's and Apple's push services 4,000 with title and buttons."""

    def __init__(self, settings: NtfySettings) -> None:
        topic = settings.topic.get_secret_value()
        require(self.name, url=settings.url, topic=topic)
        token = settings.token.get_secret_value()
        self._http = ChannelHttp("ntfy", {"Authorization": f"Bearer {token}"} if token else {})
        self._url, self._topic = settings.url.rstrip("/"), topic
        self._answer_topic = settings.answer_topic.get_secret_value() or f"heed-{secrets.token_urlsafe(24)}"
        self._answer_token = settings.answer_token.get_secret_value()
        self._last = ""
        """The newest message that was read: after a broken connection, reading goes on behind it."""

    async def presses(self) -> AsyncGenerator[Press | None, None]:
        """Read the answer topic."""
        since = {"since": self._last} if self._last else {}
        async for line in self._http.lines(f"{self._url}/{self._answer_topic}/json", since, silence=_SILENCE):
            message = _decoded(line)
            if message.get("event") != "message":
                yield None
                continue
            self._last = str(message.get("id", ""))
            yield Press(str(message.get("message", "")))

    async def send(self, question: ServiceQuestion) -> str:
        """Publish the question. Sent again with the same id, it replaces the first (from ntfy 2.16 on)."""
        await self._publish(question.id, question.title, question.text, _HIGH, actions=self._actions(question))
        return question.id

    async def close(self, message: str, question: ServiceQuestion, ending: str) -> None:
        """Replace the message; an ntfy before 2.16 shows a second, silent one."""
        await self._publish(message, question.title, ending, _LOWEST)

    async def reply(self, press: Press, text: str, *, counts: bool) -> None:
        """Say it in a message where the answer does not count."""
        if not counts:
            await self._publish("", "heed", text, _LOWEST)

    async def check(self) -> None:
        """Ask whether the server is healthy and the answer topic can be read."""
        health = await self._http.get(f"{self._url}/v1/health")
        if not isinstance(health, dict) or not health.get("healthy"):
            raise ChannelError(msg("The ntfy server says that it is not healthy."))
        await self._http.get(f"{self._url}/{self._answer_topic}/auth")

    async def _publish(
        self, sequence: str, title: str, text: str, priority: int, actions: list[JsonValue] | None = None
    ) -> None:
        body: dict[str, JsonValue] = {"topic": self._topic, "title": title, "message": text, "priority": priority}
        if sequence:
            body["sequence_id"] = sequence
        if actions:
            body["actions"] = actions
        await self._http.post(f"{self._url}/", body)

    def _actions(self, question: ServiceQuestion) -> list[JsonValue]:
        headers: dict[str, JsonValue] = {"Authorization": f"Bearer {self._answer_token}"} if self._answer_token else {}
        return [
            {
                "action": "http",
                "label": button.label,
                "url": f"{self._url}/{self._answer_topic}",
                "method": "POST",
                "headers": headers,
                "body": button.code,
                "clear": False,
            }
            for button in question.buttons
        ]


def _decoded(line: str) -> Mapping[str, object]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
