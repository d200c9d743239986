"""The pytest plug-in: a running virtual phone as a fixture.

pytest loads this module at every start, so what takes long is imported inside the fixtures.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from adbutils import AdbDevice

    from virtual_phone import LocalAdbServer, PhoneState, RunningPhone

START = datetime(2026, 2, 6, 14, 0, tzinfo=UTC)
"""A Friday afternoon: the phone's time at the start of each test."""


@pytest.fixture(scope="session")
def virtual_phone_server() -> "Iterator[LocalAdbServer]":
    """A private adb server on a free port, shared by the whole run; it sees no other phones."""
    from virtual_phone import LocalAdbServer

    with LocalAdbServer.private() as server:
        yield server


@pytest.fixture
def virtual_phone_state() -> "PhoneState":
    """The state that ``virtual_phone`` starts with. Override this fixture for another time, language or scenario."""
    from virtual_phone import PhoneState

    return PhoneState.standard(START)


@pytest.fixture
def virtual_phone(
    virtual_phone_server: "LocalAdbServer", virtual_phone_state: "PhoneState"
) -> "Iterator[RunningPhone]":
    """A new virtual phone for this test, connected to the private adb server: a ``RunningPhone``."""
    from virtual_phone import RunningPhone

    with RunningPhone(virtual_phone_state, server=virtual_phone_server) as phone:
        yield phone


@pytest.fixture
def adb_device(
    virtual_phone: "RunningPhone", virtual_phone_server: "LocalAdbServer", monkeypatch: pytest.MonkeyPatch
) -> "AdbDevice":
    """``virtual_phone`` as an ``adbutils.AdbDevice``.

    ``ANDROID_ADB_SERVER_PORT`` and ``ANDROID_SERIAL`` name it for the time of the test, so that an ``adb`` that the
    test starts reaches it too.
    """
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(virtual_phone_server.port))
    monkeypatch.setenv("ANDROID_SERIAL", virtual_phone.serial)
    return virtual_phone_server.device(virtual_phone.serial)
