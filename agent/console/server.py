"""One web server in the daemon's own loop, on this machine's loopback only."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from heed.errors import UsageError
from heed.messages import msg

LOOPBACK = "127.0.0.1"
_GRACE_SECONDS = 2
MOST_CONNECTIONS = 128
"""Open connections; beyond it the one that has been idle longest is closed."""
REQUEST_SECONDS = 5.0
"""A connection that sends no whole request for as long, and once more as long, is closed."""


def listen(port: int) -> socket.socket:
    """A socket that listens on loopback; port 0 takes any free one. ``UsageError`` when the port is taken."""
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise UsageError(
            msg("The console cannot have port {port}: {strerror}.", port=port, strerror=error.strerror),
            msg("Set `console.port` to 0 for any free port, or to one that no other program has."),
        ) from error
    return listening


def listen_again(port: int) -> socket.socket:
    """A socket that listens on a port that was had before, if it is free, else on any; 0 = none was had."""
    try:
        return listen(port)
    except UsageError:
        return listen(0)


def port_of(listening: socket.socket) -> int:
    """The port that a socket listens on."""
    return int(listening.getsockname()[1])


class ByPort:
    """The application of the port that a request came in on."""

    def __init__(self, apps: Mapping[int, ASGIApp]) -> None:
        self._apps = apps

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._apps[scope["server"][1]](scope, receive, send)


class BoundedHttp(H11Protocol):
    """One connection: closed when it sends no request, or half of one, for too long; bounded in number."""

    _all: ClassVar[dict["BoundedHttp", None]] = {}
    """The open connections, the oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._was_waiting = False
        self._check = self.loop.call_later(REQUEST_SECONDS, self._close_if_waiting)
        self._all[self] = None
        if len(self._all) > MOST_CONNECTIONS:
            oldest = next((one for one in self._all if one.waits), None)
            if oldest is not None:
                oldest.transport.abort()
                self._all.pop(oldest, None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._check.cancel()
        self._all.pop(self, None)
        super().connection_lost(exc)

    @property
    def waits(self) -> bool:
        """Whether the next move is the client's: no request, or only a part of one, has arrived."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _close_if_waiting(self) -> None:
        if self.waits and self._was_waiting:
            self.transport.abort()
            return
        self._was_waiting = self.waits
        self._check = self.loop.call_later(REQUEST_SECONDS, self._close_if_waiting)


class _Server(uvicorn.Server):
    """Leaves the signals to the daemon."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp, sockets: list[socket.socket]) -> AsyncIterator[None]:
    """Serve until the block ends; open answers get a moment to finish."""
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        http=BoundedHttp,
        backlog=MOST_CONNECTIONS,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=sockets), name="console")
    try:
        yield
    finally:
        server.should_exit = True
        await running
