"""``heed forget`` leaves nothing of what it was told to delete in any file that heed writes."""

import asyncio
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import JsonValue

from agent.config import load, stored_files
from agent.journal import stores_in
from agent.journal.agenda import AgendaKind
from agent.loop.phone_lock import phone_lock
from agent.maintenance.search_terms import SearchTerms, app_terms
from agent.policy.grants import GrantedStep, Scope
from agent.policy.verdict import Decision, Rule
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from collectors.behaviour_log import BehaviourLog
from collectors.context import Context, Dimension, Fact, LogEntry, Section, Trigger, TriggerKind
from executors.config import ExecutorsConfig
from executors.local_list import LocalList
from heed import paths
from heed.trust import Trust
from models.reasoner import Recommendation
from tests.agent.command import heed, monitors, start, write_config
from virtual_phone import VirtualPhone

OLD, NEW = datetime(2026, 1, 5, 9, tzinfo=UTC), datetime(2026, 2, 5, 9, tzinfo=UTC)
NAME, NUMBER, APP, LABEL, TEXT = "Zoë Quill", "+86 150-2233-4455", "com.tencent.mm", "WeChat", "the zebra eats"
SPELLINGS = ("15022334455", "150 2233 4455", "150-2233-4455")


def bytes_below(home: Path) -> bytes:
    """Every byte of every file in heed's folders, and every name of one."""
    found = sorted(path for path in home.rglob("*") if path.is_file())
    return b"\n".join(str(path).encode() + b"\n" + path.read_bytes() for path in found)


def appearances(home: Path, word: str) -> list[str]:
    """The files below ``home`` in which a word stands, plain or as JSON escapes it."""
    forms = {word.encode(), json.dumps(word)[1:-1].encode()}
    return [str(path) for path in home.rglob("*") if path.is_file() and any(one in path.read_bytes() for one in forms)]


def context(now: datetime, *values: object, trigger: Trigger | None = None) -> Context:
    facts = [
        Fact(name=f"fact.{index}", value=value, source="test", read_at=now, trust=Trust.THIRD_PARTY)
        for index, value in enumerate(values)
    ]
    section = {Dimension.DEVICE.value: Section(facts=tuple(facts))}
    return Context(serial="phone", now=now, trigger=trigger or Trigger(kind=TriggerKind.CLOCK), **section)


def scope(function: str, **parameters: JsonValue) -> Scope:
    return Scope(steps=(GrantedStep(function=function, parameters=parameters),))


def plant(home: Path, now: datetime, *, name: str, number: str, app: str, label: str) -> None:
    """Put marked text into every file that heed writes."""
    config = load()
    with stores_in(config.journal.path) as stores:
        held = Trigger(kind=TriggerKind.SMS_RECEIVED, data={"number": number, "text": f"{name}: {TEXT}"})
        stores.agenda.add(now, "phone", AgendaKind.DEFERRED, held.model_dump(mode="json"))
        stores.agenda.add(now, "phone", AgendaKind.TRIGGER, {"package": app, "title": f"{label} {name}"})
        stores.grants.add("phone", scope("send_sms", to=name), f"Write to {name} in {label}?", now)
        stores.cool_downs.reject([f"send_sms {name}", f"open_app {app}"], timedelta(hours=1))
        seen = context(now, {"contact": name, "number": number, "text": TEXT}, {"package": app, "app": label})
        recommendation = Recommendation(rec=f"Answer {name} in {label}?", topic=f"reply {number}", reasoner="test")
        stores.journal.record_decision(
            stores.journal.record_context(seen),
            now,
            recommendation,
            decision=Decision.SILENT,
            rule=Rule.NO_RECOMMENDATION,
            reason=f"{name} and {label}",
        )
    log = BehaviourLog(config.collectors.behaviour_log)
    log.extend([LogEntry(time=now, location="Home", action=f"wrote to {name} in {label}")])
    executors = ExecutorsConfig()
    note = f"{name} {number} {label} {app}"
    LocalList(executors.ledger).add(f"l{now:%m}", {"amount": 5, "note": note, "date": f"{now:%Y-%m-%d}"})
    LocalList(executors.reminders).add(f"r{now:%m}", {"content": note, "list": "heed"})
    for folder in (config.collectors.frames_folder / "phone", paths.cache_dir() / "prefixes"):
        folder.mkdir(parents=True, exist_ok=True)
        picture = folder / f"{now:%m}.jpg"
        picture.write_bytes(f"{note} {TEXT}".encode())
        os.utime(picture, (now.timestamp(), now.timestamp()))
    # What a process that was killed left behind.
    (paths.data_dir() / f".ledger.jsonl.{now:%m}xyz").write_text(note, encoding="utf-8")
    config.collectors.behaviour_log.with_name("behaviour.jsonl.new").write_text(note, encoding="utf-8")


