"""Phones are paired by code and by QR code, found again at another address, and called by name."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from agent.cli import pair as pair_command
from agent.compose import compose
from agent.config import Config
from agent.journal import stores_in
from agent.loop.daemon import Daemon
from agent.loop.phone_status import MonitoringState
from agent.loop.reconnector import Reconnector
from android_bridge.adb import AdbServer
from android_bridge.pairing import PairingOffer, new_offer, parse_services
from tests.agent.command import heed
from tests.agent.make import config_of
from tests.wireless import CODE, DIALOG, GUID, WirelessNetwork, wireless_network
from virtual_phone import VirtualPhone


@pytest_asyncio.fixture
async def network(adb_server: AdbServer) -> AsyncIterator[WirelessNetwork]:
    async with wireless_network(adb_server) as network:
        yield network


@asynccontextmanager
async def announced(network: WirelessNetwork, phone: VirtualPhone) -> AsyncIterator[str]:
    """A phone with wireless debugging on, which nobody has connected to yet; its address."""
    async with phone.listening() as port:
        address = f"127.0.0.1:{port}"
        network.announces(address)
        try:
            yield address
        finally:
            await network.server.disconnect(address)


async def test_a_phone_is_paired_by_its_code_and_then_used_by_name(
    network: WirelessNetwork, phone: VirtualPhone
) -> None:
    port = network.server.port
    async with announced(network, phone) as address:
        paired = await heed("pair", DIALOG, CODE, "--name", "Anna's phone", port=port)
        assert paired.code == 0, paired.err
        assert f"Anna's phone is connected as {address}" in paired.out
        listed = (await heed("devices", "--json", port=port)).data
        assert listed == [{"serial": address, "name": "Anna's phone", "state": "device"}]
        by_name = await heed("-s", "anna's PHONE", "decide", "--json", port=port)
        assert by_name.data["serial"] == address
    away = await heed("devices", "--json", port=port)
    assert [(one["name"], one["state"]) for one in away.data] == [("Anna's phone", "not connected")]


async def test_a_phone_that_scans_the_qr_code_is_paired(
    network: WirelessNetwork, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offer = new_offer()
    monkeypatch.setattr(pair_command, "new_offer", lambda: offer)
    settings = Config(bridge={"port": network.server.port})
    async with announced(network, phone) as address:
        pairing = asyncio.create_task(pair_command._pair(settings, "", "", "", ""))
        await asyncio.sleep(0)
        network.shows_dialog(offer.name, offer.password)
        await asyncio.wait_for(pairing, 60)
        shown = capsys.readouterr().out
        assert f"is connected as {address}" in shown
        assert "█▀▀▀▀▀█" in shown, "the corner of a QR code"
    with stores_in(settings.journal.path) as stores:
        (known,) = stores.phones.entries()
        assert (known.guid, known.address) == (GUID, address)


async def test_a_wrong_code_a_closed_dialog_and_a_server_without_mdns_each_have_a_remedy(
    network: WirelessNetwork, adb_server: AdbServer
) -> None:
    wrong = await heed("pair", DIALOG, "000000", port=network.server.port)
    assert wrong.code == 1
    assert "Wrong password" in wrong.err and "open it again" in wrong.err
    closed = await heed("pair", "127.0.0.1:1", CODE, port=network.server.port)
    assert closed.code == 1
    assert "Unable to start pairing client" in closed.err
    without = await heed("pair", port=adb_server.port)
    assert without.code == 1
    assert "mDNS is off" in without.err and "--connect" in without.err
    assert (await heed("pair", "somewhere", CODE, port=network.server.port)).code == 2
    assert (await heed("pair", DIALOG, port=network.server.port)).code == 2


async def test_the_daemon_finds_a_paired_phone_again_at_another_address(
    tmp_path: Path, network: WirelessNetwork, phone: VirtualPhone
) -> None:
    async with compose(config_of(network.server, tmp_path)) as runtime:
        async with announced(network, phone) as first:
            await network.server.connect(first)
            identity = await runtime.identify(first)
            runtime.stores.phones.seen(identity, first)
            runtime.stores.phones.paired(identity.id, GUID)
            daemon = Daemon(runtime, wanted={first})
            running = asyncio.create_task(daemon.run())
            await _monitors(daemon, first)
        async with announced(network, phone) as second:
            assert second != first
            await daemon._reconnector.look()
            await _monitors(daemon, second)
            assert [status.serial for status in daemon._statuses()] == [second]
            assert runtime.stores.phones.entries()[0].address == second
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def _monitors(daemon: Daemon, serial: str) -> None:
    async with asyncio.timeout(60):
        while True:
            states = {status.serial: status.state for status in daemon._status.values()}
            if states.get(serial) is MonitoringState.MONITORED:
                return
            await asyncio.sleep(0.05)


async def test_a_phone_that_is_not_paired_or_is_here_is_left_alone(
    tmp_path: Path, network: WirelessNetwork, phone: VirtualPhone
) -> None:
    async with compose(config_of(network.server, tmp_path)) as runtime, announced(network, phone) as address:
        await Reconnector(network.server, runtime.stores).look()
        assert await network.server.devices() == [], "nobody paired it"
        await network.server.connect(address)
        identity = await runtime.identify(address)
        runtime.stores.phones.seen(identity, address)
        runtime.stores.phones.paired(identity.id, GUID)
        network.announces("192.0.2.1:5")
        await Reconnector(network.server, runtime.stores).look()
        assert runtime.stores.phones.entries()[0].address == address


async def test_a_phone_that_adb_has_connected_to_by_its_name_is_known_there(
    tmp_path: Path, network: WirelessNetwork, phone: VirtualPhone
) -> None:
    async with compose(config_of(network.server, tmp_path)) as runtime, announced(network, phone) as address:
        await network.server.connect(address)
        identity = await runtime.identify(address)
        runtime.stores.phones.seen(identity, "192.0.2.1:5")
        runtime.stores.phones.paired(identity.id, GUID)
        moved: list[str] = []
        await Reconnector(
            network.server, runtime.stores, lambda: moved.append(runtime.stores.phones.address(identity.id))
        ).look()
        assert moved == [address]


async def test_a_phone_is_renamed_and_no_two_have_one_name(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with phone.connected(adb_server):
        assert (await heed("devices", "--name", "Work", port=adb_server.port)).out.split()[1] == "Work"
        too_long = await heed("devices", "--name", "x" * 41, port=adb_server.port)
        assert too_long.code == 2
    with stores_in(Config().journal.path) as stores:
        (known,) = stores.phones.entries()
        assert stores.phones.addressed("WORK") == known.address
        assert stores.phones.addressed("Play") == "Play"


def test_services_are_read_with_mdns_own_numbering_taken_off() -> None:
    text = "adb-RFCTB1-hNiWLk (3)\t_adb-tls-connect._tcp.\t192.168.100.5:40855\nbroken line\n"
    assert [tuple(one) for one in parse_services(text)] == [
        ("adb-RFCTB1-hNiWLk", "_adb-tls-connect._tcp", "192.168.100.5:40855")
    ]


def test_the_qr_code_has_the_form_that_android_reads() -> None:
    assert PairingOffer("heed-a", "b").text == "WIFI:T:ADB;S:heed-a;P:b;;"
    assert new_offer() != new_offer()
    lines = pair_command.qr_picture(new_offer().text).plain.splitlines()
    assert len({len(line) for line in lines}) == 1
