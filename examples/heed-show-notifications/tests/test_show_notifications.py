"""The function show_notifications on the virtual phone, over real adb."""

import asyncio
import socket
from datetime import UTC, datetime

from heed_show_notifications import EXECUTORS, FUNCTIONS

from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from executors import runner
from executors.config import ExecutorsConfig
from executors.plan import OutcomeKind
from function_pool.call import FunctionCall
from function_pool.plugins import pool_of
from virtual_phone import PhoneState, VirtualPhone

NOW = datetime(2026, 2, 6, 14, 0, tzinfo=UTC)


async def _there_and_back() -> tuple[object, object, object]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = AdbServer(BridgeConfig(port=port))
    await server.ensure_running()
    phone = VirtualPhone(PhoneState.standard(now=NOW))
    executors = {executor.function: executor(ExecutorsConfig()) for executor in EXECUTORS}
    try:
        async with phone.connected(server) as serial:
            device = Device(server, serial)
            before = phone.state.panel
            call = FunctionCall(name="show_notifications")
            plan = await runner.prepare(executors, device, pool_of(FUNCTIONS), [call], NOW)
            (outcome,) = await runner.execute(executors, device, plan, lambda event: None)
            undone = await runner.undo(executors, device, plan.steps[0], {})
            return outcome.kind, undone.kind, phone.state.panel == before
    finally:
        await server.kill()


def test_it_is_done_seen_and_undone() -> None:
    assert asyncio.run(_there_and_back()) == (OutcomeKind.VERIFIED, OutcomeKind.VERIFIED, True)
