"""``heed mcp``: serve assistants over the Model Context Protocol."""

import asyncio
from typing import Annotated

import typer

from agent.assistants.server import AssistantServer
from agent.assistants.transports import serve_http, serve_stdio
from agent.cli.options import ConfigOption, SerialOption, load_config
from executors.taught.pool import known_pool
from heed.messages import msg
from heed.printing import say


def register(app: typer.Typer) -> None:
    """Add ``mcp``."""
    app.command(name="mcp")(serve)


def serve(
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, to clients that send mcp.token, instead of stdio.")
    ] = False,
    serial: SerialOption = "",
    config: ConfigOption = None,
) -> None:
    """Serve assistants: the functions as tools, the context as resources; the running daemon asks you about each call.

    Without --http, an assistant starts this command itself and speaks with it over standard input and output.
    """
    settings = load_config(config, serial)
    server = AssistantServer(settings, known_pool(settings.executors)).server()
    if http:
        asyncio.run(
            serve_http(server, settings.mcp, lambda where: say(msg("MCP: {where}", where=where), settings.language))
        )
    else:
        asyncio.run(serve_stdio(server))
