"""One web server in the daemon's own loop, on this machine's loopback only."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.errors import UsageError
from heed.messages import msg

LOOPBACK = "127.0.0.1"
_GRACE_SECONDS = 2


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
            msg("Set `console.port`."),
        ) from error
    return listening


def port_of(listening: socket.socket) -> int:
    """The port that a socket listens on."""
    return int(listening.getsockname()[1])


class ByPort:
    """The application of the port that a request came in on."""

    def __init__(self, apps: Mapping[int, ASGIApp]) -> None:
        self._apps = apps

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._apps[scope["server"][1]](scope, receive, send)


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
        http="h11",
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
