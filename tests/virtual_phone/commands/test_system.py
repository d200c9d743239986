"""Date, properties, users, files and storage."""

import asyncio

import pytest

from tests.phones import run
from virtual_phone import VirtualPhone


@pytest.mark.parametrize(
    ("line", "stdout"),
    [("head -c 100000 /dev/zero | wc -c", "100000\n"), ("cat /dev/zero | head -c 100000 | wc -c", "100000\n"),
     ("wc -c < /dev/zero", "")],
)  # fmt: skip
async def test_an_endless_source_blocks_neither_memory_nor_other_tasks(
    phone: VirtualPhone, line: str, stdout: str
) -> None:
    async with asyncio.timeout(20):
        assert (await run(phone, line)).stdout == stdout


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("date '+%Y-%m-%dT%H:%M:%S%z'", "2026-02-06T14:00:00+0800\n"),
        ("date", "Fri Feb  6 14:00:00 CST 2026\n"),
        ("date +%s", "1770357600\n"),
        ("date -u +%H:%M", "06:00\n"),
        ("getprop ro.build.version.release; getprop ro.build.version.sdk", "14\n34\n"),
        ("getprop sys.boot_completed; getprop ro.serialno", "1\nvphone-1\n"),
        ("getprop nosuch; getprop nosuch dflt", "\ndflt\n"),
        ("getprop persist.sys.timezone; getprop persist.sys.locale", "Asia/Shanghai\nen-US\n"),
        ("whoami; id -u", "shell\n2000\n"),
        ("wm size; wm density", "Physical size: 1080x2400\nPhysical density: 420\n"),
        ("am get-current-user", "0\n"),
        ("ime list -s | head -n1", "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME\n"),
        ("mkdir -p /sdcard/a/b && touch /sdcard/a/b/c && ls /sdcard/a/b", "c\n"),
        ("echo 12345 > /sdcard/n; stat -c '%s %n' /sdcard/n", "6 /sdcard/n\n"),
        ("echo x > /data/local/tmp/f; mv /data/local/tmp/f /data/local/tmp/g; ls /data/local/tmp", "g\n"),
        ("cd /sdcard; mkdir -p a/b c; touch a/b/f; mv a c; find c -type d -o -name f", "c\nc/a\nc/a/b\nc/a/b/f\n"),
        ("cd /sdcard; mkdir -p a/b; touch a/b/f; mv a b; ls a; cat b/b/f; mv b b/b", ""),
        ("touch -t 202601020304 /sdcard/old; stat -c %y /sdcard/old", "2026-01-02 03:04:00.000000000 +0800\n"),
        ("dd if=/dev/zero of=/sdcard/z bs=10 count=5 2>/dev/null; wc -c /sdcard/z", "50 /sdcard/z\n"),
        ("head -c 5 /proc/version; echo; head -n1 /proc/meminfo | grep -c MemTotal", "Linux\n1\n"),
        ("rm -rf /sdcard/Alarms; ls -d /sdcard/Alarms 2>&1", "ls: /sdcard/Alarms: No such file or directory\n"),
    ],
)  # fmt: skip
async def test_system_tools_print_the_phones_identity(phone: VirtualPhone, line: str, output: str) -> None:
    assert (await run(phone, line)).stdout == output


async def test_only_root_sets_the_clock(phone: VirtualPhone) -> None:
    result = await run(phone, "date 020607002026.00; setprop ro.secure 0; su 0 id")
    assert "Operation not permitted" in result.stderr
    assert "Failed to set property 'ro.secure'" in result.stderr
    assert "su: inaccessible or not found" in result.stderr


async def test_a_chinese_phone_speaks_chinese(phone: VirtualPhone) -> None:
    phone.state.identity.language, phone.state.identity.country = "zh", "CN"
    assert (await run(phone, "getprop persist.sys.locale")).stdout == "zh-CN\n"
    assert (await run(phone, "settings get system next_alarm_formatted")).stdout == "周一 07:00\n"


async def test_a_full_storage_refuses_writes(phone: VirtualPhone) -> None:
    phone.state.files.capacity = 1000
    result = await run(phone, "dd if=/dev/zero of=/sdcard/big bs=600 count=2")
    assert result.exit_code != 0
    assert "No space left on device" in result.stderr
    assert (await run(phone, "ls /sdcard/big")).exit_code == 1


async def test_df_prints_the_storage(phone: VirtualPhone) -> None:
    rows = (await run(phone, "df /storage/emulated")).stdout.splitlines()
    size, used, available = (int(word) for word in rows[-1].split()[1:4])
    assert size == used + available
    assert available == phone.state.files.free // 1024
