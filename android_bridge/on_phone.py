"""The table of everything that heed puts on a phone, with how each kind is found there and removed.

Besides these, Android keeps a notification channel of its own for ``cmd notification`` (``shell_cmd`` of
``com.android.shell``), and a withdrawn notification stays hidden until Android forgets it after 30 days at most: no
command removes either. What the owner asked for (an alarm, a contact, a file) is listed by the journal and undone
there.
"""

from collections.abc import Awaitable, Callable
from enum import StrEnum

from android_bridge.commands import quote
from android_bridge.consent_notification import is_ours, withdraw
from android_bridge.device import Device
from android_bridge.facts.notifications import NOTIFICATIONS
from android_bridge.screen_helper import jar_hash
from heed.model import Frozen


class ItemKind(StrEnum):
    """The kinds of things that heed puts on a phone."""

    FILE = "file"
    """The helper's program and packages on their way to be installed, in ``/data/local/tmp``."""
    NOTIFICATION = "notification"
    """A consent notification."""
    PORT = "port"
    """A port of the phone that leads to the consent page on this machine (``adb reverse``)."""


class PhoneItem(Frozen):
    """One thing of heed's on a phone."""

    kind: ItemKind
    name: str
    """The file's path, the notification's tag, or the port (``tcp:8746``)."""


_FOLDER = "/data/local/tmp"
_LEGACY_JAR = f"{_FOLDER}/u2.jar"
"""Where uiautomator2 itself puts its program; versions of heed before 0.2 left it there."""


async def left_on(device: Device, phone_port: int) -> tuple[PhoneItem, ...]:
    """Returns what is on the phone now; ``phone_port`` is the configured ``console.phone_port``.

    Raises ``DeviceError`` when the phone does not answer.
    """
    found: list[PhoneItem] = []
    for kind, listing in _LISTINGS.items():
        found += [PhoneItem(kind=kind, name=name) for name in await listing(device, phone_port)]
    return tuple(found)


async def remove_from(device: Device, phone_port: int) -> tuple[PhoneItem, ...]:
    """Removes everything in ``left_on`` and returns what is left afterwards: nothing, if the phone obeys."""
    for item in await left_on(device, phone_port):
        match item.kind:
            case ItemKind.FILE:
                await device.shell(f"rm -f {quote(item.name)}")
            case ItemKind.NOTIFICATION:
                await device.shell(withdraw(item.name))
            case ItemKind.PORT:
                await device.remove_reverse(item.name)
    return await left_on(device, phone_port)


async def _files(device: Device, phone_port: int) -> list[str]:
    own, legacy = await device.batch([f"ls -d {_FOLDER}/heed-*", f"sha256sum {_LEGACY_JAR}"])
    files = [] if own.exit_code else own.stdout.splitlines()
    return [*files, _LEGACY_JAR] if legacy.stdout.startswith(jar_hash()) else files


async def _notifications(device: Device, phone_port: int) -> list[str]:
    items = (await device.read(NOTIFICATIONS)).items
    return [item.tag for item in items if item.tag and is_ours(item.package, item.tag)]


async def _ports(device: Device, phone_port: int) -> list[str]:
    return [local for local in await device.reverses() if local == f"tcp:{phone_port}"]


_LISTINGS: dict[ItemKind, Callable[[Device, int], Awaitable[list[str]]]] = {
    ItemKind.FILE: _files,
    ItemKind.NOTIFICATION: _notifications,
    ItemKind.PORT: _ports,
}
