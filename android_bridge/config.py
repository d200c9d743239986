"""This room's section of the configuration."""

from pydantic import Field

from heed.model import Frozen


class BridgeConfig(Frozen):
    """How to reach the phone."""

    host: str = "127.0.0.1"
    """Where the adb server runs (``ANDROID_ADB_SERVER_HOST``)."""
    port: int = Field(default=5037, ge=1, le=65535)
    """The adb server's port (``ANDROID_ADB_SERVER_PORT``)."""
    serial: str = ""
    """The phone to use; empty = the only one (``ANDROID_SERIAL``, ``-s``)."""
    command_timeout: float = Field(default=10.0, gt=0)
    """Deadline of one command on the phone, seconds."""
    poll_seconds: float = Field(default=60.0, gt=0)
    """Seconds between two polls of facts that the phone's event log does not hold, such as Bluetooth."""
