"""Two daemons that start at the same moment: one works, the other says why it does not."""

import asyncio
from pathlib import Path

import pytest

from agent.loop import control_socket as control
from agent.loop.daemon_requests import StatusRequest
from heed.errors import PersonError


async def test_a_second_daemon_does_not_take_the_socket_of_the_first(heed_home: Path) -> None:
    async def first(request: object) -> str:
        return "first"

    async def second(request: object) -> str:
        return "second"

    async with control.serve(first):
        # Both have seen that none was running before either of them listened.
        with pytest.raises(PersonError, match="running already"):
            async with control.serve(second):
                pass
        assert await control.call(StatusRequest()) == "first"
    async with control.serve(second):
        assert await control.call(StatusRequest()) == "second"


async def test_a_socket_left_by_a_killed_daemon_is_taken_over(heed_home: Path) -> None:
    async def handler(request: object) -> str:
        return "works"

    path = control.socket_path()
    path.parent.mkdir(parents=True)
    server = await asyncio.start_unix_server(lambda reader, writer: None, path)
    server.close()
    path.touch()
    async with control.serve(handler):
        assert await control.call(StatusRequest()) == "works"
