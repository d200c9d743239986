"""Many virtual phones in one process, behind one adb server: each answers a whole snapshot, with its own facts."""

import asyncio
import re
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Context
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from heed.clock import PhoneClock, SystemClock
from tests.phones import START, connected_device
from tests.proof import examples
from virtual_phone import PhoneState, VirtualPhone

PHONES = examples(5, 20)
MARK = re.compile(r"mark\d\d")


def marked_phone(number: int) -> VirtualPhone:
    """A phone with its own battery level, clock, messages, calendar and alarm."""
    mark = f"mark{number:02}"
    state = PhoneState.standard(now=START + timedelta(minutes=number), serial=mark)
    state.clock.freeze()
    state.battery.set(level=10 + number)
    state.messages.receive(f"+8613900000{number:03}", f"hello {mark}")
    state.notifications.post(package="com.android.chrome", identifier=1, title=mark, text="news")
    state.calendar.add(f"Meeting {mark}", state.clock.wall() + timedelta(hours=1))
    state.alarms.add(5, number, label=mark)
    return VirtualPhone(state)


async def look(device: Device, folder: Path) -> Context:
    config = CollectorsConfig(profile=folder / "none.yaml", frames=FramesConfig(enabled=False))
    return await Snapshotter(device, load_sources(config), PhoneClock(SystemClock()), config).snapshot()


async def test_many_phones_in_one_process_answer_at_once_with_their_own_facts(
    adb_server: AdbServer, tmp_path: Path
) -> None:
    phones = [marked_phone(number) for number in range(PHONES)]
    async with AsyncExitStack() as stack:
        devices = [await stack.enter_async_context(connected_device(phone, adb_server)) for phone in phones]
        contexts = await asyncio.gather(*(look(device, tmp_path) for device in devices))
    for number, (phone, context) in enumerate(zip(phones, contexts, strict=True)):
        assert context.value("battery.level") == 10 + number
        assert abs(context.now - phone.state.clock.wall()) < timedelta(seconds=30)
        assert set(MARK.findall(context.model_dump_json())) == {f"mark{number:02}"}
    assert len({len(list(context.facts())) for context in contexts}) == 1
