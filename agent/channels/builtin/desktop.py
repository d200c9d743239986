"""Notifications with buttons on a Linux desktop, over D-Bus.

Source: the Desktop Notifications Specification, https://specifications.freedesktop.org/notification-spec/latest/
"""

import asyncio
from collections.abc import AsyncGenerator
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from agent.channels.config import DesktopSettings
from agent.channels.extras import optional
from agent.channels.service import ChannelError, MessageService, Press, ServiceQuestion
from agent.consent.request import ChannelName
from heed.messages import msg

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

_NAME = "org.freedesktop.Notifications"
_PATH = "/org/freedesktop/Notifications"
_PRESSED = f"type='signal',interface='{_NAME}',member='ActionInvoked'"
_STAYS, _PASSES = 0, -1
"""Times until a notification goes by itself: never, and the desktop's own."""
_MOST_PRESSES = 64


class DesktopService(MessageService):
    """Asks on the desktop of this machine."""

    name: ClassVar[str] = ChannelName.DESKTOP.value
    settings_type = DesktopSettings

    def __init__(self, settings: DesktopSettings) -> None:
        self._dbus = optional("dbus_fast", "channels")
        self._bus: MessageBus | None = None
        self._connecting = asyncio.Lock()
        self._pressed: asyncio.Queue[tuple[str, str]] = asyncio.Queue(_MOST_PRESSES)

    async def presses(self) -> AsyncGenerator[Press | None, None]:
        """Listen for presses on the session's bus."""
        bus = await self._connected()
        ended = asyncio.ensure_future(bus.wait_for_disconnect())  # type: ignore[no-untyped-call]
        yield None
        try:
            while True:
                pressed = asyncio.ensure_future(self._pressed.get())
                await asyncio.wait({pressed, ended}, return_when=asyncio.FIRST_COMPLETED)
                if ended.done():
                    pressed.cancel()
                    raise _no_bus()
                number, code = pressed.result()
                yield Press(code, number)
        finally:
            ended.cancel()

    async def send(self, question: ServiceQuestion) -> str:
        """Show the question until it is closed."""
        actions = [part for button in question.buttons for part in (button.code, button.label)]
        return await self._notify(question.title, question.text, actions, _STAYS)

    async def close(self, message: str, question: ServiceQuestion, ending: str) -> None:
        """Remove the notification."""
        await self._call("CloseNotification", "u", [int(message)])

    async def reply(self, press: Press, text: str, *, counts: bool) -> None:
        """Say it in a notification where the answer does not count."""
        if not counts:
            await self._notify("heed", text, [], _PASSES)

    async def check(self) -> None:
        """Ask whether the desktop shows notifications with buttons."""
        (known,) = await self._call("GetCapabilities", "", [])
        if "actions" not in known:
            raise ChannelError(
                msg("This desktop shows notifications without buttons."),
                msg("Set channels.desktop.enabled to false."),
            )

    async def aclose(self) -> None:
        """Leave the bus."""
        if self._bus is not None:
            self._bus.disconnect()

    async def _notify(self, title: str, text: str, actions: list[str], expires: int) -> str:
        # The body may be read as markup (capability "body-markup"); a desktop without it shows the escapes.
        body = escape(text, quote=False)
        (number,) = await self._call("Notify", "susssasa{sv}i", ["heed", 0, "", title, body, actions, {}, expires])
        return str(number)

    async def _call(self, member: str, signature: str, body: list[Any]) -> list[Any]:
        bus = await self._connected()
        message = self._dbus.Message(
            destination=_NAME, path=_PATH, interface=_NAME, member=member, signature=signature, body=body
        )
        reply = await bus.call(message)
        if reply is None or reply.message_type is not self._dbus.MessageType.METHOD_RETURN:
            what = reply.error_name if reply is not None else member
            raise ChannelError(
                msg("The desktop refused ({what}).", what=what), msg("Does it show notifications at all?")
            )
        return list(reply.body)

    async def _connected(self) -> "MessageBus":
        async with self._connecting:
            if self._bus is None or not self._bus.connected:
                self._bus = await self._connect()
            return self._bus

    async def _connect(self) -> "MessageBus":
        library = optional("dbus_fast.aio", "channels")
        try:
            bus: MessageBus = await library.MessageBus(bus_type=self._dbus.BusType.SESSION).connect()
        except (OSError, ValueError, EOFError, self._dbus.errors.DBusError) as error:
            raise _no_bus() from error
        bus.add_message_handler(self._take)
        rule = self._dbus.Message(
            destination="org.freedesktop.DBus",
            path="/org/freedesktop/DBus",
            interface="org.freedesktop.DBus",
            member="AddMatch",
            signature="s",
            body=[f"{_PRESSED},sender='{_NAME}'"],
        )
        await bus.call(rule)
        return bus

    def _take(self, message: "Message") -> None:
        """Keep a press for ``presses``; too many at once are none of a person's."""
        if message.interface == _NAME and message.member == "ActionInvoked" and not self._pressed.full():
            number, key = message.body
            self._pressed.put_nowait((str(number), str(key)))


def _no_bus() -> ChannelError:
    return ChannelError(
        msg("There is no desktop session to show notifications on."),
        msg("Run heed inside the session, or set channels.desktop.enabled to false."),
    )
