"""A person's walk through every app, with the unmodified uiautomator2: open, act, see the state change, go back."""

import asyncio
import re
from typing import Any
from xml.etree import ElementTree

import adbutils
import pytest
import uiautomator2

from android_bridge.device import Device
from tests.virtual_phone.ui.walks import WALKS, Key, Scroll, Step, Type, furnish
from virtual_phone import VirtualPhone
from virtual_phone.state.well_known import LAUNCHER_APP


def do(client: Any, step: Step) -> None:
    """One step, by uiautomator2."""
    if isinstance(step, Key):
        client.press(step.name)
    elif isinstance(step, Scroll):
        client(scrollable=True).scroll.toEnd()
    elif isinstance(step, Type):
        client(resourceIdMatches=f".*:id/{step.field}").set_text(step.text)
    else:
        client.click(*place(client.dump_hierarchy(), step.what))


def place(xml: str, what: str) -> tuple[int, int]:
    """The centre of the first view in the hierarchy with this text, description or resource id."""
    nodes = list(ElementTree.fromstring(xml).iter("node"))
    resource = what.removeprefix("#")
    for fits in (
        lambda node: what in (node.get("text"), node.get("content-desc")),
        lambda node: node.get("content-desc", "").startswith(what),
        lambda node: node.get("resource-id", "").endswith(f":id/{resource}"),
    ):
        for node in filter(fits, nodes):
            left, top, right, bottom = map(int, re.findall(r"\d+", node.get("bounds", "")))
            return (left + right) // 2, (top + bottom) // 2
    shown = [node.get("text") or node.get("content-desc") for node in nodes]
    raise AssertionError(f"{what!r} is not among {[text for text in shown if text]}")


@pytest.fixture
async def client(device: Device) -> Any:
    """uiautomator2, connected; its calls block, so they run in another thread."""
    transport = await device.transport_id()

    def connect() -> uiautomator2.Device:
        server = adbutils.AdbClient(host=device.server.host, port=device.server.port)
        return uiautomator2.connect(server.device(transport_id=transport))

    client = await asyncio.to_thread(connect)
    yield client
    await asyncio.to_thread(client.stop_uiautomator)


async def test_every_app_can_be_used_by_touch(phone: VirtualPhone, client: Any, subtests: pytest.Subtests) -> None:
    state = phone.state
    furnish(state)
    fresh = state.snapshot()
    for name, walk in WALKS.items():
        state.restore(fresh)
        with subtests.test(name):
            assert state.open_app(walk.app)
            walk.before(state)
            before = state.to_json()
            for step in walk.steps:
                await asyncio.to_thread(do, client, step)
            assert walk.then(state), state.apps.foreground
            assert state.to_json() != before
            depth = len(state.apps.tasks[0].activities)
            await asyncio.to_thread(client.press, "back")
            gone_back = state.apps.foreground.package == LAUNCHER_APP or len(state.apps.tasks[0].activities) < depth
            assert gone_back
