"""The state of the phones that the daemon monitors, as ``heed status`` and the console show it."""

from enum import StrEnum

from android_bridge.on_phone import PhoneItem
from heed.messages import Text
from heed.model import Frozen


class MonitoringState(StrEnum):
    """Whether a phone is monitored, as ``heed status`` shows it."""

    MONITORED = "monitored"
    DISCONNECTED = "disconnected"
    FAILING = "failing"
    """Connected, but not usable; tried again."""


class PhoneStatus(Frozen):
    """One phone of the daemon, and its state."""

    serial: str
    """The address at which the phone is reached."""
    name: str = ""
    """The phone's name for the owner; empty until it was reached once."""
    state: MonitoringState
    reason: Text = ""
    on_phone: tuple[PhoneItem, ...] | None = None
    """What heed has on the phone now; None where it cannot be asked."""
    pending: tuple[Text, ...] = ()
    """What heed still has to find out or to undo on this phone, one sentence each."""
