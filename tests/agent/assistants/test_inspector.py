"""The MCP inspector's own checks, by its command line, against `heed mcp`: over stdio and over HTTP."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.agent.assistants.clients import DEADLINE, TOKEN, served
from tests.agent.console.house import House
from tests.npm import install
from tests.proof import PROVING

pytestmark = pytest.mark.skipif(not PROVING, reason="installs the MCP inspector from npm (110 MB): HEED_PROVE=1")
PACKAGE = "@modelcontextprotocol/inspector@2.12.0"


class Inspected(NamedTuple):
    """How the inspector ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Inspect = Callable[..., Awaitable[Inspected]]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(PACKAGE, tmp_path_factory.mktemp("inspector"))


@pytest.fixture
def inspect(package: Path, tmp_path: Path) -> Inspect:
    """Runs the inspector with these arguments; without ``address`` it starts ``heed mcp`` itself."""
    servers = tmp_path / "servers.json"
    own = {"command": sys.executable, "args": ["-m", "heed", "mcp"], "env": dict(os.environ)}
    servers.write_text(json.dumps({"mcpServers": {"heed": own}}), encoding="utf-8")

    async def run(*arguments: str, address: str = "", token: str = TOKEN) -> Inspected:
        over_http = ["--server-url", address, "--transport", "http", "--header", f"Authorization: Bearer {token}"]
        server = over_http if address else ["--config", str(servers), "--server", "heed"]
        process = await asyncio.create_subprocess_exec(
            *(str(package.parents[1] / ".bin" / "mcp-inspector"), "--cli", *server, *arguments),
            env={**os.environ, "MCP_INSPECTOR_SECRET_STORE": "memory"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(DEADLINE):
                out, err = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
        return Inspected(process.returncode or 0, out.decode(), err.decode())

    return run


async def test_every_tools_schema_is_portable_by_its_strict_check(inspect: Inspect, house: House) -> None:
    listed = await inspect("--method", "tools/list", "--strict")
    assert listed.code == 0, listed.err
    assert len(listed.data["tools"]) == 63
    assert "portability" not in listed.err


async def test_it_reads_the_context_and_is_told_what_it_may_not_do(inspect: Inspect, house: House) -> None:
    listed = await inspect("--method", "resources/list")
    assert listed.code == 0, listed.err
    uri = listed.data["resources"][0]["uri"]
    read = await inspect("--method", "resources/read", "--uri", uri)
    assert read.code == 0, read.err
    assert read.data["contents"][0]["uri"] == uri
    refused = await inspect("--method", "tools/call", "--tool-name", "set_alarm", "--tool-arg", "time=25:00")
    assert "25:00" in refused.out + refused.err


async def test_over_http_the_token_decides(inspect: Inspect, house: House) -> None:
    async with served() as address:
        right = await inspect("--method", "tools/list", "--strict", address=address)
        wrong = await inspect("--method", "tools/list", address=address, token="f" * len(TOKEN))
    assert right.code == 0, right.err
    assert len(right.data["tools"]) == 63
    assert wrong.code != 0
    assert "set_alarm" not in wrong.out
