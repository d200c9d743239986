"""Reads and operates the screen through uiautomator2, in one thread per phone.

uiautomator2 blocks, and a thread cannot be cancelled: an abandoned one would still tap. So every wait is bounded by the
deadline of its socket, and the next action of a phone begins only when the last one has returned.

The helper process on the phone is started and proven by ``android_bridge.screen_helper``, before and after each call;
uiautomator2's own start and restart are switched off, since they accept whatever answers on the port.

uiautomator2 opens a connection per call. Naming the phone by its transport id saves a query of the server's
version each time, and TCP_NODELAY saves 40 ms of waiting for a packet to fill (a click takes 56 ms without both,
0.6 ms with them; docs/android-notes.md, "adb protocol").
"""

import asyncio
import json
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from http.client import HTTPException
from typing import Any, TypeVar

import adbutils
import uiautomator2
from uiautomator2.exceptions import BaseException as UiAutomatorError
from uiautomator2.exceptions import UiObjectNotFoundError

from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.facts.hierarchy import Hierarchy, parse_hierarchy
from android_bridge.facts.settings import setting
from android_bridge.screen_helper import ScreenHelper
from heed.errors import DeviceError, DeviceLostError
from heed.messages import msg
from heed.model import Frozen

T = TypeVar("T")

DEFAULT_TIMEOUT = 20.0
_INPUT_METHOD = setting("secure", "default_input_method")


class Key(StrEnum):
    """Keys by uiautomator2's names."""

    BACK = "back"
    HOME = "home"
    RECENT = "recent"
    ENTER = "enter"
    DELETE = "delete"
    SEARCH = "search"
    VOLUME_UP = "volume_up"
    VOLUME_DOWN = "volume_down"


class Direction(StrEnum):
    """The direction to scroll to."""

    DOWN = "down"
    UP = "up"
    LEFT = "left"
    RIGHT = "right"


class Selector(Frozen):
    """Selects a view; all given conditions must hold."""

    text: str | None = None
    text_contains: str | None = None
    description: str | None = None
    resource_id: str | None = None
    class_name: str | None = None
    package: str | None = None
    focused: bool | None = None
    clickable: bool | None = None
    scrollable: bool | None = None

    def arguments(self) -> dict[str, Any]:
        """Returns the conditions by uiautomator2's names."""
        names = {
            "text_contains": "textContains",
            "resource_id": "resourceId",
            "class_name": "className",
            "package": "packageName",
        }
        return {names.get(name, name): value for name, value in self if value is not None}


FOCUSED = Selector(focused=True)


