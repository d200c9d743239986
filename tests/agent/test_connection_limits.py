"""Connections that send nothing or half a request, or read no answer, starve neither the daemon nor the console."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from agent.console import server
from agent.loop import control_socket as control
from agent.loop.daemon_requests import DaemonRequest, StatusRequest

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
FLOOD = 1100
SHORT = 0.2


@pytest.fixture(autouse=True)
def enough_files() -> Iterator[None]:
    """Both ends of each connection are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def echo(request: DaemonRequest) -> JsonValue:
    return request.op


async def _ended(connection: Connection) -> bool:
    try:
        async with asyncio.timeout(20):
            return not await connection[0].read()
    except ConnectionError:
        return True


async def _flood_socket(number: int = FLOOD) -> list[Connection]:
    made = []
    for _ in range(number):
        made.append(await asyncio.open_unix_connection(control.socket_path()))
        if len(made) % 20 == 0:  # as other processes' connections would, these come one after the other
            await asyncio.sleep(0.002)
    return made


def _close(connections: list[Connection]) -> None:
    for _, writer in connections:
        writer.transport.abort()


async def test_a_command_is_answered_beside_idle_connections() -> None:
    async with control.serve(echo):
        flood = await _flood_socket()
        assert await control.call(StatusRequest(), timeout=10) == "status"
        surplus = flood[: FLOOD - control.MOST_CONNECTIONS]
        assert all(await asyncio.gather(*map(_ended, surplus)))
        _close(flood)


async def test_a_command_is_answered_beside_connections_of_half_a_request() -> None:
    async with control.serve(echo):
        flood = await _flood_socket(300)
        for _, writer in flood:
            writer.write(b'{"op": ')
        assert await control.call(StatusRequest(), timeout=10) == "status"
        _close(flood)


async def test_a_connection_without_a_request_is_closed_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "REQUEST_SECONDS", SHORT)
    async with control.serve(echo):
        silent, endless = await _flood_socket(2)
        endless[1].write(b"x" * 2 * control.MAX_REQUEST)
        assert await _ended(silent) and await _ended(endless)


async def test_who_reads_no_answer_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def long(request: DaemonRequest) -> JsonValue:
        return "x" * control.MAX_REPLY

    monkeypatch.setattr(control, "REQUEST_SECONDS", SHORT)
    async with control.serve(long):
        reader, writer = await asyncio.open_unix_connection(control.socket_path(), limit=1)
        writer.write(b'{"op": "status"}\n')
        await asyncio.sleep(5 * SHORT)
        got = 0
        with contextlib.suppress(ConnectionError):
            while part := await reader.read(65536):
                got += len(part)
        assert got < control.MAX_REPLY
        writer.close()


async def _hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse((await request.body()).decode() or "hello")


@asynccontextmanager
async def console() -> AsyncIterator[int]:
    listening = server.listen(0)
    app = Starlette(routes=[Route("/", _hello, methods=["GET", "POST"])])
    async with server.serving(app, [listening]):
        yield server.port_of(listening)


async def _flood_console(port: int, number: int) -> list[Connection]:
    made = []
    for _ in range(number):
        made.append(await asyncio.open_connection(server.LOOPBACK, port))
        if len(made) % 20 == 0:
            await asyncio.sleep(0.002)
    return made


async def _get(port: int) -> str:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        return (await client.get(f"http://{server.LOOPBACK}:{port}/")).text


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"]
)
async def test_the_console_answers_beside_idle_connections(sent: bytes) -> None:
    async with console() as port:
        flood = await _flood_console(port, FLOOD)
        for _, writer in flood:
            if not writer.is_closing():
                writer.write(sent)
        assert await _get(port) == "hello"
        assert all(await asyncio.gather(*map(_ended, flood[: FLOOD - server.MOST_CONNECTIONS])))
        _close(flood)


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"]
)
async def test_the_console_closes_a_connection_without_a_whole_request(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", SHORT)
    async with console() as port:
        (connection,) = await _flood_console(port, 1)
        connection[1].write(sent)
        assert await _ended(connection)