def plant_innocent(now: datetime) -> None:
    """Entries that no forgetting by app or person concerns."""
    config = load()
    BehaviourLog(config.collectors.behaviour_log).extend([LogEntry(time=now, location="Home", action="set an alarm")])
    LocalList(ExecutorsConfig().ledger).add("innocent", {"amount": 1, "note": "bread", "date": f"{now:%Y-%m-%d}"})
    with stores_in(config.journal.path) as stores:
        stores.grants.add("phone", scope("set_alarm"), "Set an alarm?", now)


async def forget(*arguments: str) -> dict[str, object]:
    ended = await heed("forget", *arguments, "--yes", "--json")
    assert ended.code == 0, ended.err
    assert all(place["left"] == 0 for place in ended.data["places"]), ended.out
    return dict(ended.data)


async def test_an_app_named_as_it_is_shown_is_gone_from_every_file(heed_home: Path) -> None:
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label=LABEL)
    plant_innocent(NEW)
    await forget("--app", "WeChat")
    assert not appearances(heed_home, APP) and not appearances(heed_home, LABEL)
    assert appearances(heed_home, "bread") and appearances(heed_home, "set an alarm")
    assert appearances(heed_home, "Set an alarm?")


async def test_an_app_named_by_its_package_is_gone_with_its_visible_names(heed_home: Path) -> None:
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label=LABEL)
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label="微信")
    await forget("--app", APP)
    for word in (APP, LABEL, "微信"):
        assert not appearances(heed_home, word), word


@pytest.mark.parametrize("who", [NAME, NAME.upper(), "Zoë Quill", "Quill"])
async def test_a_person_is_gone_by_name_however_it_is_written(heed_home: Path, who: str) -> None:
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label=LABEL)
    plant_innocent(NEW)
    await forget("--person", who)
    assert not appearances(heed_home, "Quill")
    assert appearances(heed_home, "bread")


@pytest.mark.parametrize("number", ["15022334455", "+8615022334455", "0150 2233 4455", "(150) 22-33-44-55"])
async def test_a_number_is_gone_in_all_its_spellings(heed_home: Path, number: str) -> None:
    for spelling in SPELLINGS:
        plant(heed_home, NEW, name="Somebody", number=spelling, app=APP, label=LABEL)
    await forget("--person", number)
    for spelling in SPELLINGS:
        assert not appearances(heed_home, spelling), spelling


async def test_a_persons_number_goes_with_the_name_that_the_journal_gives_it(heed_home: Path) -> None:
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label=LABEL)
    log = BehaviourLog(load().collectors.behaviour_log)
    log.append(LogEntry(time=NEW, location="", action="called 150 2233 4455"))
    await forget("--person", NAME)
    assert not appearances(heed_home, "150 2233 4455") and not appearances(heed_home, NUMBER)


async def test_a_date_deletes_from_every_file_what_is_older(heed_home: Path) -> None:
    plant(heed_home, OLD, name="Old Quill", number="+4915550001111", app="com.old", label="Oldapp")
    plant_innocent(NEW)
    log = load().collectors.behaviour_log
    with log.open("a") as file:
        file.write('{"time": "2026-01-06T09:00:00Z", "action": "no place, Old Quill"}\n')
    report = await forget("--before", "2026-01-20")
    left = appearances(heed_home, "Old Quill")
    # Reminders and rejections carry no date: they stay, and that is said.
    assert [Path(path).name for path in left if "journal" not in path] == ["reminders.jsonl"]
    assert any("reminders.jsonl" in str(kept) for kept in report["kept"])  # type: ignore[attr-defined]
    assert appearances(heed_home, "bread")


async def test_everything_leaves_only_what_the_owner_wrote(heed_home: Path) -> None:
    write_config(heed_home, 'language = "en"\n')
    (heed_home / "config" / "profile.yaml").write_text("identity: {full_name: Owner Zebra}\n")
    plant(heed_home, NEW, name=NAME, number=NUMBER, app=APP, label=LABEL)
    report = await forget("--everything")
    assert {path.name for path in heed_home.rglob("*") if path.is_file()} == {"config.toml", "profile.yaml"}
    kept = json.dumps(report["kept"])
    assert "profile.yaml" in kept and "export" in kept


