"""Unmodified clients: the adb binary that adbutils ships, adbutils itself, and our own link."""

import asyncio
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import adbutils
import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from tests.phones import START, connected_device
from tests.proof import PROVING
from virtual_phone import PhoneState, VirtualPhone

MEBIBYTE = 1024 * 1024


class Ran(NamedTuple):
    """The output and exit status of a process."""

    stdout: bytes
    stderr: bytes
    code: int


@pytest.fixture
def adb(device: Device) -> Callable[..., Any]:
    """Runs the adb binary against the phone and the private server."""

    async def run(*arguments: str, stdin: bytes | None = None) -> Ran:
        process = await asyncio.create_subprocess_exec(
            adbutils.adb_path(), "-P", str(device.server.port), "-s", device.serial, *arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        async with asyncio.timeout(120):
            stdout, stderr = await process.communicate(stdin)
        return Ran(stdout, stderr, process.returncode or 0)

    return run


def adbutils_device(device: Device) -> adbutils.AdbDevice:
    """The phone through adbutils."""
    return adbutils.AdbClient(host=device.server.host, port=device.server.port).device(device.serial)


async def test_adb_shell_keeps_outputs_and_status_apart(adb: Callable[..., Any]) -> None:
    ran = await adb("shell", "echo out; echo err >&2; exit 7")
    assert (ran.stdout, ran.stderr, ran.code) == (b"out\n", b"err\n", 7)


async def test_adb_shell_v1_and_exec_out_give_bytes(adb: Callable[..., Any]) -> None:
    assert (await adb("shell", "-x", "echo plain")).stdout == b"plain\n"
    assert (await adb("exec-out", "screencap", "-p")).stdout.startswith(b"\x89PNG\r\n")


async def test_adb_shell_passes_standard_input(adb: Callable[..., Any], phone: VirtualPhone) -> None:
    assert (await adb("shell", "wc -l", stdin=b"a\nb\n")).stdout.strip() == b"2"
    assert (await adb("exec-in", "cat > /sdcard/in.txt", stdin=b"x" * 200_000)).code == 0
    # adb ends when it has sent everything; the phone may still be reading.
    async with asyncio.timeout(60):
        while phone.state.files.stat("/sdcard/in.txt") is None:
            await phone.state.until_changed()
    assert phone.state.files.read("/sdcard/in.txt").size == 200_000


async def test_an_interactive_shell_runs_line_by_line(adb: Callable[..., Any]) -> None:
    ran = await adb("shell", stdin=b"X=5\necho value $X\nexit 4\n")
    assert (b"value 5" in ran.stdout, ran.code) == (True, 4)


async def test_files_are_pushed_listed_and_pulled(adb: Callable[..., Any], tmp_path: Path) -> None:
    content = os.urandom(300_000)
    (tmp_path / "up.bin").write_bytes(content)
    assert (await adb("push", str(tmp_path / "up.bin"), "/sdcard/Download/deep/up.bin")).code == 0
    assert b"up.bin" in (await adb("ls", "/sdcard/Download/deep")).stdout
    assert (await adb("pull", "/sdcard/Download/deep/up.bin", str(tmp_path / "down.bin"))).code == 0
    assert (tmp_path / "down.bin").read_bytes() == content


async def test_a_refused_push_and_a_missing_pull_give_the_reason(adb: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "up.bin").write_bytes(b"x" * 100_000)
    refused = await adb("push", str(tmp_path / "up.bin"), "/system/up.bin")
    assert (refused.code, b"Read-only file system" in refused.stdout + refused.stderr) == (1, True)
    missing = await adb("pull", "/sdcard/none", str(tmp_path / "none"))
    assert (missing.code, b"No such file or directory" in missing.stdout + missing.stderr) == (1, True)


async def test_a_folder_is_pushed_and_pulled(adb: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "tree" / "inner").mkdir(parents=True)
    (tmp_path / "tree" / "a.txt").write_text("a")
    (tmp_path / "tree" / "inner" / "b.txt").write_text("b")
    assert (await adb("push", str(tmp_path / "tree"), "/sdcard/")).code == 0
    assert (await adb("pull", "/sdcard/tree", str(tmp_path / "back"))).code == 0
    assert (tmp_path / "back" / "inner" / "b.txt").read_text() == "b"


async def test_ports_are_reversed(adb: Callable[..., Any], device: Device, phone: VirtualPhone) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello " + await reader.readline())
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert (await adb("reverse", "tcp:7000", f"tcp:{port}")).code == 0
        assert f"tcp:7000 tcp:{port}".encode() in (await adb("reverse", "--list")).stdout
        stream = await phone.reverses.connect(7000)
        assert stream is not None
        await stream.write(b"phone\n")
        assert await stream.read() == b"hello phone\n"
        assert (await adb("reverse", "--remove", "tcp:7000")).code == 0
        assert await phone.reverses.connect(7000) is None


async def test_an_app_on_the_phone_is_reached_through_a_forwarded_port(
    adb: Callable[..., Any], device: Device, phone: VirtualPhone
) -> None:
    async def echo(stream: Any) -> None:
        await stream.write(await stream.read())

    with phone.serving_locally(9008, echo):
        port = int((await adb("forward", "tcp:0", "tcp:9008")).stdout)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"ping")
        async with asyncio.timeout(60):
            assert await reader.read(4) == b"ping"
        writer.close()