class Ui:
    """The screen of one phone. ``close`` it to stop the helper process on the phone.

    Calls raise ``DeviceError`` when the phone refuses or a view is not there, and ``DeviceLostError`` when the
    connection breaks: whether the action took effect is then unknown. The next call connects again.
    """

    def __init__(self, device: Device, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        self._device, self._timeout = device, timeout
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"heed-ui-{device.serial}")
        self._helper = ScreenHelper(device)
        self._phone: _Phone | None = None
        self._client: Any = None

    async def hierarchy(self) -> Hierarchy:
        """Returns all views on the screen."""
        return parse_hierarchy(await self._run(lambda client: str(client.jsonrpc.dumpWindowHierarchy(False, 50))))

    async def tap(self, x: int, y: int) -> None:
        """Taps a point, in pixels."""
        await self._run(lambda client: client.jsonrpc.click(x, y))

    async def long_tap(self, x: int, y: int, seconds: float = 0.8) -> None:
        """Presses a point (pixels) for ``seconds``."""
        await self._run(lambda client: client.jsonrpc.click(x, y, int(seconds * 1000)))

    async def tap_on(self, selector: Selector, *, wait: float = 5.0) -> None:
        """Taps the middle of a view as soon as it is shown, at most ``wait`` seconds later."""
        await self._run(lambda client: client(**selector.arguments()).click(timeout=wait))

    async def wait_for(self, selector: Selector, seconds: float) -> bool:
        """Waits until a view is shown; returns False when it was not within ``seconds``."""
        return await self._run(lambda client: bool(client(**selector.arguments()).wait(timeout=seconds)), extra=seconds)

    async def press(self, key: Key) -> None:
        """Presses a key."""
        await self._run(lambda client: client.press(key.value))

    async def swipe(self, start: tuple[int, int], end: tuple[int, int], seconds: float = 0.3) -> None:
        """Swipes from one point to another (pixels) within ``seconds``."""
        # One step takes 5 ms on the phone.
        steps = max(2, int(seconds * 200))
        await self._run(lambda client: client.jsonrpc.swipe(*start, *end, steps))

    async def scroll(self, direction: Direction) -> None:
        """Scrolls by about half a screen."""
        size = await self._run(lambda client: (int(client.info["displayWidth"]), int(client.info["displayHeight"])))
        await self.swipe(*swipe_points(direction, *size))

    async def enter_text(self, text: str, selector: Selector = FOCUSED) -> None:
        """Replaces the text of a field, in any script and without another keyboard.

        The text is set through the accessibility service; into a field that ignores this it is pasted, and the
        clipboard is restored. Raises ``DeviceError`` when the field shows something else afterwards.
        """
        before = await self._device.read(_INPUT_METHOD)
        try:
            await self._run(lambda client: _enter(client, selector.arguments(), text))
        finally:
            await self._restore_input_method(before)

    async def close(self) -> None:
        """Stops the helper process on the phone, removes what was copied there, and stops the thread."""
        self._client = None
        self._thread.shutdown(wait=False)
        await self._helper.close()

    async def _restore_input_method(self, before: str | None) -> None:
        after = await self._device.read(_INPUT_METHOD)
        if before and after != before:
            await self._device.shell(f"ime set {quote(before)}")

    async def _run(self, work: Callable[[Any], T], extra: float = 0.0) -> T:
        transport = await self._device.transport_id()
        await self._helper.ensure()
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(self._thread, self._blocking, transport, work, self._timeout + extra)
        # What was read counts only if the helper still listened when it had answered.
        await self._helper.verify()
        return result

    def _blocking(self, transport: int, work: Callable[[Any], T], deadline: float) -> T:
        serial = self._device.serial
        try:
            client = self._connected(transport)
            client.adb_device.deadline = deadline
            return work(client)
        except UiObjectNotFoundError as error:
            raise DeviceError(
                msg("{serial} shows no such view.", serial=serial), msg("Is another page open?")
            ) from error
        except (TimeoutError, adbutils.AdbTimeout) as error:
            self._client = None
            raise DeviceLostError(
                msg("The screen of {serial} did not answer within {deadline:g} s.", serial=serial, deadline=deadline),
                _FROZEN,
            ) from error
        except (OSError, HTTPException, EOFError, adbutils.AdbError) as error:
            self._client = None
            raise DeviceLostError(
                msg("The connection to the screen of {serial} broke ({error}).", serial=serial, error=error),
                msg("Reconnect it."),
            ) from error
        except (UiAutomatorError, json.JSONDecodeError) as error:
            self._client = None
            raise DeviceError(
                msg("{serial} refuses: {first_line}.", serial=serial, first_line=_first_line(error)), _SECURITY
            ) from error

    def _connected(self, transport: int) -> Any:
        """The client for this connection of the phone; a phone that was away has another transport id."""
        if self._client is None or self._phone is None or self._phone.transport != transport:
            server = self._device.server
            self._phone = _Phone(server.host, server.port, self._device.serial, transport)
            self._client = _Client(self._phone)
            self._client.settings["wait_timeout"] = self._timeout
        return self._client


_FROZEN = msg("Is it frozen?")
_SECURITY = msg("On Xiaomi, OPPO and realme phones, allow input over USB debugging in the developer options.")


class _Client(uiautomator2.Device):  # type: ignore[misc]  # uiautomator2 comes without types
    """uiautomator2's client of a helper that already runs; it neither starts nor stops one."""

    def start_uiautomator(self) -> None:
        """Does nothing: ``ScreenHelper`` has started it."""

    def stop_uiautomator(self, wait: bool = True) -> None:
        """Does nothing: ``ScreenHelper`` stops it."""


class _Phone(adbutils.AdbDevice):  # type: ignore[misc]  # adbutils comes without types
    """adbutils' device, with a deadline on each of its sockets and no delay."""

    deadline = DEFAULT_TIMEOUT

    def __init__(self, host: str, port: int, serial: str, transport: int) -> None:
        super().__init__(adbutils.AdbClient(host, port), serial=serial, transport_id=transport)
        self.transport = transport

    def open_transport(self, command: str | None = None, timeout: float | None = None) -> Any:
        connection = super().open_transport(command, timeout=self.deadline)
        connection.conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


def _enter(client: Any, arguments: dict[str, Any], text: str) -> None:
    field = client(**arguments)
    field.set_text(text)
    # An empty field gives its hint as its text: nothing to compare with.
    if not text or _shown(field) == text:
        return
    clipboard = client.clipboard
    try:
        field.click()
        client.clipboard = text
        client.jsonrpc.clearInputText()
        client.jsonrpc.pasteClipboard()
    finally:
        client.clipboard = clipboard or ""
    if _shown(field) != text:
        raise uiautomator2.exceptions.InputIMEError("the field shows another text")


def _shown(field: Any) -> str:
    return str(field.get_text() or "")


def swipe_points(direction: Direction, width: int, height: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns start and end of the swipe that scrolls in a direction, clear of the screen's edges."""
    middle, center = width // 2, height // 2
    low, high = (middle, height * 3 // 4), (middle, height // 4)
    right, left = (width * 3 // 4, center), (width // 4, center)
    return {
        Direction.DOWN: (low, high),
        Direction.UP: (high, low),
        Direction.RIGHT: (right, left),
        Direction.LEFT: (left, right),
    }[direction]


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200].rstrip(".") if lines else type(error).__name__
