"""Apps on the phone that pose as uiautomator2's helper, and programs put in its place."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from android_bridge.device import Device
from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.sockets import parse_listeners
from android_bridge.screen_helper import JAR, HelperRefusedError, ScreenHelper
from android_bridge.ui import Ui
from heed.errors import DeviceError
from tests.android_bridge.uiautomator import FalseScreen, MiniServer
from virtual_phone import VirtualPhone
from virtual_phone.sockets import SHELL

FOREIGN = "A program that heed did not start listens on port 9008"


@pytest.fixture
async def ui(device: Device) -> AsyncIterator[Ui]:
    ui = Ui(device, timeout=30)
    yield ui
    await ui.close()


@pytest.mark.parametrize("uid", [10_199, 1000, 0, SHELL])
async def test_whatever_listened_before_is_never_connected_to(ui: Ui, phone: VirtualPhone, uid: int) -> None:
    screen = FalseScreen()
    with phone.serving_locally(9008, screen.serve, uid=uid), pytest.raises(HelperRefusedError, match=FOREIGN):
        await ui.hierarchy()
    assert screen.connections == 0


async def test_an_app_that_takes_the_port_between_check_and_start_is_not_connected_to(
    ui: Ui, phone: VirtualPhone, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, push = FalseScreen(), device.push

    async def slow(*arguments: object, **options: object) -> None:
        await push(*arguments, **options)  # type: ignore[arg-type]
        taking.__enter__()

    taking = phone.serving_locally(9008, screen.serve)
    monkeypatch.setattr(device, "push", slow)
    with pytest.raises(HelperRefusedError, match=FOREIGN):
        await ui.hierarchy()
    taking.__exit__(None, None, None)
    assert screen.connections == 0
    assert not (await device.shell("ls /data/local/tmp")).stdout


@pytest.mark.parametrize("uid", [10_199, SHELL])
async def test_an_app_that_takes_the_port_of_a_running_helper_is_not_connected_to(
    ui: Ui, phone: VirtualPhone, uid: int
) -> None:
    await ui.hierarchy()
    screen = FalseScreen()
    with phone.serving_locally(9008, screen.serve, uid=uid), pytest.raises(HelperRefusedError, match=FOREIGN):
        await ui.tap(1, 1)
    assert screen.connections == 0


@pytest.mark.parametrize("uid", [10_199, SHELL])
async def test_what_an_app_answered_that_came_in_between_check_and_connection_is_dropped(
    ui: Ui, phone: VirtualPhone, uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ui.hierarchy()
    screen, ensure = FalseScreen(), ScreenHelper.ensure

    async def late(helper: ScreenHelper) -> None:
        await ensure(helper)
        taking.__enter__()

    taking = phone.serving_locally(9008, screen.serve, uid=uid)
    monkeypatch.setattr(ScreenHelper, "ensure", late)
    with pytest.raises(HelperRefusedError, match=FOREIGN):
        await ui.hierarchy()
    taking.__exit__(None, None, None)
    assert screen.connections == 1


@pytest.mark.parametrize(
    "replace",
    [
        f"rm -f {JAR}; echo evil > {JAR}; chmod 400 {JAR}",
        f"chmod 666 {JAR}",
        f"rm -f {JAR}",
    ],
    ids=["content", "writable for all", "gone"],
)
async def test_a_jar_that_was_replaced_is_not_run(
    ui: Ui, phone: VirtualPhone, device: Device, replace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = device.shell

    async def replacing(line: str, **options: object) -> object:
        result = await shell(line, **options)  # type: ignore[arg-type]
        if line.startswith("chmod 400"):
            await shell(replace)
        return result

    monkeypatch.setattr(device, "shell", replacing)
    with pytest.raises(HelperRefusedError, match="its jar on the phone was altered"):
        await ui.hierarchy()
    assert phone.local_service("9008") is None
    assert not (await shell("ls /data/local/tmp")).stdout


async def test_a_phone_that_does_not_say_who_listens_has_no_helper(
    ui: Ui, phone: VirtualPhone, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.state.files.computed.pop("/proc/net/tcp6")
    with pytest.raises(DeviceError, match="listening sockets"):
        await ui.hierarchy()
    assert phone.local_service("9008") is None


async def test_a_helper_that_ended_is_started_anew(
    ui: Ui, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = MiniServer()
    screen.installed(monkeypatch)
    await ui.tap(1, 1)
    await phone.unplug()
    async with asyncio.timeout(60):
        while "click" not in screen.calls[1:]:
            try:
                await ui.tap(1, 1)
            except DeviceError:
                await asyncio.sleep(0.05)


TCP = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
ROW = "   0: 0100007F:2330 00000000:0000 {state} 00000000:00000000 00:00000000 00000000 10123        0 {inode} 1 0\n"


def test_listening_sockets_are_read_from_both_tables_and_connections_are_none() -> None:
    text = TCP + ROW.format(state="0A", inode=7) + TCP + ROW.format(state="01", inode=8)
    assert [tuple(one) for one in parse_listeners(text)] == [(9008, 10123, 7)]


@pytest.mark.parametrize("text", ["", TCP, "cat: /proc/net/tcp: Permission denied\n" + TCP])
def test_a_table_that_cannot_be_read_is_no_empty_table(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse_listeners(text)
