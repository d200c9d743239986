"""Radios are switched and seen; what would cut the connection to the phone is refused."""

import asyncio

import pytest

from android_bridge.device import Device
from executors.builtin.radios import is_wireless
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from tests.executors.acting import Acting
from virtual_phone.shell.call import Program, ProgramCall


@pytest.mark.parametrize(
    ("serial", "wireless"),
    [
        ("192.168.1.20:5555", True),
        ("[fe80::1]:37123", True),
        ("phone.lan:5555", True),
        ("adb-5e4d3c2b-abcdef._adb-tls-connect._tcp", True),
        ("5e4d3c2b1a098765", False),
        ("emulator-5554", False),
        ("127.0.0.1:40123", False),
    ],
)
def test_a_phone_on_wireless_debugging_is_recognised(serial: str, wireless: bool) -> None:
    assert is_wireless(serial) is wireless


@pytest.mark.parametrize(
    "arguments",
    [
        {"connection_type": "wifi", "enabled": False},
        {"connection_type": "airplane_mode", "enabled": True},
        {"connection_type": "wifi", "enabled": True, "ssid": "Other", "password": "12345678"},
    ],
)
async def test_heed_does_not_cut_its_own_connection(
    acting: Acting, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, object]
) -> None:
    monkeypatch.setattr("executors.builtin.radios.is_wireless", lambda serial: True)
    with pytest.raises(RefusedError, match="connected over Wi-Fi"):
        await acting.prepare("set_connectivity", **arguments)  # type: ignore[arg-type]


async def test_airplane_mode_goes_on_and_off_again(acting: Acting, device: Device) -> None:
    before = acting.state()
    assert (await acting.do("set_connectivity", connection_type="airplane_mode", enabled=True)).ok
    assert acting.phone.state.network.airplane
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert acting.state()["network.airplane"] == before["network.airplane"]


async def test_a_password_is_in_no_plan_no_receipt_and_no_outcome(acting: Acting) -> None:
    arguments = {"connection_type": "wifi", "enabled": True, "ssid": "Cafe", "password": "s3cret & more"}
    outcome = await acting.do("set_connectivity", **arguments)  # type: ignore[arg-type]
    assert outcome.kind is OutcomeKind.VERIFIED
    assert acting.phone.state.network.ssid == "Cafe"
    for event in acting.events:
        assert "s3cret" not in event.step.model_dump_json(exclude={"call"})
        assert "s3cret" not in event.model_dump_json(exclude={"step"})
    assert ("cmd", "wifi", "connect-network", "Cafe", "wpa2", "s3cret & more") in acting.phone.ran


async def test_a_network_that_is_joined_late_is_waited_for(acting: Acting) -> None:
    async def late(call: ProgramCall, program: Program) -> int:
        asyncio.get_running_loop().call_later(1.5, acting.phone.state.network.join, "Cafe")
        return 0

    acting.phone.on("cmd wifi connect-network", late)
    outcome = await acting.do("set_connectivity", connection_type="wifi", enabled=True, ssid="Cafe")
    assert outcome.kind is OutcomeKind.VERIFIED


async def test_bluetooth_tells_whom_it_disconnects(acting: Acting) -> None:
    acting.phone.state.bluetooth.connect("Buds")
    (step,) = (await acting.prepare("set_bluetooth", enabled=False)).steps
    assert [effect.kind for effect in step.effects] == ["bluetooth_off", "bluetooth_drops"]
    assert step.effects[1].detail["names"] == ["Buds"]
