"""Weeks of the daemon's own work on the virtual clock: nothing is missed, nothing happens twice, nothing piles up."""

import asyncio
import gc
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from agent.compose import Phone, Runtime, compose
from agent.config import Config, ConsoleConfig, JournalConfig
from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.demo.virtual_time import SyncedPhoneEvents, VirtualTime, VirtualTimer
from agent.journal import ActionState
from agent.loop.progress import ContextRead, ProgressEvent
from android_bridge.adb import AdbServer
from android_bridge.config import BridgeConfig
from android_bridge.device import Device
from collectors.config import CollectorsConfig, FramesConfig
from collectors.context import Trigger
from function_pool.call import FunctionCall
from heed.clock import ManualClock
from tests.phones import START
from tests.proof import examples
from virtual_phone import VirtualPhone

DAYS = examples(3, 30)
RETENTION_DAYS = 1
LEAD = timedelta(minutes=CollectorsConfig().calendar_lead_minutes)
QUIET_TIME = "priority"


class Agreeable:
    """Somebody who says yes, once, to everything."""

    name = ChannelName.SCRIPT

    async def ask(self, request: ConsentRequest) -> Answer:
        return Answer.ONCE


class Home(NamedTuple):
    """A phone whose weeks are watched."""

    phone: VirtualPhone
    monitored: Phone
    runtime: Runtime
    time: VirtualTime


@asynccontextmanager
async def _watched(
    home: Path, server: AdbServer, phone: VirtualPhone, device: Device, saw: list[Trigger]
) -> AsyncIterator[Home]:
    def listen(stage: ProgressEvent) -> None:
        if isinstance(stage, ContextRead):
            saw.append(stage.context.trigger)

    config = Config(
        bridge=BridgeConfig(port=server.port),
        collectors=CollectorsConfig(
            behaviour_log=_evenings(home / "log.jsonl"), frames=FramesConfig(enabled=False), profile=home / "none.yaml"
        ),
        console=ConsoleConfig(enabled=False),
        journal=JournalConfig(path=home / "journal.sqlite3", retention_days=RETENTION_DAYS),
    )
    host, timer = ManualClock(START), VirtualTimer()
    async with compose(config, host) as runtime:
        events = SyncedPhoneEvents(device, phone.state)
        one = runtime.phone(
            device.serial, await runtime.identify(device.serial), channels=[Agreeable()], listen=listen
        )._replace(events=events)
        one.clock.set(START)
        watcher = one.watcher(host, timer=timer)
        task = asyncio.create_task(watcher.run())
        try:
            async with asyncio.timeout(60):
                await phone.state.log.followed()
            yield Home(phone, one, runtime, VirtualTime(phone.state, one, events, watcher, timer, host))
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _evenings(path: Path) -> Path:
    """Four weeks of somebody who turns the phone silent at ten in the evening, up to the day before."""
    days = [START.replace(hour=22) - timedelta(days=ago) for ago in range(28, 0, -1)]
    action = "At 22:00, she turned on Do Not Disturb."
    lines = [{"time": day.isoformat(), "location": "Home", "action": action} for day in days]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


async def _a_day(home: Home, day: int) -> None:
    """An hour of quiet on demand, a meeting, and whatever is due by itself, until the next day's afternoon."""
    state, began = home.phone.state, START + timedelta(days=day)
    state.calendar.events.clear()
    state.calendar.add(f"Review {day}", began + timedelta(hours=2))
    call = FunctionCall(name="set_do_not_disturb", parameters={"mode": QUIET_TIME, "duration_minutes": 60})
    agent = home.monitored.agent
    done = await agent.carry_out(await agent.plan(call), consented=True)
    assert [outcome.ok for outcome in done] == [True], done
    await home.time.wait_until_idle()
    await home.time.advance_to(began + timedelta(minutes=59))
    assert state.dnd.mode == QUIET_TIME
    await home.time.advance_to(began + timedelta(minutes=61))
    assert state.dnd.mode == "off"
    await home.time.advance_to(began + timedelta(hours=23))
    # In the morning she turns the sound on again herself.
    state.dnd.set("off")
    await home.time.wait_until_idle()
    await home.time.advance_to(began + timedelta(days=1))


async def test_weeks_go_by_and_nothing_is_missed_done_twice_or_piled_up(
    tmp_path: Path, phone: VirtualPhone, device: Device, adb_server: AdbServer
) -> None:
    saw: list[Trigger] = []
    objects: list[int] = []
    started: Counter[tuple[int, int]] = Counter()
    async with _watched(tmp_path, adb_server, phone, device, saw) as home:
        database = home.runtime.stores.journal
        for day in range(DAYS):
            await _a_day(home, day)
            started |= _actions(home)
            objects.append(_own_objects())
            assert len(database.timeline(1000)) <= 8 * (RETENTION_DAYS + 1)
    _each_due_once(saw)
    assert set(started.values()) == {1}
    assert len(objects) == DAYS and max(objects[1:]) <= objects[1] * 1.05


def _each_due_once(saw: list[Trigger]) -> None:
    dues = [datetime.fromisoformat(str(one.data["due"])) for one in saw if one.kind == "clock"]
    assert len(dues) == len(set(dues)) == DAYS
    meetings = [one.data["title"] for one in saw if one.kind == "calendar_event"]
    assert list(dict.fromkeys(meetings)) == [f"Review {day}" for day in range(DAYS)]
    # Ten, three and one minute before it begins.
    assert set(Counter(meetings).values()) == {3}


def _actions(home: Home) -> Counter[tuple[int, int]]:
    """How often each step of each plan in the journal was begun; each has a consent and a known end."""
    found: Counter[tuple[int, int]] = Counter()
    for entry in home.runtime.stores.journal.timeline(1000):
        for action in entry.actions:
            assert entry.plan is not None and entry.plan.answer == Answer.ONCE
            assert action.state in (ActionState.FINISHED, ActionState.UNDONE)
            found[action.plan_id, action.step_index] += 1
    return found


def _own_objects() -> int:
    """How many objects of heed's own classes are alive."""
    gc.collect()
    rooms = ("agent.", "collectors.", "executors.", "models.", "function_pool.", "heed.", "android_bridge.facts")
    return sum(str(type(one).__module__).startswith(rooms) for one in gc.get_objects())
