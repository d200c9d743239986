"""What outside clients ask a phone, beside the services' shell commands."""

import asyncio
import struct

import adbutils
import pytest

from android_bridge.device import Device
from tests.phones import run
from virtual_phone import VirtualPhone

REFUSALS = {
    "root:": "adbd cannot run as root in production builds\n",
    "unroot:": "adbd not running as root\n",
    "remount:": 'Not running as root. Try "adb root" first.\n',
}


def opened(device: Device, service: str) -> adbutils.AdbConnection:
    """A service of adbd, opened through the real server."""
    client = adbutils.AdbClient(host=device.server.host, port=device.server.port)
    connection = client.device(device.serial).open_transport()
    connection.send_command(service)
    connection.check_okay()
    return connection


@pytest.mark.parametrize("service", REFUSALS)
async def test_adbd_refuses_what_a_user_build_does_not_have(device: Device, service: str) -> None:
    def ask() -> str:
        with opened(device, service) as connection:
            return str(connection.read_until_close())

    assert await asyncio.to_thread(ask) == REFUSALS[service]


async def test_the_frame_buffer_is_the_screen(phone: VirtualPhone, device: Device) -> None:
    def ask() -> bytes:
        with opened(device, "framebuffer:") as connection:
            parts = []
            while part := connection.conn.recv(1 << 20):
                parts.append(part)
            return b"".join(parts)

    data = await asyncio.to_thread(ask)
    version, depth, _, size, width, height = struct.unpack_from("<6I", data)
    assert (version, depth, width, height) == (2, 32, phone.state.display.width, phone.state.display.height)
    assert data[56:] == phone.screen.raw()[16:]
    assert len(data) == 56 + size


async def test_no_process_can_be_debugged(device: Device) -> None:
    def ask() -> bytes:
        with opened(device, "track-jdwp") as connection:
            return bytes(connection.read(4))

    assert await asyncio.to_thread(ask) == b"0000"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (r"echo 'a\tb'", "a\tb\n"),
        (r"echo '0\c'; echo b", "0b\n"),
        (r"echo -e '1\c'", "1"),
        (r"echo -E 'a\tb\c'", "a\\tb\\c\n"),
        (r"echo -n '\0101\x42\\n'", "AB\\n"),
        (r"echo 'a\qb'", "a\\qb\n"),
        (r"echo 'a\\cb'", "a\\cb\n"),
    ],
)
async def test_echo_reads_escapes_as_mksh_does(phone: VirtualPhone, line: str, text: str) -> None:
    assert (await run(phone, line)).stdout == text


async def test_ip_shows_the_connections(phone: VirtualPhone) -> None:
    assert "inet 192.168.1.54/24" in (await run(phone, "ip -f inet addr show wlan0")).stdout
    assert "192.168.1.0/24 dev wlan0" in (await run(phone, "ip route")).stdout
    assert "via 192.168.1.1 dev wlan0" in (await run(phone, "ip route get 8.8.8.8")).stdout
    phone.state.network.set_airplane(True)
    gone = await run(phone, "ip addr show wlan0")
    assert (gone.stderr, gone.exit_code) == ('Device "wlan0" does not exist.\n', 1)
    assert (await run(phone, "ip route")).stdout == ""


async def test_the_processors_are_counted_alike_everywhere(phone: VirtualPhone) -> None:
    cores = (await run(phone, "grep -c processor /proc/cpuinfo")).stdout
    assert (await run(phone, "grep -c 'cpu[0-9]' /proc/stat")).stdout == cores
    assert "btime " in (await run(phone, "cat /proc/stat")).stdout


@pytest.mark.parametrize(
    ("line", "text", "status"),
    [
        ("service call alarm 3 s16 Asia/Tokyo", "Result: Parcel(00000000    '....')\n", 0),
        ("service call alarm 99", 'Result: Parcel(Error: 0xffffffffffffffb6 "Not a data message")\n', 0),
        ("service call nothing 1", "service: Service nothing does not exist\n", 10),
        ("service call alarm", "service: No code specified for call\n", 10),
        ("service check window", "Service window: found\n", 0),
        ("service check nothing", "Service nothing: not found\n", 0),
    ],
)
async def test_a_service_is_called_by_number(phone: VirtualPhone, line: str, text: str, status: int) -> None:
    result = await run(phone, line)
    assert (result.text, result.exit_code) == (text, status)
    if "s16" in line:
        assert phone.state.identity.timezone == "Asia/Tokyo"


async def test_content_read_gives_the_bytes_of_a_file(phone: VirtualPhone) -> None:
    item = phone.state.media.add("Download", "a.txt", phone.state.clock.wall(), 40)
    uri = f"content://media/external/file/{item.identifier}"
    assert (await run(phone, f"content read --uri {uri} | wc -c")).stdout.strip() == "40"
    missing = await run(phone, "content read --uri content://media/external/file/99")
    assert "java.io.FileNotFoundException: No item at content://media/external/file/99" in missing.stderr


async def test_the_touch_panel_and_the_logs_are_described(phone: VirtualPhone) -> None:
    assert "orientation=0, logicalFrame=[0, 0, 1080, 2400]" in (await run(phone, "dumpsys input")).stdout
    assert (await run(phone, "logcat -d | wc -l")).stdout.strip() > "40"
    windows = (await run(phone, "dumpsys window windows")).stdout
    assert "imeLayeringTarget in display# 0 Window{" in windows


async def test_an_empty_file_is_copied_from_dev_null(phone: VirtualPhone) -> None:
    assert (await run(phone, "cp /dev/null /sdcard/empty && stat -c %s /sdcard/empty")).stdout == "0\n"


async def test_bluetooth_returns_after_airplane_mode(phone: VirtualPhone) -> None:
    for before in (True, False):
        phone.state.bluetooth.set_enabled(before)
        await run(phone, "cmd connectivity airplane-mode enable")
        assert not phone.state.bluetooth.enabled
        await run(phone, "cmd connectivity airplane-mode disable")
        assert phone.state.bluetooth.enabled == before
