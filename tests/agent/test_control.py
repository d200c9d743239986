import asyncio
import stat

import pytest
from pydantic import JsonValue

from agent.loop import control_socket as control
from agent.loop.daemon_requests import ConsoleLinkRequest, DaemonRequest, StatusRequest, UndoRequest
from heed.errors import NoDeviceError, PersonError


async def echo(request: DaemonRequest) -> JsonValue:
    if isinstance(request, ConsoleLinkRequest):
        raise NoDeviceError("There is no phone.", "Connect one.")
    return request.model_dump(mode="json")


async def test_a_command_gets_the_daemons_answer() -> None:
    async with control.serve(echo):
        assert control.is_running()
        assert await control.call(UndoRequest(action=3)) == {"op": "undo", "action": 3}


async def test_a_refusal_arrives_with_its_remedy_and_exit_code() -> None:
    async with control.serve(echo):
        with pytest.raises(PersonError, match=r"There is no phone\. Connect one\.") as refusal:
            await control.call(ConsoleLinkRequest())
    assert refusal.value.exit_code == 3


async def test_only_this_user_may_open_the_socket() -> None:
    async with control.serve(echo):
        assert stat.S_IMODE(control.socket_path().stat().st_mode) == 0o600


async def test_without_a_daemon_there_is_a_sentence_and_no_socket() -> None:
    assert not control.is_running()
    with pytest.raises(PersonError, match="did not answer"):
        await control.call(StatusRequest(), timeout=1)


async def test_a_socket_left_by_a_crash_does_not_count_and_is_replaced() -> None:
    control.socket_path().parent.mkdir(parents=True)
    left = await asyncio.start_unix_server(lambda reader, writer: None, control.socket_path())
    left.close()
    await left.wait_closed()
    assert not control.is_running()
    async with control.serve(echo):
        assert control.is_running()


async def test_nonsense_on_the_socket_is_answered_and_the_daemon_lives() -> None:
    async with control.serve(echo):
        reader, writer = await asyncio.open_unix_connection(control.socket_path())
        for line in (b"nonsense\n", b'{"op": "unknown"}\n', b'{"op": "undo"}\n'):
            writer.write(line)
            assert b"did not understand" in await reader.readline()
        writer.close()
        assert await control.call(StatusRequest()) == {"op": "status"}
