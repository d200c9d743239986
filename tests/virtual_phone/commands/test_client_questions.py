"""What outside clients ask a phone, beside the services' shell commands."""

import asyncio
import struct

import adbutils
import pytest

from android_bridge.device import Device
from tests.phones import run
from virtual_phone import VirtualPhone
from virtual_phone.shell.io import Collected, FromBytes, Streams

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


async def test_a_java_program_without_its_jar_aborts_and_the_log_says_why(phone: VirtualPhone) -> None:
    result = await run(phone, "CLASSPATH=/data/local/tmp/a.jar app_process / com.genymobile.scrcpy.Server 3.3")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "Aborted \n", 134)
    assert "could not find class 'com.genymobile.scrcpy.Server'" in (await run(phone, "logcat -d -s appproc")).stdout


async def test_a_credential_is_set_verified_and_cleared(phone: VirtualPhone) -> None:
    power = phone.state.power
    for line, text, status in (
        ("get-disabled", "false\n", 0),
        ("verify", "Lock credential verified successfully\n", 0),
        ("clear --old 1", "Old password provided but user has no password\n", 255),
        ("set-pin 1111", "Pin set to '1111'\n", 0),
        ("verify --old 2222", "Old password '2222' didn't match\n", 255),
        ("clear", "Old password '' didn't match\n", 255),
        ("set-password --old 1111 abcd", "Password set to 'abcd'\n", 0),
        ("verify --old abcd", "Lock credential verified successfully\n", 0),
        ("clear --old abcd", "Lock credential cleared\n", 0),
    ):
        result = await run(phone, f"locksettings {line}")
        assert (result.stdout, result.exit_code) == (text, status), line
        assert power.secure_lock == bool(power.credential)
    assert not power.secure_lock


async def test_the_menu_key_opens_a_keyguard_without_a_credential_only(phone: VirtualPhone) -> None:
    for credential, locked in (("", False), ("1", True)):
        phone.state.power.set_credential(credential)
        phone.state.power.sleep()
        await run(phone, "input keyevent WAKEUP MENU")
        assert phone.state.power.locked == locked


async def test_a_permission_is_granted_shown_and_revoked(phone: VirtualPhone) -> None:
    camera = "android.permission.CAMERA"
    for verb, word in (("grant", "true"), ("revoke", "false")):
        assert (await run(phone, f"pm {verb} com.whatsapp {camera}")).exit_code == 0
        assert f"        {camera}: granted={word}," in (await run(phone, "dumpsys package com.whatsapp")).stdout
    unknown = await run(phone, "pm grant com.whatsapp android.permission.NOTHING")
    assert "IllegalArgumentException: Unknown permission: android.permission.NOTHING" in unknown.stderr
    assert unknown.exit_code == 255


async def test_selected_text_is_replaced_by_what_is_typed_or_deleted(phone: VirtualPhone) -> None:
    phone.state.apps.focus("name", "old")
    await run(phone, "input keycombination KEYCODE_CTRL_LEFT KEYCODE_A; input text new")
    assert phone.state.apps.foreground.fields["name"] == "new"
    await run(phone, "input keycombination 113 29; input keyevent --delay 0 67")
    assert phone.state.apps.foreground.fields["name"] == ""


async def test_a_touch_of_single_events_ends_where_it_is_lifted(phone: VirtualPhone) -> None:
    x, y = phone.screen.find("Contacts") or (0, 0)
    await run(phone, f"input motionevent DOWN {x} {y}")
    assert phone.state.apps.foreground.package != "com.google.android.contacts"
    await run(phone, f"input motionevent UP {x} {y}")
    assert phone.state.apps.foreground.package == "com.google.android.contacts"
    assert (await run(phone, "input motionevent DOWN")).exit_code == 255


async def test_binary_log_entries_hold_what_the_text_shows(phone: VirtualPhone) -> None:
    phone.state.log.clear()
    phone.state.log.line("Tag", "message ä", "W", process=77)
    collected = Collected()
    await phone.shell().run("logcat -B -d", Streams(FromBytes(b""), collected, Collected()))
    data = bytes(collected.data)
    length, header, process = struct.unpack_from("<HHi", data)
    assert (header, process, len(data)) == (28, 77, 28 + length)
    assert data[28:] == bytes([5]) + b"Tag\0" + "message ä".encode() + b"\0"


