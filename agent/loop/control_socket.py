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
from heed.errors import Bug, ExitCode, PersonError, UsageError
from heed.messages import Text, msg
from heed.model import Frozen

log = logging.getLogger(__name__)

TIMEOUT = 60.0
"""Seconds a command waits for the daemon; an undo verifies on the phone."""


MOST_CONNECTIONS = 64
"""Open connections; beyond it the one that has been idle longest is closed."""

REQUEST_SECONDS = 10.0
"""Seconds within which a connection must send its next request, and read its answer."""

MAX_REQUEST = 64 * 1024
"""Bytes of one request."""

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


def require_short(path: Path) -> None:
    """Raise ``UsageError`` for a path that is too long for a socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError as error:
            if error.errno is None:  # Python's own check; the system's errors have a number.
                raise _cannot_listen(path, error) from error


def _cannot_listen(path: Path, error: OSError) -> UsageError:
    return UsageError(
        msg("The daemon cannot listen on {path}: {error}.", path=path, error=error.strerror or str(error)),
        msg("Set HEED_HOME to a folder with a short path that you may write to."),
    )


@asynccontextmanager
async def serve(handler: Handler) -> AsyncIterator[None]:
    """Answer requests while the block runs; the socket is readable by this user alone.

    Raises ``PersonError`` while another daemon holds the socket, also one that has not begun to listen yet.
    """
    path = socket_path()
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(process_lock(path.with_suffix(".lock"), _running_already))
        except OSError as error:
            raise _cannot_listen(path, error) from error
        # A daemon that was killed left it.
        path.unlink(missing_ok=True)
        async with _listening(handler):
            yield


def _running_already(holder: str) -> PersonError:
    return PersonError(msg("A daemon is running already."), msg("See `heed status`."))


@asynccontextmanager
async def _listening(handler: Handler) -> AsyncIterator[None]:
    path = socket_path()
    connections = _Connections(handler)
    before = os.umask(0o177)
    try:
        server = await asyncio.start_unix_server(connections.session, path, limit=MAX_REQUEST, backlog=MOST_CONNECTIONS)
    except OSError as error:
        raise _cannot_listen(path, error) from error
    finally:
        os.umask(before)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


class _Connections:
    """The open connections of the socket, bounded in number; each has a deadline for every request."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._idle: dict[asyncio.StreamWriter, None] = {}
        """Those that have sent no whole request, the longest idle first."""
        self._open = 0

    async def session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it ends or is idle for too long."""
        self._open += 1
        try:
            with contextlib.suppress(OSError, TimeoutError, ValueError):  # ValueError: a line without end
                while line := await self._next(reader, writer):
                    reply = await _answer(self._handler, line)
                    writer.write(reply.model_dump_json().encode() + b"\n")
                    async with asyncio.timeout(REQUEST_SECONDS):
                        await writer.drain()
        finally:
            self._open -= 1
            if writer.transport.get_write_buffer_size():  # nobody reads the answer
                writer.transport.abort()
            writer.close()

    async def _next(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        self._idle[writer] = None
        if self._open > MOST_CONNECTIONS:
            next(iter(self._idle)).transport.abort()
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                return await reader.readline()
        finally:
            self._idle.pop(writer, None)


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


async def call_if_monitored(request: DaemonRequest, timeout: float = TIMEOUT) -> JsonValue | None:
    """Ask the daemon; None when none is running or it does not monitor the wanted phone."""
    if not is_running():
        return None
    try:
        return await call(request, timeout)
    except PersonError as refusal:
        if refusal.exit_code is ExitCode.NO_DEVICE:
            return None
        raise


def _reply(line: bytes) -> DaemonReply:
    try:
        return DaemonReply.model_validate(json.loads(line))
    except (ValueError, ValidationError) as error:
        raise Bug(f"the daemon sent {line[:80]!r}") from error
