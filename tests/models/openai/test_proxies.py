"""Prompts to this machine never go through a proxy, and those to another only through the configured one."""

import asyncio

import pytest

from heed.errors import UsageError
from models.config import OpenAIConfig
from models.openai.server import ModelServer
from tests.models.openai.test_openai_faults import Scripted, reply

LOCAL = ("127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "model.localhost", "0.0.0.0")


async def asked_of(server: ModelServer) -> None:
    try:
        await server.ask([], {})
    finally:
        await server.close()


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"])
async def test_a_proxy_of_the_environment_sees_no_prompt(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    proxy, model = Scripted([reply("{}")]), Scripted([reply("{}")])
    async with (
        await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as seen,
        await asyncio.start_server(model.serve, "127.0.0.1", 0) as meant,
    ):
        monkeypatch.setenv(variable, f"http://127.0.0.1:{seen.sockets[0].getsockname()[1]}")
        await asked_of(ModelServer(OpenAIConfig(base_url=f"http://127.0.0.1:{meant.sockets[0].getsockname()[1]}/v1")))
    assert not proxy.asked and model.asked


@pytest.mark.parametrize("host", LOCAL)
def test_the_configured_proxy_is_not_used_for_this_machine(host: str) -> None:
    server = ModelServer(OpenAIConfig(base_url=f"http://{host}:8000/v1", proxy="http://127.0.0.1:1"))
    assert not any(server._client._mounts.values())


async def test_the_configured_proxy_is_used_for_another_machine() -> None:
    proxy = Scripted([reply("{}")])
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as seen:
        address = f"http://127.0.0.1:{seen.sockets[0].getsockname()[1]}"
        await asked_of(ModelServer(OpenAIConfig(base_url="http://model.example/v1", proxy=address)))
    assert proxy.asked and proxy.headers[0].startswith(b"POST http://model.example/v1/")


def test_an_address_that_is_no_proxy_is_told() -> None:
    with pytest.raises(UsageError, match="proxy"):
        ModelServer(OpenAIConfig(base_url="http://model.example/v1", proxy="not a proxy"))