async def test_an_app_is_installed_and_uninstalled(adb: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "org.example.tool.apk").write_bytes(b"PK\x03\x04" + bytes(50_000))
    (tmp_path / "bad.apk").write_bytes(b"no zip")
    installed = await adb("install", "--no-streaming", str(tmp_path / "org.example.tool.apk"))
    assert b"Success" in installed.stdout
    assert b"package:org.example.tool\n" in (await adb("shell", "pm list packages org.example")).stdout
    assert (await adb("install", "--no-streaming", str(tmp_path / "bad.apk"))).code != 0
    assert b"Success" in (await adb("uninstall", "org.example.tool")).stdout


async def test_adbutils_reads_drives_pushes_and_pulls(device: Device, tmp_path: Path) -> None:
    def use() -> None:
        phone = adbutils_device(device)
        assert phone.shell("echo hi") == "hi"
        assert phone.shell2("exit 6", v2=True).returncode == 6
        assert phone.shell2("(exit 6)").returncode == 6
        assert phone.prop.model == "Pixel 8"
        assert phone.window_size() == (1080, 2400)
        assert phone.app_current().package == "com.google.android.apps.nexuslauncher"
        (tmp_path / "a.txt").write_text("via adbutils")
        phone.sync.push(str(tmp_path / "a.txt"), "/data/local/tmp/a.txt")
        assert phone.sync.read_text("/data/local/tmp/a.txt") == "via adbutils"
        assert phone.sync.stat("/data/local/tmp/a.txt").size == 12
        assert [entry.path for entry in phone.sync.list("/data/local/tmp")] == [".", "..", "a.txt"]
        phone.app_start("com.whatsapp")
        assert phone.app_current().package == "com.whatsapp"
        assert phone.screenshot().size == (1080, 2400)
        assert "hierarchy" in phone.dump_hierarchy()

    await asyncio.to_thread(use)


async def test_a_big_push_does_not_fill_the_memory(
    adb: Callable[..., Any], phone: VirtualPhone, tmp_path: Path
) -> None:
    size = (300 if PROVING else 32) * MEBIBYTE
    path = tmp_path / "big.bin"
    with path.open("wb") as file:
        file.truncate(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (await adb("push", str(path), "/sdcard/big.bin")).code == 0
    assert phone.state.files.read("/sdcard/big.bin").size == size
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 16 * MEBIBYTE


async def test_several_phones_in_one_process_do_not_mix(adb_server: AdbServer) -> None:
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for number in range(5):
            group.create_task(_lives_alone(adb_server, number))


async def _lives_alone(adb_server: AdbServer, number: int) -> None:
    phone = VirtualPhone(PhoneState.standard(START), serial=f"vphone-{number}")
    async with connected_device(phone, adb_server) as device:
        for value in range(20):
            await device.shell(f"settings put system mine {number}-{value}")
            assert (await device.shell("settings get system mine; getprop ro.serialno")).stdout == (
                f"{number}-{value}\nvphone-{number}\n"
            )
