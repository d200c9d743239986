"""One driver per messaging service: its server, its settings, and the hands of a person who reads and presses."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.agent.channels.desktop_server import NotificationArea, desktop
from tests.agent.channels.servers import TOKEN, HomeServer, NtfyServer, TelegramServer


class ShownMessage(NamedTuple):
    """A question as a person sees it."""

    title: str
    text: str
    buttons: dict[str, Any]
    """What a press sends, by the button's label."""


class Driver(ABC):
    """A service and a person's hands."""

    name: str
    wrong: dict[str, Any]
    """Settings with a wrong token; empty = the service has none."""
    fault: str
    """What the status says of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def serving(self) -> contextlib.AbstractAsyncContextManager[None]:
        """The service is on while the block runs."""

    @abstractmethod
    def settings(self) -> dict[str, Any]: ...

    @abstractmethod
    def messages(self) -> list[ShownMessage]:
        """The questions that were ever shown, oldest first."""

    @abstractmethod
    async def press(self, pressed: Any) -> None:
        """Press a button."""

    @abstractmethod
    def said(self) -> list[str]:
        """What was said after the question: endings and replies."""

    @abstractmethod
    def open(self) -> int:
        """How many questions are shown with buttons that work."""

    def section(self, **more: Any) -> dict[str, Any]:
        return {self.name: {"enabled": True, **self.settings(), **more}}


class NtfyDriver(Driver):
    """ntfy's app, subscribed to the owner's topic."""

    name, wrong, fault = "ntfy", {"token": "tk_wrong"}, "does not accept the access token"
    TOPIC = "heed-test"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = NtfyServer()

    def serving(self) -> contextlib.AbstractAsyncContextManager[None]:
        return self.server.serving()

    def settings(self) -> dict[str, Any]:
        own = {"url": self.server.url, "topic": self.TOPIC, "token": TOKEN}
        return {**own, "answer_topic": "heed-answers", "answer_token": NtfyServer.ANSWERS}

    def messages(self) -> list[ShownMessage]:
        return [
            ShownMessage(one["title"], one["message"], {button["label"]: button for button in one["actions"]})
            for one in self.server.on(self.TOPIC)
            if one.get("actions")
        ]

    async def press(self, pressed: Any) -> None:
        """Send the request that the button holds, as the app does."""
        async with httpx.AsyncClient(trust_env=False) as app:
            reply = await app.request(
                pressed["method"], pressed["url"], headers=pressed["headers"], content=pressed["body"]
            )
        reply.raise_for_status()

    def said(self) -> list[str]:
        return [one["message"] for one in self.server.on(self.TOPIC) if not one.get("actions")]

    def open(self) -> int:
        newest = {one["sequence_id"]: one for one in self.server.on(self.TOPIC) if "sequence_id" in one}
        return sum(bool(one.get("actions")) for one in newest.values())


class TelegramDriver(Driver):
    """Telegram's app, in the chat with the bot."""

    name, wrong, fault = "telegram", {"token": "123:wrong"}, "does not accept the access token"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = TelegramServer()
        self._seen: dict[int, ShownMessage] = {}

    def serving(self) -> contextlib.AbstractAsyncContextManager[None]:
        return self.server.serving()

    def settings(self) -> dict[str, Any]:
        return {"url": self.server.url, "token": TelegramServer.BOT, "chat": TelegramServer.CHAT}

    def messages(self) -> list[ShownMessage]:
        for number, body in self.server.messages.items():
            if "reply_markup" in body:
                title, _, text = body["text"].partition("\n\n")
                rows = body["reply_markup"]["inline_keyboard"]
                buttons = {button["text"]: button["callback_data"] for row in rows for button in row}
                self._seen[number] = ShownMessage(title, text, buttons)
        return list(self._seen.values())

    async def press(self, pressed: Any) -> None:
        self.server.press(pressed)

    def said(self) -> list[str]:
        edited = [body["text"] for body in self.server.messages.values() if "reply_markup" not in body]
        return [*edited, *(popup.get("text", "") for popup in self.server.popups)]

    def open(self) -> int:
        return sum("reply_markup" in body for body in self.server.messages.values())


class HomeAssistantDriver(Driver):
    """Home Assistant's companion app."""

    name, wrong, fault = "home_assistant", {"token": "wrong"}, "does not accept the access token"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = HomeServer()
        self._seen: dict[str, ShownMessage] = {}

    def serving(self) -> contextlib.AbstractAsyncContextManager[None]:
        return self.server.serving()

    def settings(self) -> dict[str, Any]:
        return {"url": self.server.url, "token": TOKEN, "notify": HomeServer.NOTIFY}

    def messages(self) -> list[ShownMessage]:
        for tag, body in self.server.shown.items():
            if body["data"].get("actions"):
                buttons = {one["title"]: one["action"] for one in body["data"]["actions"]}
                self._seen[tag] = ShownMessage(body["title"], body["message"], buttons)
        return list(self._seen.values())

    async def press(self, pressed: Any) -> None:
        self.server.press(pressed)

    def said(self) -> list[str]:
        return [body["message"] for body in self.server.shown.values() if not body["data"].get("actions")]

    def open(self) -> int:
        return sum(bool(body["data"].get("actions")) for body in self.server.shown.values())


class DesktopDriver(Driver):
    """A desktop's notifications."""

    name, wrong, fault = "desktop", {}, ""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.area: NotificationArea | None = None
        self._pressed: Callable[[int, str], object] | None = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        async with desktop(self.folder) as self.area:
            yield

    def settings(self) -> dict[str, Any]:
        return {}

    def messages(self) -> list[ShownMessage]:
        found = []
        for number, one in enumerate(self.area.all if self.area else (), start=1):
            keys, labels = one["actions"][::2], one["actions"][1::2]
            buttons = {label: (number, key) for key, label in zip(keys, labels, strict=True)}
            if buttons:
                found.append(ShownMessage(one["summary"], one["body"], buttons))
        return found

    async def press(self, pressed: Any) -> None:
        assert self.area is not None
        self.area.invoked(*pressed)

    def said(self) -> list[str]:
        return [one["body"] for one in (self.area.all if self.area else ()) if not one["actions"]]

    def open(self) -> int:
        return sum(bool(one["actions"]) for one in self.area.shown.values()) if self.area else 0


DRIVERS: tuple[type[Driver], ...] = (NtfyDriver, TelegramDriver, HomeAssistantDriver, DesktopDriver)
