"""Local stand-ins for ntfy, Telegram and Home Assistant, over real HTTP.

Each follows the service's own interface: ntfy's ``server/server.go`` and ``server/types.go``, Telegram's Bot API
(https://core.telegram.org/bots/api), Home Assistant's ``homeassistant/components/api/__init__.py``.
"""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

TOKEN = "tk_right"
DEADLINE = 30.0


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class LocalServer:
    """A server that can be switched off and on at one address."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.happened = asyncio.Event()
        """Set at whatever a client did."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def routes(self) -> list[Route]:
        raise NotImplementedError

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serve until the block ends; whatever is open then breaks."""
        config = uvicorn.Config(
            Starlette(routes=self.routes()),
            host="127.0.0.1",
            port=self.port,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=0,
        )
        server = _Server(config)
        running = asyncio.create_task(server.serve())
        try:
            async with asyncio.timeout(DEADLINE):
                while not server.started:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            yield
        finally:
            server.should_exit = server.force_exit = True
            await running

    def note(self) -> None:
        self.happened.set()

    async def until(self, reached: Any) -> None:
        """Wait until ``reached()`` is true; looks again after everything that a client did."""
        async with asyncio.timeout(DEADLINE):
            while not reached():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await self.happened.wait()
                self.happened.clear()


class NtfyServer(LocalServer):
    """An ntfy server with access control: ``TOKEN`` may do everything, ``ANSWERS`` only write."""

    ANSWERS = "tk_answers"

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[dict[str, Any]] = []
        self.readers = 0
        self.refuses = False
        self.padding = 0
        """Characters that it adds to what it says of its health."""

    def routes(self) -> list[Route]:
        return [
            Route("/v1/health", self._health),
            Route("/", self._publish_json, methods=["POST"]),
            Route("/{topic}/json", self._subscribe),
            Route("/{topic}/auth", self._auth),
            Route("/{topic}", self._publish, methods=["POST"]),
        ]

    def on(self, topic: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["topic"] == topic]

    async def _health(self, request: Request) -> Response:
        return JSONResponse({"healthy": True, "padding": " " * self.padding})

    async def _auth(self, request: Request) -> Response:
        return self._denied(request, TOKEN) or JSONResponse({"success": True})

    async def _publish_json(self, request: Request) -> Response:
        if denied := self._denied(request, TOKEN):
            return denied
        body = await request.json()
        if len(body.get("message", "").encode()) > 4096 or len(body.get("actions", [])) > 3:
            return JSONResponse({"code": 40018, "http": 400, "error": "invalid request: actions invalid"}, 400)
        return JSONResponse(self._keep(body))

    async def _publish(self, request: Request) -> Response:
        if denied := self._denied(request, TOKEN, self.ANSWERS):
            return denied
        text = (await request.body()).decode()
        return JSONResponse(self._keep({"topic": request.path_params["topic"], "message": text}))

    def _keep(self, body: dict[str, Any]) -> dict[str, Any]:
        message = {"id": f"m{len(self.messages)}", "time": 1, "event": "message", **body}
        self.messages.append(message)
        self.note()
        return message

    async def _subscribe(self, request: Request) -> Response:
        if denied := self._denied(request, TOKEN):
            return denied
        topic, since = request.path_params["topic"], request.query_params.get("since")
        start = 1 + int(since[1:]) if since else len(self.messages)
        return StreamingResponse(self._stream(topic, start), media_type="application/x-ndjson")

    async def _stream(self, topic: str, start: int) -> AsyncIterator[str]:
        self.readers += 1
        try:
            yield json.dumps({"id": "o", "time": 1, "event": "open", "topic": topic}) + "\n"
            while True:
                while start < len(self.messages):
                    message, start = self.messages[start], start + 1
                    if message["topic"] == topic:
                        yield json.dumps(message) + "\n"
                await asyncio.sleep(0.01)
        finally:
            self.readers -= 1

    def _denied(self, request: Request, *tokens: str) -> Response | None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self.refuses and given in tokens:
            return None
        return JSONResponse({"code": 40301, "http": 403, "error": "forbidden"}, 403)


class TelegramServer(LocalServer):
    """A Bot API server with one bot, which knows one chat."""

    BOT = "123:secret-of-the-bot"
    CHAT = 4711

    def __init__(self) -> None:
        super().__init__()
        self.messages: dict[int, dict[str, Any]] = {}
        self.popups: list[dict[str, Any]] = []
        self.updates: list[dict[str, Any]] = []
        self.polls = 0
        self.paths: list[str] = []

    def routes(self) -> list[Route]:
        return [Route("/bot{token}/{method}", self._method, methods=["POST"])]

    def press(self, data: str, by: int = CHAT, chat: int = CHAT) -> None:
        """What Telegram tells the bot when somebody presses a button."""
        number = 1000 + len(self.updates)
        query = {
            "id": f"q{number}",
            "from": {"id": by, "is_bot": False, "first_name": "A"},
            "message": {"message_id": 1, "date": 1, "chat": {"id": chat, "type": "private"}},
            "chat_instance": "1",
            "data": data,
        }
        self.updates.append({"update_id": number, "callback_query": query})
        self.note()

    async def _method(self, request: Request) -> Response:
        self.note()
        if request.path_params["token"] != self.BOT:
            return JSONResponse({"ok": False, "error_code": 401, "description": "Unauthorized"}, 401)
        body = await request.json()
        handler = getattr(self, "_" + request.path_params["method"].lower())
        reply: Response = await handler(body) if asyncio.iscoroutinefunction(handler) else handler(body)
        return reply

    def _getme(self, body: dict[str, Any]) -> Response:
        return _ok({"id": 123, "is_bot": True, "first_name": "heed"})

    def _getchat(self, body: dict[str, Any]) -> Response:
        if body["chat_id"] != self.CHAT:
            return _telegram_error("Bad Request: chat not found")
        return _ok({"id": self.CHAT, "type": "private"})

    def _sendmessage(self, body: dict[str, Any]) -> Response:
        if body["chat_id"] != self.CHAT:
            return _telegram_error("Bad Request: chat not found")
        if len(body["text"]) > 4096:
            return _telegram_error("Bad Request: message is too long")
        for row in body["reply_markup"]["inline_keyboard"]:
            assert all(len(button["callback_data"].encode()) <= 64 for button in row)
        number = len(self.messages) + 1
        self.messages[number] = body
        return _ok({"message_id": number, "date": 1, "chat": {"id": self.CHAT, "type": "private"}})

    def _editmessagetext(self, body: dict[str, Any]) -> Response:
        if body["message_id"] not in self.messages:
            return _telegram_error("Bad Request: message to edit not found")
        self.messages[body["message_id"]] = body
        return _ok({"message_id": body["message_id"], "date": 1, "chat": {"id": self.CHAT, "type": "private"}})

    def _answercallbackquery(self, body: dict[str, Any]) -> Response:
        if len(body.get("text", "")) > 200:
            return _telegram_error("Bad Request: MESSAGE_TOO_LONG")
        self.popups.append(body)
        return _ok(True)

    async def _getupdates(self, body: dict[str, Any]) -> Response:
        self.polls += 1
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(body["timeout"]):
                while not self._after(body["offset"]):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        return _ok(self._after(body["offset"]))

    def _after(self, offset: int) -> list[dict[str, Any]]:
        return [update for update in self.updates if update["update_id"] >= offset]


class HomeServer(LocalServer):
    """Home Assistant with the companion app of one phone."""

    NOTIFY = "mobile_app_pixel_8"

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[str, dict[str, Any]] = {}
        """The notifications on the phone, by tag."""
        self.events: list[dict[str, Any]] = []
        self.streams = 0

    def routes(self) -> list[Route]:
        return [
            Route("/api/services", self._services),
            Route("/api/services/notify/{name}", self._notify, methods=["POST"]),
            Route("/api/stream", self._stream_events),
        ]

    def press(self, action: str) -> None:
        """The event that the companion app fires when a button is pressed."""
        self.events.append({"event_type": "mobile_app_notification_action", "data": {"action": action}})

    async def _services(self, request: Request) -> Response:
        known = [{"domain": "notify", "services": {self.NOTIFY: {}, "persistent_notification": {}}}]
        return self._denied(request) or JSONResponse(known)

    async def _notify(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        if request.path_params["name"] != self.NOTIFY:
            return PlainTextResponse("400: Bad Request", 400)
        body = await request.json()
        tag = body["data"]["tag"]
        if body["message"] == "clear_notification":
            self.shown.pop(tag, None)
        else:
            self.shown[tag] = body
        self.note()
        return JSONResponse([])

    async def _stream_events(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        return StreamingResponse(self._events(request.query_params["restrict"]), media_type="text/event-stream")

    async def _events(self, kind: str) -> AsyncIterator[str]:
        self.streams += 1
        seen = len(self.events)
        yield "data: ping\n\n"
        while True:
            while seen < len(self.events):
                event, seen = self.events[seen], seen + 1
                if event["event_type"] == kind:
                    yield f"data: {json.dumps(event)}\n\n"
            await asyncio.sleep(0.01)

    def _denied(self, request: Request) -> Response | None:
        if request.headers.get("authorization") == f"Bearer {TOKEN}":
            return None
        return PlainTextResponse("401: Unauthorized", 401)


def _ok(result: Any) -> Response:
    return JSONResponse({"ok": True, "result": result})


def _telegram_error(description: str) -> Response:
    return JSONResponse({"ok": False, "error_code": 400, "description": description}, 400)
