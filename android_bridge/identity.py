"""Which phone answers: numbers and build, read from the phone itself. The adb address only says how it is reached.

Source: AOSP ``system/core/init/property_service.cpp`` (``ro.serialno``), ``SettingsProvider`` (``android_id``) and
``build/make/tools/buildinfo.sh`` (the fingerprint's form: ``brand/product/device:version``). A program that answers adb
in place of a phone can repeat all of them: this tells phones apart, it authenticates none.
"""

import hashlib
import re

from android_bridge.facts.reader import Reader, UnreadableError
from heed.errors import DeviceError
from heed.messages import msg
from heed.model import Frozen

_ANDROID_ID = re.compile(r"[0-9a-fA-F]{1,16}")
_MARK = "heed-identity"
_LONGEST = 200
"""Characters of one value that count."""
_LONGEST_NAME = 40


class OtherPhoneError(DeviceError):
    """Another phone answers at the address than before."""

    def __init__(self, address: str, now: "PhoneIdentity") -> None:
        super().__init__(
            msg("At {address} there is another phone now ({model}).", address=address, model=now.model),
            msg("Nothing was done on it; heed asks again."),
        )


class PhoneIdentity(Frozen):
    """The identity of a phone, and its system's version."""

    serial_number: str
    """``ro.serialno``, or ``ro.boot.serialno``; two emulators of a kind share it."""
    product: str
    """The first part of the build fingerprint, ``brand/product/device``; an update keeps it."""
    android_id: str
    """``android_id`` as the shell reads it, different after a factory reset; empty where it cannot be read."""
    build: str
    """The rest of the build fingerprint; an update changes it."""
    model: str
    """Manufacturer and model, for the owner."""

    @property
    def id(self) -> str:
        """The key of the phone in journal and locks. A system update keeps it, a factory reset does not."""
        parts = "\0".join((self.serial_number, self.product, self.android_id))
        return hashlib.sha256(parts.encode()).hexdigest()[:16]


def parse_identity(text: str) -> PhoneIdentity:
    """Parses the output of ``IDENTITY``; raises ``UnreadableError`` when the phone gives no number of its own."""
    values = [value.strip()[:_LONGEST] for value in text.split(_MARK)]
    if len(values) != _VALUES:
        raise UnreadableError(msg("The phone did not say which one it is."), msg("Is it still starting?"))
    serial_number, boot_serial_number, fingerprint, manufacturer, model, android_id = values
    product, _, build = fingerprint.partition(":")
    identity = PhoneIdentity(
        serial_number=serial_number or boot_serial_number,
        product=product,
        android_id=android_id.lower() if _ANDROID_ID.fullmatch(android_id) else "",
        build=build,
        model=_name(manufacturer, model),
    )
    if not identity.serial_number and not identity.android_id:
        raise UnreadableError(msg("The phone did not say which one it is."), msg("Is it still starting?"))
    return identity


def _name(manufacturer: str, model: str) -> str:
    """Returns manufacturer and model as one line that may stand in a question."""
    whole = model if model.lower().startswith(manufacturer.lower()) else f"{manufacturer} {model}"
    return " ".join("".join(char if char.isprintable() else " " for char in whole).split())[:_LONGEST_NAME] or "?"


_COMMANDS = (
    "getprop ro.serialno",
    "getprop ro.boot.serialno",
    "getprop ro.build.fingerprint",
    "getprop ro.product.manufacturer",
    "getprop ro.product.model",
    "settings get secure android_id",
)
_VALUES = len(_COMMANDS)

IDENTITY = Reader("identity", f"; echo {_MARK}; ".join(_COMMANDS), parse_identity)
