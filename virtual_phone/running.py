"""A virtual phone in a thread of its own, for tests and programs without asyncio."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from heed.clock import SystemClock
from virtual_phone.adb import AdbHost
from virtual_phone.adbd.faults import Faults
from virtual_phone.phone import VirtualPhone
from virtual_phone.state import PhoneState

P = ParamSpec("P")
T = TypeVar("T")


class RunningPhone:
    """A virtual phone that runs in a background thread while in the ``with`` block, which is entered once.

    ::

        with LocalAdbServer.private() as server, RunningPhone(server=server) as phone:
            phone.do(lambda state: state.battery.set(level=15))
            server.device(phone.serial).shell("dumpsys battery")

    Args:
        state: the phone's state; None is the standard phone at the present time.
        server: the adb server to connect the phone to; with None it only listens, for ``adb connect``.
        port: where it listens on 127.0.0.1; 0 is any free port.
        emulator: whether ``server`` has it as an emulator, whose console answers ``adb emu``.
        timeout: seconds within which the phone has to start, to run what ``do`` and ``call`` are given, and to stop.

    Raises:
        DeviceError: (on entering the block) when adb does not reach the phone within ``timeout``.
    """

    def __init__(
        self,
        state: PhoneState | None = None,
        *,
        server: AdbHost | None = None,
        port: int = 0,
        emulator: bool = False,
        timeout: float = 20.0,
    ) -> None:
        self.phone = VirtualPhone(state or PhoneState.standard(SystemClock().wall()))
        self.serial = ""
        """The phone's serial in ``adb devices``; empty while it is not running."""
        self._server, self._port, self._emulator, self._timeout = server, port, emulator, timeout
        self._thread = threading.Thread(target=self._run, name="virtual-phone", daemon=True)
        self._started: Future[str] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        """The phone's event loop while it runs."""
        self._stop = asyncio.Event()

    @property
    def state(self) -> PhoneState:
        """The phone's state. Read it freely; change it through ``do``."""
        return self.phone.state

    @property
    def faults(self) -> Faults:
        """The phone's faults. Set its attributes freely; call its methods through ``call``."""
        return self.phone.faults

    def do(self, change: Callable[[PhoneState], T]) -> T:
        """Run ``change(state)`` in the phone's thread and return its result; its exceptions are raised here."""
        return self.call(change, self.state)

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``function(*args, **kwargs)`` in the phone's thread and return its result.

        Its exceptions are raised here; ``TimeoutError`` when it does not end in time, ``RuntimeError`` outside the
        ``with`` block (change ``state`` directly there).
        """
        if threading.current_thread() is self._thread:
            return function(*args, **kwargs)
        if self._loop is None:
            raise RuntimeError("The virtual phone is not running; enter its with block first.")

        async def called() -> T:
            return function(*args, **kwargs)

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(self._timeout)

    def __enter__(self) -> Self:
        self._thread.start()
        # The phone has its own deadline; this one is for a thread that dies before it can report.
        try:
            self.serial = self._started.result(2 * self._timeout)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        loop, self._loop, self.serial = self._loop, None, ""
        if loop is not None:
            loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(self._timeout)

    def _run(self) -> None:
        try:
            asyncio.run(self._until_stopped())
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    async def _until_stopped(self) -> None:
        async with self._online() as serial:
            self._loop = asyncio.get_running_loop()
            self._started.set_result(serial)
            await self._stop.wait()

    @asynccontextmanager
    async def _online(self) -> AsyncIterator[str]:
        if self._server is None:
            async with self.phone.listening(self._port) as port:
                yield f"127.0.0.1:{port}"
        elif self._emulator:
            async with self.phone.emulated(self._server, timeout=self._timeout) as serial:
                yield serial
        else:
            async with self.phone.connected(self._server, port=self._port, timeout=self._timeout) as serial:
                yield serial
