"""A daemon killed at random moments, again and again, on a phone that it acts on: the journal stays true."""

import asyncio
import contextlib
import os
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agent.journal import ActionRecord, ActionState, Database, Journal
from agent.loop import control_socket as control
from agent.loop.daemon_requests import UndoRequest
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from executors.plan import OutcomeKind
from heed.errors import PersonError
from tests.agent.command import monitors, write_config
from tests.phones import WORDS
from tests.proof import examples
from virtual_phone import VirtualPhone
from virtual_phone.state.people import PHONE_TYPE, digits

KILLS = examples(5, 50)
LONGEST_LIFE = 1.5
"""Seconds from an event on the phone to the kill: an event, a question and an action take about one."""
CONFIG = f"""
[policy]
per_hour = 1000
per_day = 1000
[models.routines]
situations = ["new_number"]
situation_files = ["{WORDS}"]
[collectors.frames]
enabled = false
"""


async def test_the_journal_is_true_however_often_the_daemon_is_killed(
    heed_home: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    write_config(heed_home, CONFIG)
    chance = random.Random(9)
    for number in range(KILLS):
        async with _daemon(device.serial, adb_server) as process:
            await phone.state.log.followed()
            # Bob is among the contacts already, Zoe is not.
            phone.state.messages.receive(
                _number(number), f"hi, this is {'Bob' if number % 2 else 'Zoe'}, my new number"
            )
            undo = asyncio.create_task(_undo(_undoable(heed_home, chance)))
            await asyncio.sleep(chance.uniform(0, LONGEST_LIFE))
            process.kill()
            await process.wait()
            await undo
        _check(heed_home, phone)
    async with _daemon(device.serial, adb_server):
        async with asyncio.timeout(60):
            while any(not _is_known(action) for action in _actions(heed_home)):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        _check(heed_home, phone)
        await _check_all_can_be_undone(heed_home, phone)


def _number(number: int) -> str:
    return f"+86150{number:08}"


@asynccontextmanager
async def _daemon(serial: str, server: AdbServer) -> AsyncIterator[asyncio.subprocess.Process]:
    """A daemon that monitors the phone; killed at the end, if it still lives."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.agent.mortal", serial),
        env={**os.environ, "ANDROID_ADB_SERVER_PORT": str(server.port)},
    )
    try:
        async with asyncio.timeout(60):
            while not await monitors():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _actions(home: Path) -> list[ActionRecord]:
    """Every action in the journal, with its consent checked: allowed, and begun once."""
    path = home / "data" / "journal.sqlite3"
    if not path.exists():
        return []
    database = Database(path)
    try:
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        entries = Journal(database).timeline(10_000)
    finally:
        database.close()
    found: list[ActionRecord] = []
    for entry in entries:
        if entry.actions:
            assert entry.plan is not None and entry.plan.answer == "once"
            steps = [action.step_index for action in entry.actions]
            assert len(steps) == len(set(steps))
        found += entry.actions
    return found


def _is_known(action: ActionRecord) -> bool:
    return action.state in (ActionState.FINISHED, ActionState.INTERRUPTED, ActionState.UNDONE)


def _took_effect(action: ActionRecord) -> bool:
    kept = action.state in (ActionState.FINISHED, ActionState.INTERRUPTED)
    return kept and action.outcome is not None and action.outcome.kind is OutcomeKind.VERIFIED


def _undoable(home: Path, chance: random.Random) -> ActionRecord | None:
    found = [action for action in _actions(home) if _took_effect(action)]
    return chance.choice(found) if found and chance.random() < 0.5 else None


async def _undo(action: ActionRecord | None) -> None:
    """Ask the daemon to take ``action`` back; it may die over it."""
    if action is not None:
        with contextlib.suppress(PersonError, ConnectionError):
            await control.call(UndoRequest(action=action.id))


def _check(home: Path, phone: VirtualPhone) -> None:
    """Nobody is on the phone twice, and whoever is there was consented to."""
    allowed = {digits(str(action.step.call.parameters["phone_number"])) for action in _actions(home)}
    saved = _saved(phone)
    assert len(saved) == len(set(saved))
    assert set(saved) <= allowed
    for action in _actions(home):
        number = digits(str(action.step.call.parameters["phone_number"]))
        if _took_effect(action):
            assert number in saved, action
        if action.state is ActionState.UNDONE:
            assert number not in saved, action


def _saved(phone: VirtualPhone) -> list[str]:
    """The numbers of the test's people that are on the phone."""
    rows = [row for contact in phone.state.contacts.raw for row in contact.data if row.mimetype == PHONE_TYPE]
    numbers = [digits(row.values.get("data1") or "") for row in rows]
    return [number for number in numbers if number.startswith("150000")]


async def _check_all_can_be_undone(home: Path, phone: VirtualPhone) -> None:
    for action in _actions(home):
        if _took_effect(action):
            await control.call(UndoRequest(action=action.id))
    assert _saved(phone) == []
    assert all(_is_known(action) for action in _actions(home))
