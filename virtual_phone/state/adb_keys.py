"""The computers that may debug the phone."""

import base64
import binascii
import hashlib

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.well_known import SYSTEM_UI

DIALOGUE = f"{SYSTEM_UI}/.usb.UsbDebuggingActivity"


def key_bytes(key: str) -> bytes:
    """The bytes of a public key; none for a text that is not one."""
    try:
        return base64.b64decode(key, validate=True)
    except (binascii.Error, ValueError):
        return b""


class AdbKeysState(StatePart):
    """The public keys that the owner accepted, as adb writes them, without their comment.

    The phone knows the computer that it runs on and the adb server that it was started for; where neither has a key
    yet, the first key is accepted without a question. Any other waits for the answer to the dialogue.
    """

    trusted: list[str] = Field(default_factory=list)
    pairing: bool = False
    """The owner is connecting the phone to a computer: the next new key is accepted without a question."""
    waiting: str = ""
    """The key that the dialogue asks about; empty while there is no dialogue."""

    @property
    def required(self) -> bool:
        """Whether adbd asks for a key (``ro.adb.secure``)."""
        return self._phone.identity.all_properties().get("ro.adb.secure") == "1"

    @property
    def fingerprint(self) -> str:
        """The MD5 fingerprint of the waiting key (AOSP ``AdbDebuggingManager.getFingerprints``)."""
        digest = hashlib.md5(key_bytes(self.waiting), usedforsecurity=False).hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))

    def trust(self, key: str) -> None:
        """Accept a key without a question; nothing happens when it is empty."""
        if key and key not in self.trusted:
            self.trusted = [*self.trusted, key]
            self._changed()

    def offer(self, key: str) -> None:
        """A computer whose signature no trusted key made offers its public key."""
        if self.pairing or not self.trusted:
            self.trust(key)
        elif key != self.waiting:
            self.waiting = key
            self._phone.apps.start_from_notification({"component": DIALOGUE}, SYSTEM_UI)
        self._changed()

    async def until_changed(self) -> None:
        """Wait for the next change of the phone."""
        await self._phone.until_changed()

    def answer(self, allowed: bool) -> None:
        """The owner answers the dialogue."""
        if allowed and self.waiting:
            self.trusted = [*self.trusted, self.waiting]
        self.waiting = ""
        self._changed()
