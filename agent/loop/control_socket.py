"""The daemon's local socket: one JSON request a line, one JSON answer a line, for this user only."""

import asyncio
import contextlib
import json
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import JsonValue, ValidationError

from agent.loop.daemon_requests import REQUESTS, DaemonRequest
from agent.loop.failures import failure_text
from agent.loop.process_lock import process_lock
from heed import paths
from heed.errors import Bug, ExitCode, PersonError
from heed.messages import Text, msg
from heed.model import Frozen

log = logging.getLogger(__name__)

TIMEOUT = 60.0
"""Seconds a command waits for the daemon; an undo verifies on the phone."""


MAX_REPLY = 16 * 1024 * 1024
"""Bytes of an answer: a context with many facts is long."""


class DaemonReply(Frozen):
    """The daemon's answer; ``error`` is a sentence for the owner, ``exit_code`` the command's."""

    result: JsonValue = None
    error: Text = ""
    remedy: Text = ""
    exit_code: int = 0


Handler = Callable[[DaemonRequest], Awaitable[JsonValue]]


def socket_path() -> Path:
    """Where the daemon listens."""
    return paths.runtime_dir() / "daemon.sock"


@asynccontextmanager
async def serve(handler: Handler) -> AsyncIterator[None]:
    """Answer requests while the block runs; the socket is readable by this user alone.

    Raises ``PersonError`` while another daemon holds the socket, also one that has not begun to listen yet.
    """
    path = socket_path()
    with process_lock(path.with_suffix(".lock"), _running_already):
        # A daemon that was killed left it.
        path.unlink(missing_ok=True)
        async with _listening(handler):
            yield


def _running_already(holder: str) -> PersonError:
    return PersonError(msg("A daemon is running already."), msg("See `heed status`."))


@asynccontextmanager
async def _listening(handler: Handler) -> AsyncIterator[None]:
    path = socket_path()

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                reply = await _answer(handler, line)
                writer.write(reply.model_dump_json().encode() + b"\n")
                await writer.drain()
        writer.close()

    before = os.umask(0o177)
    try:
        server = await asyncio.start_unix_server(session, path)
    finally:
        os.umask(before)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def _answer(handler: Handler, line: bytes) -> DaemonReply:
    try:
        request = REQUESTS.validate_json(line)
    except ValidationError:
        return DaemonReply(
            error=msg("The daemon did not understand the request."),
            remedy=msg("Update heed, then restart `heed run`."),
            exit_code=ExitCode.USAGE,
        )
    try:
        return DaemonReply(result=await handler(request))
    except PersonError as error:
        return DaemonReply(error=error.message, remedy=error.remedy, exit_code=error.exit_code)
    except Exception as error:  # the command is told, and the daemon goes on
        log.exception("a request failed")
        return DaemonReply(error=failure_text(error), exit_code=ExitCode.FAILURE)


def is_running() -> bool:
    """Whether a daemon answers on the socket; a socket left by a crash does not count."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(socket_path()))
        except OSError:
            return False
    return True


async def call(request: DaemonRequest, timeout: float = TIMEOUT) -> JsonValue:
    """Ask the daemon; its refusal is raised as ``PersonError`` with its own exit code."""
    try:
        async with asyncio.timeout(timeout):
            reader, writer = await asyncio.open_unix_connection(socket_path(), limit=MAX_REPLY)
            writer.write(request.model_dump_json().encode() + b"\n")
            line = await reader.readline()
            writer.close()
    except (OSError, TimeoutError) as error:
        raise PersonError(
            msg("The daemon did not answer."), msg("See `heed status`, or restart `heed run`.")
        ) from error
    if not line:
        raise PersonError(
            msg("The daemon ended before it answered."), msg("The journal has what happened: `heed journal`.")
        )
    reply = _reply(line)
    if reply.error:
        refusal = PersonError(reply.error, reply.remedy)
        refusal.exit_code = ExitCode(reply.exit_code)
        raise refusal
    return reply.result


def _reply(line: bytes) -> DaemonReply:
    try:
        return DaemonReply.model_validate(json.loads(line))
    except (ValueError, ValidationError) as error:
        raise Bug(f"the daemon sent {line[:80]!r}") from error
