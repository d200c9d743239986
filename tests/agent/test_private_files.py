"""heed's files are for their owner alone, whatever the umask and whatever was there before."""

import asyncio
import os
import stat
import sys
from pathlib import Path

import pytest

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from tests.agent.command import heed, monitors, write_config
from virtual_phone import VirtualPhone


def shared_with_others(home: Path) -> list[str]:
    """The files and folders from ``home`` down that others have rights on, with their modes."""
    found = [(path, stat.S_IMODE(path.lstat().st_mode)) for path in (home, *home.rglob("*"))]
    return [f"{path} {mode:o}" for path, mode in found if mode & 0o077]


async def with_umask(mask: int, *arguments: str, port: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heed", *arguments),
        env={**os.environ, "ANDROID_ADB_SERVER_PORT": str(port)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        umask=mask,
    )


@pytest.mark.parametrize("mask", [0o000, 0o077])
async def test_what_is_written_is_private_whatever_the_umask(
    heed_home: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone, mask: int
) -> None:
    commands = (
        ("init", "--defaults"),
        ("call", "record_expense", "amount=5", "category=food", "--yes"),
        ("call", "create_reminder", "content=milk", "--yes"),
        ("collect",),
    )
    for command in commands:
        process = await with_umask(mask, *command, port=adb_server.port)
        assert await asyncio.wait_for(process.wait(), 60) == 0
    assert (heed_home / "data" / "ledger.jsonl").exists() and (heed_home / "data" / "journal.sqlite3").exists()
    assert shared_with_others(heed_home) == []


async def test_what_the_daemon_writes_is_private(
    heed_home: Path, adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    daemon = await with_umask(0o000, "run", port=adb_server.port)
    try:
        async with asyncio.timeout(60):
            while not await monitors():  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        assert (heed_home / "data" / "journal.sqlite3-wal").exists()
        assert shared_with_others(heed_home) == []
    finally:
        daemon.terminate()
        await daemon.wait()


async def test_wider_files_are_tightened_and_that_is_logged(heed_home: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("")
    log.chmod(0o644)
    path = write_config(heed_home, f'[collectors]\nbehaviour_log = "{log}"\n')
    path.chmod(0o666)
    frames = heed_home / "data" / "frames" / "phone"
    frames.mkdir(parents=True, mode=0o755)
    (frames / "a.jpg").write_bytes(b"")
    (frames / "a.jpg").chmod(0o604)
    ended = await heed("journal")
    assert ended.code == 0
    assert shared_with_others(heed_home / "data") == shared_with_others(heed_home / "config") == []
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    for told in (log, path, frames / "a.jpg"):
        assert str(told) in ended.err


async def test_what_a_link_leads_to_is_left_alone(heed_home: Path, tmp_path: Path) -> None:
    own = tmp_path / "shared-by-the-owner.txt"
    own.write_text("")
    own.chmod(0o644)
    (heed_home / "data").mkdir(parents=True)
    (heed_home / "data" / "link").symlink_to(own)
    await heed("journal")
    assert stat.S_IMODE(own.stat().st_mode) == 0o644