async def test_everything_names_a_file_that_heed_does_not_know(heed_home: Path) -> None:
    stray = heed_home / "data" / "notes-of-a-plugin.txt"
    stray.parent.mkdir(parents=True)
    stray.write_text("something")
    ended = await heed("forget", "--everything", "--yes", "--json")
    assert [place["left"] for place in ended.data["places"] if place["path"] == str(stray)] == [1]
    assert ended.code == 1


async def test_a_profile_that_names_the_person_is_reported(heed_home: Path) -> None:
    profile = heed_home / "config" / "profile.yaml"
    profile.parent.mkdir(parents=True)
    profile.write_text("social_graph:\n  friend: Zoë Quill\n", encoding="utf-8")
    report = await forget("--person", NAME)
    assert "1" in str(next(kept["reason"] for kept in report["kept"] if kept["path"] == str(profile)))  # type: ignore[attr-defined]


async def test_nothing_is_deleted_while_a_command_holds_a_phone(heed_home: Path) -> None:
    with phone_lock("phone", "a phone"):
        ended = await heed("forget", "--everything", "--yes")
    assert ended.code == 1


async def test_an_unreadable_line_that_names_the_person_goes_too(heed_home: Path) -> None:
    log = load().collectors.behaviour_log
    log.parent.mkdir(parents=True)
    log.write_bytes(b'{"time": "broken", "action": "Quill \xff\n{"action": "\\u0051uill"}\n')
    await forget("--person", "Quill")
    assert log.read_bytes() == b""


async def test_deleted_rows_are_overwritten_in_the_file_while_heed_runs(heed_home: Path) -> None:
    path = load().journal.path
    with stores_in(path) as stores:
        stores.grants.add("phone", scope("send_sms"), "Write to Quill?" * 40, NEW)
    with stores_in(path) as stores:
        stores.grants.revoke(stores.grants.entries()[0].id)
    assert b"Quill" not in path.read_bytes()


async def test_every_file_of_a_day_is_in_the_register(
    heed_home: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    daemon = await start("run", port=adb_server.port)
    try:
        async with asyncio.timeout(90):
            while not await monitors():  # noqa: ASYNC110
                await asyncio.sleep(0.2)
            await phone.state.log.followed()
            phone.state.messages.receive("+8615022334455", "How are you?")
            phone.state.open_app("com.google.android.apps.maps")
            await heed("now", port=adb_server.port)
    finally:
        daemon.terminate()
        await daemon.communicate()
    await heed("call", "record_expense", "amount=5", "category=food", "--yes", port=adb_server.port)
    await heed("call", "create_reminder", "content=milk", "--yes", port=adb_server.port)
    await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=adb_server.port)
    await heed("init", "--defaults", port=adb_server.port)
    await heed("console", port=adb_server.port)
    written = [path for path in heed_home.rglob("*") if path.is_file()]
    known = stored_files(load())
    assert {"journal.sqlite3", "ledger.jsonl", "reminders.jsonl", "config.toml"} <= {path.name for path in written}
    assert [path for path in written if not any(one.covers(path) for one in known)] == []


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("Quill", '{"a": "x\\nquill\'s"}', True),
        ("微信", '"\\u5fae\\u4fe1"', True),
        ("微信", '"{\\"app\\": \\"\\\\u5fae\\\\u4fe1\\"}"', True),
        ("Zoë Quill", "Zoe\u0308  Quill", True),
        ("Zoë Quill", "smsto:1?body=Zo%C3%AB+Quill", True),
        ("Quill", "Qu\u200bill", True),
        ("Quill", "Ｑｕｉｌｌ", True),
        ("Ann", "it was planned", False),
        ("Ann", "Ann's", True),
        ("+86 150-2233-4455", "015022334455", True),
        ("150 2233 4455", "tel:+86%20150%202233%204455", True),
        ("12345", "12346", False),
    ],
)
def test_words_are_found_in_every_spelling_and_encoding(term: str, text: str, found: bool) -> None:
    assert SearchTerms((term,)).found_in(text) is found


def test_the_name_of_an_app_is_not_an_ordinary_word() -> None:
    terms = app_terms("com.google.android.dialer", ())
    assert terms.found_in("He opened Phone") and not terms.found_in("He charged his phone")
