"""The ways to the MCP server: standard input and output, and HTTP with a token."""

import contextlib
import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agent.assistants.config import McpConfig
from agent.channels.extras import optional
from heed.errors import UsageError
from heed.messages import msg

if TYPE_CHECKING:
    from mcp.server import Server
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
_SHORTEST_TOKEN = 16
"""Characters; `openssl rand -hex 32` makes a good one."""
_GRACE_SECONDS = 2


async def serve_stdio(server: "Server[Any]") -> None:
    """Serve the one client that started this process, until it closes standard input."""
    library: Any = optional("mcp.server.stdio", "mcp")
    async with library.stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def serve_http(server: "Server[Any]", config: McpConfig, started: Callable[[str], None]) -> None:
    """Serve clients that send the token, until this process is ended.

    Args:
        server: the server.
        config: the section ``mcp``.
        started: called with the address.

    Raises ``UsageError`` without a token, and for an address that cannot be listened on.
    """
    import uvicorn

    token = config.token.get_secret_value()
    if len(token) < _SHORTEST_TOKEN:
        raise UsageError(
            msg("Over HTTP, assistants need a token of at least {length} characters.", length=_SHORTEST_TOKEN),
            msg("Set mcp.token (`openssl rand -hex 32` makes one), or serve stdio."),
        )
    with contextlib.closing(_listen(config)) as listening:
        app = BearerGuard(server.streamable_http_app(streamable_http_path=PATH, host=config.host), token)
        settings = uvicorn.Config(
            app,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        started(f"http://{config.host}:{listening.getsockname()[1]}{PATH}")
        await uvicorn.Server(settings).serve(sockets=[listening])


class BearerGuard:
    """Lets requests through that hold the token; others learn nothing about what is behind it."""

    def __init__(self, app: "ASGIApp", token: str) -> None:
        self._app, self._expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or answer it with 401."""
        if scope["type"] == "http" and not self._is_allowed(dict(scope["headers"]).get(b"authorization", b"")):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, given: bytes) -> bool:
        return secrets.compare_digest(given, self._expected)


def _listen(config: McpConfig) -> socket.socket:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((config.host, config.port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise UsageError(
            msg(
                "MCP cannot be served on {host}:{port}: {strerror}.",
                host=config.host,
                port=config.port,
                strerror=error.strerror,
            ),
            msg("Set mcp.host and mcp.port to what no other program has."),
        ) from error
    return listening
