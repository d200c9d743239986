"""A virtual Android phone that unmodified adb servers connect to."""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from heed.errors import DeviceError
from virtual_phone import console as console_
from virtual_phone import sockets
from virtual_phone.adb import AdbHost
from virtual_phone.adbd.faults import Faults
from virtual_phone.adbd.keys import own_key
from virtual_phone.adbd.services import Reverses, Services
from virtual_phone.adbd.transport import AdbConnection, Handler
from virtual_phone.commands import faulty, rooted
from virtual_phone.commands.refusals import refusal
from virtual_phone.databases import mount_databases
from virtual_phone.shell.call import Program
from virtual_phone.shell.interpreter import Shell
from virtual_phone.sockets import LocalService
from virtual_phone.state import PhoneState
from virtual_phone.ui.screen import Screen

_log = logging.getLogger(__name__)
FEATURES = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,fixed_push_symlink_timestamp,sendrecv_v2"
_ATTEMPTS = 20
_READ_LIMIT = 2 * 1024 * 1024


class VirtualPhone:
    """One phone: its state, its adbd, its faults.

    Args:
        state: the phone's state; every output is computed from it. Change it to make something happen on the phone.
        serial: the value of ``ro.serialno``; empty keeps the state's. The adb server lists the phone by its address.
    """

    def __init__(self, state: PhoneState, serial: str = "") -> None:
        self.state = state
        if serial:
            state.identity.serial = serial
        self.faults = Faults()
        state.adb_keys.trust(own_key())
        self.faults.refuses_input = refusal(state.build, ["input"]) is not None
        self.reverses = Reverses()
        self.screen = Screen(state)
        self.console = console_.PhoneConsole(state)
        self.port = 0
        """The port on 127.0.0.1 where adbd listens; 0 while it does not."""
        mount_databases(state)
        self._services = Services(self)
        self._local: dict[str, LocalService] = {}
        self._inodes = itertools.count(31_000)
        state.files.computed.update({path: partial(self._sockets, path) for path in sockets.TABLES})
        self._connections: set[AdbConnection] = set()
        self._work: set[asyncio.Task[Any]] = set()

    # --- the line ---------------------------------------------------------------------------------------------
    @asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncIterator[int]:
        """Run adbd on 127.0.0.1 while in the block; yields the port (``port=0`` takes any free one)."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", port, limit=_READ_LIMIT)
        self.port = int(server.sockets[0].getsockname()[1])
        heartbeat = asyncio.ensure_future(self._heartbeat())
        try:
            yield self.port
        finally:
            self.port = 0
            server.close()
            heartbeat.cancel()
            await self.unplug()
            for task in list(self._work):
                task.cancel()
            await asyncio.gather(heartbeat, *self._work, return_exceptions=True)

    @asynccontextmanager
    async def connected(self, server: AdbHost, *, port: int = 0, timeout: float = 20.0) -> AsyncIterator[str]:
        """Run as a network phone of an adb server while in the block; yields the serial, ``127.0.0.1:PORT``.

        Args:
            server: the adb server, running.
            port: where adbd listens on 127.0.0.1; 0 takes any free port.
            timeout: seconds within which adb has to list the phone as ``device``.

        Raises:
            DeviceError: adb cannot connect, or the phone is not ready within ``timeout``.
        """
        async with self.listening(port) as bound:
            address = f"127.0.0.1:{bound}"
            try:
                with self._pairing(server):
                    await self._connect(server, address)
                    await until_ready(server, address, timeout)
                yield address
            finally:
                with contextlib.suppress(DeviceError):
                    await server.disconnect(address)

    @asynccontextmanager
    async def emulated(self, server: AdbHost, *, timeout: float = 20.0) -> AsyncIterator[str]:
        """Like ``connected``, as an emulator: yields ``emulator-PORT``; ``adb emu`` reaches a console on that port.

        Args:
            server: the adb server, running.
            timeout: seconds within which adb has to list the phone as ``device``.

        Raises:
            DeviceError: adb does not find the phone in time, or no two neighbouring ports are free.
        """
        async with contextlib.AsyncExitStack() as stack:
            port = await self._listen_as_emulator(stack)
            serial = f"emulator-{port}"
            with self._pairing(server):
                await server.register_emulator(port + 1)
                await until_ready(server, serial, timeout)
            yield serial

    @contextlib.contextmanager
    def _pairing(self, server: AdbHost) -> Iterator[None]:
        """While in the block, the owner accepts the server's key."""
        keys = self.state.adb_keys
        keys.trust(own_key(getattr(server, "home", None)))
        keys.pairing = True
        try:
            yield
        finally:
            keys.pairing = False

    async def _connect(self, server: AdbHost, address: str) -> None:
        """Have the server connect; one whose key the phone has just learnt reports a failure and is let in after it."""
        try:
            await server.connect(address)
        except DeviceError:
            if not (self._connections and self.faults.authorized and self.state.adb_keys.required):
                raise

    async def _listen_as_emulator(self, stack: contextlib.AsyncExitStack) -> int:
        """Returns the console's port; adb expects adbd on the next one, so both must be free."""
        for _ in range(_ATTEMPTS):
            console = await console_.listen(self.console)
            port = int(console.sockets[0].getsockname()[1])
            try:
                await stack.enter_async_context(self.listening(port + 1))
            except OSError:
                console.close()
            else:
                stack.callback(console.close)
                return port
        raise DeviceError("No two free ports in a row were found for an emulator.")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = AdbConnection(
            reader,
            writer,
            banner=self._banner(),
            services=self._services.find,
            faults=self.faults,
            keys=self.state.adb_keys,
        )
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)

    def _banner(self) -> str:
        identity = self.state.identity
        return (
            f"device::ro.product.name={identity.device};ro.product.model={identity.model};"
            f"ro.product.device={identity.device};features={FEATURES}"
        )

    async def unplug(self) -> None:
        """Break every connection, as an unplugged cable does; adb connects again by itself."""
        for connection in list(self._connections):
            connection.cut()
        self.faults.thaw()

    async def _heartbeat(self) -> None:
        """Run what becomes due while no command does it."""
        while True:
            due, clock = self.state.schedule.next_due(), self.state.clock
            nap: float | None = None
            if due is not None and clock.rate > 0:
                nap = max(0.0, (due - clock.wall()).total_seconds() / clock.rate)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(nap):
                    await self.state.until_changed()
            self.state.catch_up()

    # --- what runs on the phone ---------------------------------------------------------------------------------
    def shell(self) -> Shell:
        """A new shell, as adb starts one."""
        user = self.state.identity.adbd_user
        shell = Shell(self, self.programs())
        return shell if user == "shell" else shell.as_user(user)

    def programs(self) -> Mapping[str, Program]:
        """The programs by name, with those of a rooted phone; a fault may have replaced some."""
        programs = faulty.programs(self.faults)
        return {**programs, **rooted.PROGRAMS} if self.state.identity.rooted else programs

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a shell's background job until it ends or the phone stops."""
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._work.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.debug("background job failed", exc_info=task.exception())

    def local_service(self, port: str) -> Handler | None:
        """The handler that listens on the phone's ``localhost:port``; None for nobody."""
        service = self._local.get(port)
        return service.handler if service else None

    @contextlib.contextmanager
    def serving_locally(self, port: int, handler: Handler, *, uid: int = sockets.APP) -> Iterator[None]:
        """While in the block, an app on the phone listens on ``localhost:port``.

        Args:
            port: of the phone.
            handler: runs for each connection.
            uid: the Linux user that owns the socket, as ``/proc/net/tcp6`` shows it; 2000 is the shell.
        """
        service = self._local[str(port)] = LocalService(handler, uid, next(self._inodes))
        try:
            yield
        finally:
            if self._local.get(str(port)) is service:
                del self._local[str(port)]

    def _sockets(self, path: str) -> str:
        return sockets.table(path, {int(port): service for port, service in self._local.items()})


async def until_ready(server: AdbHost, address: str, timeout: float) -> None:
    """Waits until adb lists the phone at ``address`` as ready; raises ``DeviceError`` after ``timeout`` seconds."""
    try:
        async with asyncio.timeout(timeout):
            async with contextlib.aclosing(server.track()) as changes:
                async for entries in changes:
                    if (address, "device") in entries:
                        return
    except TimeoutError as error:
        raise DeviceError(f"The virtual phone at {address} did not come up within {timeout:g} s.") from error
    raise DeviceError("The adb server stopped while the virtual phone was connecting.")
