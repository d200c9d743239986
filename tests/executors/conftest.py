"""The phone that executors act on."""

import pytest

from android_bridge.device import Device
from tests.executors.acting import Acting, WatchedPhone
from tests.phones import START
from virtual_phone import PhoneState


@pytest.fixture
def phone() -> WatchedPhone:
    """The standard phone on a Friday at 14:00; its clock stands still unless the test moves it."""
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    return WatchedPhone(state)


@pytest.fixture
def acting(phone: WatchedPhone, device: Device) -> Acting:
    """The phone, awake and unlocked, with the executors."""
    return Acting(phone, device)
