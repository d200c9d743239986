"""An unmodified mobile-mcp 1.0.4 (npm) drives the virtual phone over adb: every tool it lists that needs no cloud.

Needs node and npm's registry once per run; without them the test is skipped and says why.
"""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import adbutils
import pytest

from android_bridge.device import Device
from tests.npm import install
from virtual_phone import VirtualPhone
from virtual_phone.state.well_known import LAUNCHER_APP

PACKAGE = "@mobilenext/mobile-mcp@1.0.4"
ANSWERING, ALL = 60, 140
"""Seconds that one call and all calls may take."""
CONTACTS = "com.google.android.contacts"
STREAMED = "com.installed.streamed"
"""The virtual phone's name for an app whose file has no name."""

LEGACY = "refused by its legacy mode, which is the one that uses adb alone"
CLOUD = "asks the vendor's cloud"
HELPER = "done by the vendor's own helper program, not over adb"
NOT_TRIED = {
    "mobile_login_to_cloud_provider": CLOUD,
    "mobile_list_remote_devices": CLOUD,
    "mobile_allocate_remote_device": CLOUD,
    "mobile_release_remote_device": CLOUD,
    "mobile_get_foreground_app": LEGACY,
    "mobile_set_location": LEGACY,
    "mobile_clipboard": LEGACY,
    "mobile_get_device_logs": LEGACY,
    "mobile_start_screen_recording": HELPER,
    "mobile_stop_screen_recording": HELPER,
    "mobile_list_crashes": HELPER,
    "mobile_get_crash": HELPER,
}


