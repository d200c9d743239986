"""Assistants: the SDK's own client, over stdio and over HTTP, to the real command `heed mcp`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation

from tests.agent.command import start

TOKEN = "0123456789abcdef0123456789abcdef"
ASSISTANT = Implementation(name="Test assistant", version="1")
DEADLINE = 60.0


@asynccontextmanager
async def over_stdio(mode: str = "auto") -> AsyncIterator[Client]:
    """A client that starts ``heed mcp`` itself."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "heed", "mcp"], env=dict(os.environ))
    async with Client(server, client_info=ASSISTANT, mode=mode) as client:
        yield client


@asynccontextmanager
async def served(**environment: str) -> AsyncIterator[str]:
    """``heed mcp --http`` in a process of its own; its address."""
    settings = {"HEED_MCP__TOKEN": TOKEN, "HEED_MCP__PORT": "0", **environment}
    process = await start("mcp", "--http", port=0, **settings)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(DEADLINE):
            line = (await process.stdout.readline()).decode()
        yield line.removeprefix("MCP: ").strip()
    finally:
        process.terminate()
        await process.communicate()


@asynccontextmanager
async def over_http(address: str, token: str = TOKEN) -> AsyncIterator[Client]:
    """A client with a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=DEADLINE) as http:
        transport: Any = streamable_http_client(address, http_client=http)
        async with Client(transport, client_info=ASSISTANT) as client:
            yield client
