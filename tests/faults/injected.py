"""How each fault is caused, and how it ends."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from agent.loop import control_socket
from android_bridge.adb import AdbServer
from heed.clock import SystemClock
from tests.agent.command import start
from tests.faults.stages import FaultKind
from tests.phones import reconnect
from virtual_phone import VirtualPhone

_HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""
_JUMP = timedelta(days=120)
_DEADLINE = 60.0


class TurnedClock(SystemClock):
    """The host's clocks; the wall clock can be turned."""

    def turn(self, by: timedelta) -> None:
        self._offset += by


class Setting(NamedTuple):
    """What a fault may break."""

    phone: VirtualPhone
    server: AdbServer
    serial: str
    clock: TurnedClock
    journal: Path
    model_pid: Callable[[], int | None]


class Fault:
    """Something that happens once and is over some time later."""

    def __init__(self, setting: Setting) -> None:
        self.at = setting

    def begin(self) -> None:
        """Cause it; what cannot be caused at once happens in ``follow``."""

    async def follow(self) -> None:
        """The rest of the cause, which takes time; called right after ``begin``."""

    async def end(self) -> None:
        """End it, as a person or the system would."""


class _Unplugged(Fault):
    async def follow(self) -> None:
        await self.at.phone.unplug()


class _Offline(Fault):
    def begin(self) -> None:
        self.at.phone.faults.offline = True

    async def follow(self) -> None:
        await self.at.phone.unplug()

    async def end(self) -> None:
        self.at.phone.faults.offline = False
        await reconnect(self.at.server, self.at.serial)


class _Reboot(_Offline):
    def begin(self) -> None:
        super().begin()
        clock = self.at.phone.state.clock
        clock.restore(clock.wall(), timedelta(seconds=20))


class _AdbKilled(Fault):
    async def follow(self) -> None:
        await self.at.server.kill()

    async def end(self) -> None:
        await self.at.server.ensure_running()
        await reconnect(self.at.server, self.at.serial)


class _PhoneClock(Fault):
    by = _JUMP

    def begin(self) -> None:
        clock = self.at.phone.state.clock
        clock.jump(clock.wall() + self.by)

    async def end(self) -> None:
        clock = self.at.phone.state.clock
        clock.jump(clock.wall() - self.by)


class _PhoneClockBack(_PhoneClock):
    by = -_JUMP


class _HostClock(Fault):
    by = _JUMP

    def begin(self) -> None:
        self.at.clock.turn(self.by)

    async def end(self) -> None:
        self.at.clock.turn(-self.by)


class _HostClockBack(_HostClock):
    by = -_JUMP


class _DiskFull(Fault):
    """No file of this process may grow, which SQLite meets as it meets a full disk."""

    def begin(self) -> None:
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, self._limits[1]))

    async def end(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


class _Locked(Fault):
    """Another process holds the journal, as a backup does."""

    def begin(self) -> None:
        self._holder = subprocess.Popen(
            [sys.executable, "-S", "-c", _HOLD, str(self.at.journal)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == "held\n"

    async def end(self) -> None:
        self._holder.communicate()


class _ModelDies(Fault):
    def begin(self) -> None:
        pid = self.at.model_pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)


class _SecondDaemon(Fault):
    """``heed run`` is typed once more: it says why it ends."""

    async def follow(self) -> None:
        self._process = await start("run", "--no-console", "-s", self.at.serial, port=self.at.server.port)

    async def end(self) -> None:
        async with asyncio.timeout(_DEADLINE):
            _, err = await self._process.communicate()
        assert self._process.returncode not in (0, None)
        assert b"running already" in err and b"Traceback" not in err, err
        assert control_socket.is_running()


FAULTS: dict[FaultKind, type[Fault]] = {
    FaultKind.CABLE: _Unplugged,
    FaultKind.OFFLINE: _Offline,
    FaultKind.ADB: _AdbKilled,
    FaultKind.REBOOT: _Reboot,
    FaultKind.PHONE_AHEAD: _PhoneClock,
    FaultKind.PHONE_BACK: _PhoneClockBack,
    FaultKind.HOST_AHEAD: _HostClock,
    FaultKind.HOST_BACK: _HostClockBack,
    FaultKind.DISK_FULL: _DiskFull,
    FaultKind.LOCKED: _Locked,
    FaultKind.MODEL: _ModelDies,
    FaultKind.SECOND: _SecondDaemon,
}
"""``FaultKind.KILLED`` needs a daemon of its own: ``tests.faults.stopping``."""