@pytest.fixture(scope="module")
def mobile_mcp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The installed server's script; where npm cannot bring it, the test is skipped with npm's reason."""
    folder = tmp_path_factory.mktemp("mobile-mcp")
    yield install(PACKAGE, folder) / "lib" / "index.js"
    if shutil.which("pkill"):  # the vendor's helper program stays behind as a daemon, from this run's own folder
        subprocess.run(["pkill", "-f", str(folder)], check=False, timeout=60)


class Mcp:
    """A client of an MCP server over its standard input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._next = 0
        self.called: set[str] = set()

    async def request(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One JSON-RPC call."""
        self._next += 1
        self._send({"id": self._next, "method": method, "params": parameters})
        assert self._process.stdout is not None
        async with asyncio.timeout(ANSWERING):
            while line := await self._process.stdout.readline():
                reply: dict[str, Any] = json.loads(line)
                if reply.get("id") == self._next:
                    assert "result" in reply, reply
                    return dict(reply["result"])
        raise AssertionError("the server ended")

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def start(self) -> None:
        """The handshake."""
        about = {"name": "conformance", "version": "1"}
        await self.request("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo=about)
        self._send({"method": "notifications/initialized"})

    async def tool(self, name: str, **arguments: Any) -> str:
        """Call a tool; its text (an image's kind in place of an image)."""
        result = await self.request("tools/call", name=name, arguments=arguments)
        assert not result.get("isError"), result
        self.called.add(name)
        parts = result["content"]
        text = " ".join(str(part.get("text") or part.get("mimeType")) for part in parts)
        assert "Please fix the issue" not in text, text
        return text


@pytest.fixture
async def mcp(mobile_mcp: Path, device: Device, tmp_path: Path) -> AsyncIterator[Mcp]:
    """The server, running, with our adb server and a home of its own."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "adb").symlink_to(adbutils.adb_path())
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "ANDROID_ADB_SERVER_PORT": str(device.server.port),
        "MOBILEMCP_LEGACY_ROBOT": "1",
        "MOBILEMCP_DISABLE_TELEMETRY": "1",
    }
    process = await asyncio.create_subprocess_exec(
        "node", str(mobile_mcp), env=environment, cwd=tmp_path, limit=16 * 1024 * 1024,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        client = Mcp(process)
        await client.start()
        yield client
    finally:
        process.kill()
        await process.communicate()


async def test_every_local_tool_works(mcp: Mcp, phone: VirtualPhone, device: Device, tmp_path: Path) -> None:
    async with asyncio.timeout(ALL):
        await use_every_tool(mcp, phone, device, tmp_path)


async def use_every_tool(mcp: Mcp, phone: VirtualPhone, device: Device, tmp_path: Path) -> None:
    """Each at least once; whatever it lists is used or named as not tried."""
    listed = {tool["name"] for tool in (await mcp.request("tools/list"))["tools"]}
    on = {"device": device.serial}
    found = json.loads(await mcp.tool("mobile_list_available_devices"))["devices"]
    assert [(entry["id"], entry["name"], entry["version"]) for entry in found] == [(device.serial, "Pixel 8", "14")]
    await looks(mcp, on, tmp_path)
    await drives(mcp, on, phone)
    await manages_apps(mcp, on, phone, tmp_path)
    assert mcp.called.isdisjoint(NOT_TRIED)
    assert mcp.called | set(NOT_TRIED) == listed


async def looks(mcp: Mcp, on: dict[str, str], tmp_path: Path) -> None:
    """Call the tools that read the screen."""
    assert await mcp.tool("mobile_get_screen_size", **on) == "Screen size is 1080x2400 pixels"
    assert "image/png" in await mcp.tool("mobile_take_screenshot", **on)
    await mcp.tool("mobile_save_screenshot", **on, saveTo=str(tmp_path / "screen.png"))
    assert (tmp_path / "screen.png").read_bytes().startswith(b"\x89PNG")
    assert await mcp.tool("mobile_get_orientation", **on) == "Current device orientation is portrait"


async def drives(mcp: Mcp, on: dict[str, str], phone: VirtualPhone) -> None:
    """Call the tools that touch the screen."""
    state = phone.state
    await mcp.tool("mobile_launch_app", **on, packageName=CONTACTS)
    assert state.apps.foreground.package == CONTACTS
    assert "Alice Chen" in await mcp.tool("mobile_list_elements_on_screen", **on)
    x, y = phone.screen.find("Create contact") or (0, 0)
    await mcp.tool("mobile_click_on_screen_at_coordinates", **on, x=x, y=y)
    x, y = phone.screen.find("Name") or (0, 0)
    await mcp.tool("mobile_double_tap_on_screen", **on, x=x, y=y)
    await mcp.tool("mobile_type_keys", **on, text='it\'s $HOME; "x"', submit=True)
    assert 'it\'s $HOME; "x"' in state.apps.foreground.fields.values()
    await mcp.tool("mobile_long_press_on_screen_at_coordinates", **on, x=540, y=2200, duration=600)
    await mcp.tool("mobile_press_button", **on, button="HOME")
    assert state.apps.foreground.package == LAUNCHER_APP
    await mcp.tool("mobile_swipe_on_screen", **on, direction="down", x=540, y=5, distance=1200)
    assert state.panel == "shade"
    await mcp.tool("mobile_swipe_on_screen", **on, direction="up")
    steps = [{"name": "mobile_press_button", "arguments": {"button": "VOLUME_UP"}}] * 2
    await mcp.tool("mobile_batch_commands", **on, steps=steps)
    await mcp.tool("mobile_open_url", **on, url="https://example.org/?a=1&b=2")
    assert state.apps.foreground.intent.data == "https://example.org/?a=1&b=2"
    await mcp.tool("mobile_set_orientation", **on, orientation="landscape")
    assert await mcp.tool("mobile_get_orientation", **on) == "Current device orientation is landscape"


async def manages_apps(mcp: Mcp, on: dict[str, str], phone: VirtualPhone, tmp_path: Path) -> None:
    """Call the tools that list, install and stop apps."""
    assert CONTACTS in await mcp.tool("mobile_list_apps", **on)
    (tmp_path / "tool.apk").write_bytes(b"PK\x03\x04" + bytes(50_000))
    await mcp.tool("mobile_install_app", **on, path=str(tmp_path / "tool.apk"))
    assert phone.state.apps.find(STREAMED) is not None
    await mcp.tool("mobile_launch_app", **on, packageName=STREAMED)
    await mcp.tool("mobile_terminate_app", **on, packageName=STREAMED)
    assert STREAMED not in phone.state.apps.running()
    await mcp.tool("mobile_uninstall_app", **on, bundle_id=STREAMED)
    assert phone.state.apps.find(STREAMED) is None
