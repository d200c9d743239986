"""Telegram: messages with an inline keyboard from the owner's own bot; presses come by long polling.

Source: https://core.telegram.org/bots/api
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from pydantic import JsonValue

from agent.channels.config import TelegramSettings
from agent.channels.http import ChannelHttp
from agent.channels.service import ChannelError, MessageService, Press, ServiceQuestion, require
from agent.consent.request import ChannelName
from heed.messages import msg

_POLL_SECONDS = 50
"""How long one request for updates waits at the server."""
_POPUP = 200
"""Characters that ``answerCallbackQuery`` shows."""


class TelegramService(MessageService):
    """Asks through a Telegram bot."""

    name: ClassVar[str] = ChannelName.TELEGRAM.value
    settings_type = TelegramSettings
    longest: ClassVar[int] = 3800
    """A message holds 4,096 characters, with its title and its ending."""

    def __init__(self, settings: TelegramSettings) -> None:
        token = settings.token.get_secret_value()
        is_private = settings.chat > 0  # the numbers of groups and channels are negative
        require(self.name, token=token, chat=settings.chat, users=len(settings.users) or int(is_private))
        self._http = ChannelHttp("Telegram")
        self._methods = f"{settings.url.rstrip('/')}/bot{token}"
        self._chat, self._users = settings.chat, frozenset(settings.users or (settings.chat,))
        self._offset = 0

    async def presses(self) -> AsyncGenerator[Press | None, None]:
        """Poll for presses of inline buttons."""
        seconds = 0  # the first poll returns at once, so that it is known whether the bot works
        while True:
            asked: dict[str, JsonValue] = {
                "offset": self._offset,
                "timeout": seconds,
                "allowed_updates": ["callback_query"],
            }
            updates = await self._call("getUpdates", asked, silence=seconds + 15.0)
            seconds = _POLL_SECONDS
            yield None
            for update in updates if isinstance(updates, list) else ():
                self._offset = max(self._offset, int(update["update_id"]) + 1)
                press = await self._press(update.get("callback_query"))
                if press is not None:
                    yield press

    async def send(self, question: ServiceQuestion) -> str:
        """Send the question with one button a row."""
        rows: list[JsonValue] = [[{"text": button.label, "callback_data": button.code}] for button in question.buttons]
        sent = await self._call(
            "sendMessage",
            {
                "chat_id": self._chat,
                "text": f"{question.title}\n\n{question.text}",
                "link_preview_options": {"is_disabled": True},
                "reply_markup": {"inline_keyboard": rows},
            },
        )
        return str(sent["message_id"])

    async def close(self, message: str, question: ServiceQuestion, ending: str) -> None:
        """Write the ending into the message, which takes its buttons away."""
        text = f"{question.title}\n\n{question.text}\n\n{ending}"
        await self._call(
            "editMessageText",
            {
                "chat_id": self._chat,
                "message_id": int(message),
                "text": text,
                "link_preview_options": {"is_disabled": True},
            },
        )

    async def reply(self, press: Press, text: str, *, counts: bool) -> None:
        """Show it above the chat; what does not count has to be closed by hand."""
        popup: dict[str, JsonValue] = {
            "callback_query_id": press.by,
            "text": text[:_POPUP],
            "show_alert": not counts,
        }
        await self._call("answerCallbackQuery", popup)

    async def check(self) -> None:
        """Ask whether the token is right and the bot knows the chat."""
        await self._call("getMe", {})
        await self._call("getChat", {"chat_id": self._chat})

    async def _press(self, query: Any) -> Press | None:
        """The press of somebody who may answer; anyone else's is acknowledged without a word."""
        if not isinstance(query, dict):
            return None
        where = (query.get("message") or {}).get("chat", {}).get("id")
        press = Press(str(query.get("data", "")), str(query["id"]))
        if where == self._chat and query["from"]["id"] in self._users:
            return press
        with suppress(ChannelError):
            await self._call("answerCallbackQuery", {"callback_query_id": press.by})
        return None

    async def _call(self, method: str, body: Mapping[str, JsonValue], *, silence: float = 15.0) -> Any:
        """The result of a method of the Bot API."""
        said = await self._http.post(f"{self._methods}/{method}", body, seconds=silence)
        if not isinstance(said, dict) or not said.get("ok") or "result" not in said:
            raise ChannelError(msg("Telegram gave an answer that heed does not understand."))
        return said["result"]
