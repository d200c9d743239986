"""A desktop: a real D-Bus daemon of its own, and a program that shows notifications as the specification says."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from dbus_fast import DBusError
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusSignature
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>
"""

Text = Annotated[str, DBusSignature("s")]
Number = Annotated[int, DBusSignature("u")]


class NotificationArea(ServiceInterface):
    """``org.freedesktop.Notifications``."""

    def __init__(self) -> None:
        super().__init__("org.freedesktop.Notifications")
        self.shown: dict[int, dict[str, Any]] = {}
        self.all: list[dict[str, Any]] = []

    @dbus_method(name="GetCapabilities")
    def capabilities(self) -> Annotated[list[str], DBusSignature("as")]:
        return ["actions", "body", "body-markup"]

    @dbus_method(name="Notify")
    def notify(
        self,
        app: Text,
        replaces: Number,
        icon: Text,
        summary: Text,
        body: Text,
        actions: Annotated[list[str], DBusSignature("as")],
        hints: Annotated[dict[str, Any], DBusSignature("a{sv}")],
        expires: Annotated[int, DBusSignature("i")],
    ) -> Number:
        number = replaces or len(self.all) + 1
        self.shown[number] = {"summary": summary, "body": body, "actions": actions}
        self.all.append(self.shown[number])
        return number

    @dbus_method(name="CloseNotification")
    def close(self, number: Number) -> None:
        if self.shown.pop(number, None) is None:
            raise DBusError("org.freedesktop.Notifications.Error.ExceededLimit", "")

    @dbus_signal(name="ActionInvoked")
    def invoked(self, number: int, key: str) -> Annotated[tuple[int, str], DBusSignature("us")]:
        return number, key


async def _connected(folder: Path) -> MessageBus:
    """A connection to the bus, once it listens."""
    while True:
        try:
            return await MessageBus(address(folder)).connect()
        except (FileNotFoundError, ConnectionRefusedError):
            await asyncio.sleep(0.02)


@asynccontextmanager
async def desktop(folder: Path) -> AsyncIterator[NotificationArea]:
    """A session whose bus listens below ``folder``, at ``address(folder)``."""
    configuration = folder / "bus.conf"
    configuration.write_text(_CONFIG.format(path=folder / "bus"), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        "dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"
    )
    try:
        async with asyncio.timeout(30):
            bus = await _connected(folder)
        area = NotificationArea()
        bus.export("/org/freedesktop/Notifications", area)
        await bus.request_name("org.freedesktop.Notifications")
        yield area
        bus.disconnect()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        (folder / "bus").unlink(missing_ok=True)


def address(folder: Path) -> str:
    """What ``DBUS_SESSION_BUS_ADDRESS`` is in that session."""
    return f"unix:path={folder / 'bus'}"
