"""The phone that executors act on."""

import pytest

from android_bridge.device import Device
from android_bridge.virtual import VirtualPhone
from tests.executors.acting import Acting


@pytest.fixture
def acting(phone: VirtualPhone, device: Device) -> Acting:
    """A fresh virtual phone, awake and unlocked, with the executors."""
    return Acting(phone, device)
