"""A build for developers: adb root, su, the clock, and the data of apps."""

import asyncio
import subprocess
from datetime import UTC, datetime

import pytest
from adbutils import adb_path

from android_bridge.adb import AdbServer
from tests.phones import START, connected_device, run
from virtual_phone import PhoneState, VirtualPhone

CLOCK = "/data/user_de/0/com.google.android.deskclock"


@pytest.fixture
def rooted() -> VirtualPhone:
    """The standard phone as a build for developers."""
    state = PhoneState.standard(now=START, rooted=True)
    state.clock.freeze()
    return VirtualPhone(state)


async def adb(server: AdbServer, serial: str, *words: str) -> subprocess.CompletedProcess[str]:
    """One run of the adb program."""
    command = [adb_path(), "-P", str(server.port), "-s", serial, *words]
    return await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize("emulated", [False, True])
async def test_adb_root_restarts_adbd_as_root_and_unroot_as_the_shell(
    rooted: VirtualPhone, adb_server: AdbServer, emulated: bool
) -> None:
    async with connected_device(rooted, adb_server, emulated=emulated) as device:
        said = [await adb(adb_server, device.serial, *words.split())
                for words in ("shell whoami", "root", "wait-for-device", "shell whoami", "root", "unroot",
                              "wait-for-device", "shell whoami", "unroot")]  # fmt: skip
    assert [done.stdout.strip() for done in said] == [
        "shell", "restarting adbd as root", "", "root", "adbd is already running as root",
        "restarting adbd as non root", "", "shell", "adbd not running as root",
    ]  # fmt: skip


async def test_a_user_build_refuses_root(phone: VirtualPhone, adb_server: AdbServer) -> None:
    async with connected_device(phone, adb_server) as device:
        assert "adbd cannot run as root in production builds" in (await adb(adb_server, device.serial, "root")).stdout
        assert (await adb(adb_server, device.serial, "shell", "sqlite3 x.db 'select 1'")).returncode == 127


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("whoami", "shell\n"),
        ("su -c whoami", "root\n"),
        ("su root id -u", "0\n"),
        ("su 0 sh -c 'whoami; id -u'", "root\n0\n"),
        ("su 2000 whoami", "shell\n"),
        ("echo whoami | su", "root\n"),
        ("su nobody id 2>&1", "su: invalid uid/gid 'nobody'\n"),
        ("getprop ro.build.type; getprop ro.debuggable", "userdebug\n1\n"),
        ("su 0 setprop persist.sys.x 1; getprop persist.sys.x", "1\n"),
        (f"ls {CLOCK} 2>&1", f"ls: {CLOCK}: Permission denied\n"),
        (f"su 0 ls {CLOCK}", "databases\n"),
        ("su 0 sh -c 'echo x > /data/data/f; cat /data/data/f'; cat /data/data/f 2>/dev/null", "x\n"),
        ("su 0 sh -c 'echo x > /system/f' 2>&1", "/system/bin/sh: /system/f: Read-only file system\n"),
        ("su 0 ls /data/media/0 | head -n1", "Alarms\n"),
        ("cd /data/local/tmp; touch a; su 0 touch b; stat -c %u:%U a b", "2000:shell\n0:root\n"),
        ("cd /sdcard; echo hi > a; mkdir d; cp a d; cp -a d/. e; cat e/a", "hi\n"),
        ("cd /sdcard; touch a; chown 0 a 2>&1; su 0 chown 0:0 a", "chown: 'a': Operation not permitted\n"),
    ],
)  # fmt: skip
async def test_root_may_what_the_shell_may_not(rooted: VirtualPhone, line: str, output: str) -> None:
    assert (await run(rooted, line)).stdout == output


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("101515342023.05", datetime(2023, 10, 15, 15, 34, 5, tzinfo=UTC)),
        ("1015153423.05", datetime(2023, 10, 15, 15, 34, 5, tzinfo=UTC)),
        ("02070800", datetime(2026, 2, 7, 8, 0, tzinfo=UTC)),
    ],
)
async def test_root_turns_the_clock(rooted: VirtualPhone, text: str, moment: datetime) -> None:
    result = await run(rooted, f"su 0 date -u {text}")
    assert result.stdout == f"{moment:%a %b} {moment.day:>2} {moment:%H:%M:%S} UTC {moment:%Y}\n"
    assert rooted.state.clock.wall().replace(microsecond=0) == moment


async def test_what_lies_between_does_not_happen_when_the_clock_is_turned(rooted: VirtualPhone) -> None:
    await run(rooted, "su 0 date 020608002029.00")
    rooted.state.catch_up()
    assert rooted.state.alarms.fired == []
    assert (await run(rooted, "su 0 date 99")).stderr == "date: bad date '99'\n"


async def test_full_times_and_owners_are_listed(rooted: VirtualPhone) -> None:
    result = await run(rooted, "touch -t 202601020304.05 /sdcard/old; ls -ll -au /sdcard/old")
    assert result.stdout.split()[5:8] == ["2026-01-02", "03:04:05.000000000", "+0800"]
    owner = (await run(rooted, "su 0 ls -l /data/data | grep chrome")).stdout.split()[2]
    assert owner == f"u0_a{rooted.state.apps.uid('com.android.chrome') - 10000}"


async def test_clearing_a_provider_deletes_what_it_keeps_for_all_apps(phone: VirtualPhone) -> None:
    result = await run(phone, "pm clear com.android.providers.contacts; pm clear com.android.providers.telephony")
    assert result.stdout == "Success\nSuccess\n"
    assert (phone.state.contacts.raw, phone.state.messages.stored) == ([], [])
    assert phone.state.alarms.alarms


async def test_the_legacy_contacts_are_served(phone: VirtualPhone) -> None:
    uri = "content query --uri content://contacts/phones/ --projection display_name:number"
    assert "Row: 0 display_name=Alice Chen, number=+86 138 0013 8000" in (await run(phone, uri)).stdout


async def test_the_stack_lists_the_activity_on_top_in_full(phone: VirtualPhone) -> None:
    phone.state.open_app("com.android.settings")
    assert (
        "visible=true topActivity=ComponentInfo{com.android.settings/com.android.settings.Settings}"
        in (await run(phone, "am stack list")).stdout
    )


async def test_only_root_sends_the_systems_broadcasts(rooted: VirtualPhone) -> None:
    line = "am broadcast -a android.bluetooth.device.action.ACL_DISCONNECTED"
    assert "SecurityException" in (await run(rooted, line)).stderr
    assert "Broadcast completed: result=0" in (await run(rooted, f"su 0 {line}")).stdout


async def test_clipper_reaches_the_clipboard(phone: VirtualPhone) -> None:
    phone.state.apps.install("ca.zgrs.clipper", "Clipper")
    phone.state.apps.open("ca.zgrs.clipper")
    result = await run(phone, "am broadcast -a clipper.set -e text 'a b'; am broadcast -a clipper.get")
    assert 'result=-1, data="Text is copied into clipboard."' in result.stdout
    assert 'result=-1, data="a b"' in result.stdout
