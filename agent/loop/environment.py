"""The collaborators that the parts of a phone's agent share."""

from typing import NamedTuple

from agent.config import Config
from agent.journal import Stores
from agent.loop.progress import Listener
from android_bridge.identity import PhoneIdentity
from heed.clock import Clock


class Environment(NamedTuple):
    """Stores, configuration, the phone's clock, and the listener that is told the progress."""

    stores: Stores
    config: Config
    clock: Clock
    listen: Listener
    phone: PhoneIdentity
    phone_name: str
    """The phone's name for the owner."""
