"""Bluetooth, from ``dumpsys bluetooth_manager``.

Checked against one OPPO A9, on and not connected; the connected state follows ``BluetoothProfile.STATE_CONNECTED``.
Names of devices are chosen by their owners, so they are third-party text.
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, parser
from heed.messages import msg
from heed.model import Frozen


class BluetoothDevice(Frozen):
    """A paired device."""

    address: str
    name: str


class Bluetooth(Frozen):
    """The switch and the paired devices."""

    enabled: bool
    connected: bool | None
    """True when any device is connected; None while Bluetooth is off or where the phone does not print it."""
    bonded: tuple[BluetoothDevice, ...]
    active_audio: str | None
    """Address of the device that plays sound; None when there is none."""


_ENABLED = re.compile(r"^  enabled: (true|false)$", re.MULTILINE)
_CONNECTION = re.compile(r"^  ConnectionState: STATE_(\w+)$", re.MULTILINE)
_BONDED = re.compile(r"^    ([0-9A-FX]{2}(?::[0-9A-FX]{2}){5}) \[[^\]\n]*\] ?(.*)$", re.MULTILINE)
_ACTIVE = re.compile(r"^  mActiveDevice: ([0-9A-FX]{2}(?::[0-9A-FX]{2}){5})$", re.MULTILINE)


@parser(msg("The Bluetooth state"))
def parse_bluetooth(text: str) -> Bluetooth:
    """Parses ``dumpsys bluetooth_manager``."""
    enabled = find(_ENABLED, text, msg("enabled")) == "true"
    connection, active = _CONNECTION.search(text), _ACTIVE.search(text)
    return Bluetooth(
        enabled=enabled,
        connected=connection[1] == "CONNECTED" if connection and enabled else None,
        bonded=tuple(BluetoothDevice(address=address, name=name) for address, name in _BONDED.findall(text)),
        active_audio=active[1] if active else None,
    )


BLUETOOTH = Reader("bluetooth", "dumpsys bluetooth_manager", parse_bluetooth)