async def test_the_cores_and_file_systems_are_listed(phone: VirtualPhone) -> None:
    cores = (await run(phone, "ls /sys/devices/system/cpu | grep -c 'cpu[0-9]'")).stdout
    assert cores == (await run(phone, "grep -c processor /proc/cpuinfo")).stdout
    assert (await run(phone, "cat /sys/devices/system/cpu/cpu8/cpufreq/cpuinfo_max_freq")).stdout == "2914000\n"
    assert "/dev/block/dm-52 on /data type f2fs (rw," in (await run(phone, "mount")).stdout
    total = (await run(phone, "grep MemTotal /proc/meminfo")).stdout.split()[1]
    assert f"Total RAM: {int(total):,}K (status normal)" in (await run(phone, "dumpsys meminfo")).stdout


async def test_apps_are_let_run_while_the_phone_idles(phone: VirtualPhone) -> None:
    assert (await run(phone, "dumpsys deviceidle whitelist +com.whatsapp")).stdout == "Added: com.whatsapp\n"
    uid = phone.state.apps.uid("com.whatsapp")
    assert f"user,com.whatsapp,{uid}\n" in (await run(phone, "dumpsys deviceidle whitelist")).stdout
    assert (await run(phone, "dumpsys deviceidle whitelist -com.whatsapp")).stdout == "Removed: com.whatsapp\n"
    assert (await run(phone, "dumpsys deviceidle whitelist +a.b")).stdout == "Unknown package: a.b\n"


async def test_the_touch_panel_is_described_with_numbers_or_labels(phone: VirtualPhone) -> None:
    numbers, labels = [(await run(phone, f"getevent {option}")).stdout for option in ("-p", "-lp")]
    assert "0035  : value 0, min 0, max 4095," in numbers
    assert "ABS_MT_POSITION_X     : value 0, min 0, max 4095," in labels


async def test_all_services_are_dumped_one_after_the_other(phone: VirtualPhone) -> None:
    whole = (await run(phone, "dumpsys")).stdout
    names = (await run(phone, "dumpsys -l")).stdout
    assert whole.startswith(names)
    assert whole.count("\nDUMP OF SERVICE ") == names.count("\n") - 1
    one = (await run(phone, "dumpsys battery")).stdout
    assert f"{'-' * 79}\nDUMP OF SERVICE battery:\n{one}--------- 0.002s was the duration of dumpsys battery," in whole


async def test_a_client_drives_the_phone_through_monkeys_port(phone: VirtualPhone, device: Device) -> None:
    client = adbutils.AdbClient(host=device.server.host, port=device.server.port).device(device.serial)

    def use() -> list[str]:
        with opened(device, "shell:monkey --port 1080 -v") as monkey:
            assert monkey.read(9) == b":Monkey: "
            with client.create_connection(adbutils.Network.TCP, 1080) as line:
                told = []
                for order in ("getvar display.width", "press KEYCODE_SLEEP", "tap 1", "getvar nothing"):
                    line.sendall(f"{order}\n".encode())
                    told.append(line.recv(100).decode())
                return told

    assert await asyncio.to_thread(use) == ["OK:1080\n", "OK\n", "ERROR\n", "ERROR:unknown var\n"]
    assert phone.state.power.wakefulness == "Asleep"


async def test_no_service_of_an_app_is_started(phone: VirtualPhone) -> None:
    result = await run(phone, "am start-service -n a.b/.C")
    assert result.stdout.startswith("Starting service: Intent { ")
    assert (result.stderr, result.exit_code) == ("Error: Not found; no service started.\n", 255)


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("-n 2p", "2\n"),
        ("-n '2,3p'", "2\n3\n"),
        ("'/2/,/3/!d'", "2\n3\n"),
        ("-n '/[12]/h; ${x;p;}'", "2\n"),
        ("-e 's|[12]|<&>|g; $d'", "<1>\n<2>\n3\n"),
        ("-E 's/(.)/\\1\\1/' | head -1", "11\n"),
        ("-n 's/3/x/p'", "x\n"),
        ("2q", "1\n2\n"),
        ("'2G'", "1\n2\n\n3\n4\n"),
    ],
)
async def test_sed_edits_lines(phone: VirtualPhone, script: str, text: str) -> None:
    assert (await run(phone, rf"printf '1\n2\n3\n4\n' | sed {script}")).stdout == text


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("${x/b/-}", "a-cabc"),
        ("${x//b/-}", "a-ca-c"),
        ("${x/#a/-}", "-bcabc"),
        ("${x/%c/-}", "abcab-"),
        ("${x/b*/-}", "a-"),
        ("${x//[ab]}", "cc"),
        ("${x//'b'/$y}", "a/ca/c"),
        ("${none/a/b}", ""),
    ],
)
async def test_the_shell_replaces_what_matches_a_pattern(phone: VirtualPhone, word: str, text: str) -> None:
    assert (await run(phone, f'x=abcabc; y=/; echo "{word}"')).stdout == f"{text}\n"
