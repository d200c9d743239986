"""``heed teach`` and ``heed do`` as a person runs them, on a virtual phone behind the real adb server."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from executors.steps.vocabulary import STEPS
from executors.taught.task import TaughtTask
from executors.taught.tasks import TaughtTasks
from tests.agent.command import TIMEOUT, Ended, heed, says_one_sentence
from tests.agent.teaching.person import REACTION_S, Deed, Person
from tests.phones import START
from virtual_phone import VirtualPhone

CONTACT = (("tap", "Create contact"), ("tap", "Name"), ("type", "Bo"), ("tap", "Save"))


async def teaching(phone: VirtualPhone, port: int, deeds: Sequence[Deed], *arguments: str) -> Ended:
    """Runs ``heed teach`` and does each deed when a line says that the one before was seen; then presses Enter."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-m", "heed", "teach", *arguments),
        env={**os.environ, "ANDROID_ADB_SERVER_PORT": str(port)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    person, lines = Person(phone, deeds), []
    try:
        async with asyncio.timeout(TIMEOUT):
            for kind, *words in deeds:
                if not (line := await process.stdout.readline()):
                    break
                lines.append(line)
                await asyncio.sleep(REACTION_S)
                person.do(kind, *words)
            lines.append(await process.stdout.readline())
            out, err = await process.communicate(b"\n")
    finally:
        if process.returncode is None:
            process.kill()
    return Ended(process.returncode or 0, b"".join([*lines, out]).decode(), err.decode())


async def test_a_task_is_taught_listed_played_and_forgotten(
    adb_server: AdbServer, device: Device, phone: VirtualPhone, heed_home: Path
) -> None:
    port = adb_server.port
    ended = await teaching(phone, port, CONTACT, "friend", "--app", "Contacts", "--slot", "name=Bo")
    assert ended.code == 0, ended.err
    assert "Typed into “name”: Bo" in ended.out
    assert "It stops before “Save”" in ended.out
    assert "2. Types “{name}” into “name”." in ended.out
    assert [one["name"] for one in (await heed("teach", "--list", "--json")).data] == ["friend"]
    assert "friend name=…" in (await heed("teach", "friend", "--show")).out
    file = heed_home / "data" / "taught" / "friend.yaml"
    assert file.stat().st_mode & 0o077 == 0
    assert "Bo" not in file.read_text("utf-8")

    listed = [one["name"] for one in (await heed("functions", "--json")).data]
    assert listed[-1] == "taught_friend"
    shown = await heed("do", "friend", "name=Ada Lovelace", "--dry-run", "--json", port=port)
    assert shown.code == 0, shown.err
    [call] = shown.data["read"]["calls"]
    assert (call["name"], call["parameters"]) == ("taught_friend", {"name": "Ada Lovelace"})
    asked = await heed("do", "friend", "--dry-run", port=port)
    assert "heed would ask: Name?" in asked.out
    refused = await heed("do", "friend", "name=Ada", port=port)
    assert refused.code == 4  # nobody allowed it
    assert phone.state.apps.foreground.screen == "contacts"  # as the person left it
    done = await heed("call", "taught_friend", "name=Ada Lovelace", "--yes", port=port)
    assert done.code == 0, done.err
    assert "“Save”, is yours" in done.out
    assert phone.state.apps.foreground.fields["name"] == "Ada Lovelace"
    log = (heed_home / "data" / "behaviour.jsonl").read_text("utf-8")
    assert "had heed do the taught task friend name=Ada Lovelace" in log

    assert (await heed("teach", "friend", "--forget")).code == 0
    assert not file.exists()
    assert (await heed("call", "taught_friend", "--dry-run", port=port)).code == 2


async def test_a_second_time_finds_what_differs(
    adb_server: AdbServer, device: Device, phone: VirtualPhone, heed_home: Path
) -> None:
    port = adb_server.port
    assert (await teaching(phone, port, CONTACT, "friend", "--app", "Contacts")).code == 0
    assert (await heed("teach", "friend", "--app", "Contacts", port=port)).code == 2
    other = (*CONTACT[:2], ("type", "Cleo"), CONTACT[3])
    ended = await teaching(phone, port, other, "friend", "--again")
    assert ended.code == 0, ended.err
    assert "friend name=…" in ended.out
    wrong = await teaching(phone, port, (CONTACT[0], CONTACT[3]), "friend", "--again")
    assert wrong.code == 1
    assert "you did something else" in wrong.err
    assert "friend name=…" in (await heed("teach", "friend", "--show")).out


async def test_what_cannot_be_taught_is_said_in_one_sentence(
    adb_server: AdbServer, device: Device, phone: VirtualPhone
) -> None:
    for arguments in (("Water Plants", "--app", "Contacts"), ("water",), ("water", "--show"), ("water", "--again")):
        ended = await heed("teach", *arguments, port=adb_server.port)
        assert ended.code == 2
        assert says_one_sentence(ended)
    nobody = await heed("teach", "water", "--app", "Contacts", port=adb_server.port)
    assert nobody.code == 2
    assert "no terminal" in nobody.err
    missing = await heed("teach", "water", "--app", "Nowhere", port=adb_server.port)
    assert missing.code == 1
    assert says_one_sentence(missing)


async def test_forgetting_an_app_deletes_what_was_taught_in_it(heed_home: Path) -> None:
    folder = heed_home / "data" / "taught"
    typed = {"do": "type", "view": {"id": "name"}, "name": {"en": "it", "zh": "它"}, "text": "Bo"}
    finish = {"do": "finish", "before": [{"id": "name"}], "reached": {"en": "Done.", "zh": "完成。"}}
    steps = STEPS.validate_python([typed, finish])
    task = TaughtTask(name="friend", app="com.google.android.contacts", languages=("en",), taught=START, steps=steps)
    for scope in (("--person", "Bo"), ("--app", task.app), ("--everything",)):
        TaughtTasks(folder).save(task)
        assert (await heed("forget", "--person", "Nobody Here", "--yes")).code == 0
        assert (folder / "friend.yaml").exists()
        assert (await heed("forget", *scope, "--yes")).code == 0
        assert not (folder / "friend.yaml").exists()
