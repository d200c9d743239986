"""``heed doctor``: check, verdict, fix."""

import platform
from collections.abc import AsyncIterator, Callable
from enum import StrEnum

import adbutils

from agent.compose import open_books
from agent.config import Config
from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.device import Device, phones
from android_bridge.facts.clock import CLOCK
from collectors.behaviour_log import BehaviourLog
from collectors.profile import load_profile
from executors.registry import incapable_functions, load_executors
from heed import paths
from heed.errors import PersonError
from heed.messages import Text, clauses, msg
from heed.model import Frozen
from models.config import ReasonerKind


class Verdict(StrEnum):
    OK = "ok"
    NOTE = "note"
    """Works, but the person may want to know."""
    BAD = "bad"


class Check(Frozen):
    """One thing that was looked at."""

    name: Text
    verdict: Verdict
    found: Text
    fix: Text = ""


async def examine(config: Config) -> AsyncIterator[Check]:
    """Every check, in the order in which one depends on the other."""
    yield Check(name="python", verdict=Verdict.OK, found=f"{platform.python_version()} on {platform.machine()}")
    yield _adb()
    server = AdbServer(config.bridge)
    try:
        await server.ensure_running()
        entries = await phones(server)
    except PersonError as error:
        yield Check(name="adb server", verdict=Verdict.BAD, found=error.message, fix=error.remedy)
        entries = []
    else:
        yield Check(name="adb server", verdict=Verdict.OK, found=f"{config.bridge.host}:{config.bridge.port}")
        if not entries:
            yield Check(
                name="phone",
                verdict=Verdict.BAD,
                found="none",
                fix="Connect one with USB debugging on, or `heed phone`.",
            )
    for entry in entries:
        yield await _phone(server, entry)
        if entry.state == "device":
            yield await _functions(config, Device(server, entry.serial))
    for check in (_journal, _profile, _log, _model, _folders):
        yield _told(check, config)


def _adb() -> Check:
    try:
        return Check(name="adb", verdict=Verdict.OK, found=str(adbutils.adb_path()))
    except adbutils.AdbError:
        return Check(name="adb", verdict=Verdict.BAD, found="none", fix="Install Android's platform tools.")


async def _phone(server: AdbServer, entry: DeviceEntry) -> Check:
    name = f"phone {entry.serial}"
    if entry.state != "device":
        return Check(name=name, verdict=Verdict.BAD, found=entry.state, fix="Unlock it and allow USB debugging.")
    try:
        model, version = await Device(server, entry.serial).batch(
            ["getprop ro.product.model", "getprop ro.build.version.release"]
        )
        await Device(server, entry.serial).read(CLOCK)
    except PersonError as error:
        return Check(name=name, verdict=Verdict.BAD, found=error.message, fix=error.remedy)
    return Check(name=name, verdict=Verdict.OK, found=f"{model.stdout.strip()}, Android {version.stdout.strip()}")


async def _functions(config: Config, device: Device) -> Check:
    """Which functions this phone cannot carry out, as probed; they are hidden from the reasoner."""
    name = f"functions on {device.serial}"
    executors = load_executors(config.executors)
    try:
        cannot = await incapable_functions(executors, device, writes=True)
    except PersonError as error:
        return Check(name=name, verdict=Verdict.BAD, found=error.message, fix=error.remedy)
    able = len(executors) - len(cannot)
    if not cannot:
        return Check(name=name, verdict=Verdict.OK, found=f"{able} of {len(executors)} can be carried out")
    found = f"{able} of {len(executors)} can be carried out, but not {', '.join(sorted(cannot))}"
    reasons = clauses(
        msg("{function}: {reason}", function=function, reason=reason) for function, reason in sorted(cannot.items())
    )
    return Check(name=name, verdict=Verdict.NOTE, found=found, fix=reasons)


def _told(check: Callable[[Config], Check], config: Config) -> Check:
    """A check's result; what it raises is its verdict."""
    try:
        return check(config)
    except PersonError as error:
        name = check.__name__.strip("_")
        return Check(name=name, verdict=Verdict.BAD, found=error.message, fix=error.remedy)


def _journal(config: Config) -> Check:
    with open_books(config) as books:
        count = len(books.journal.timeline(1))
    path = str(config.journal.path)
    return Check(name="journal", verdict=Verdict.OK, found=path if count else f"{path} is empty so far")


def _profile(config: Config) -> Check:
    path = config.collectors.profile
    if not path.exists():
        return Check(name="profile", verdict=Verdict.NOTE, found=f"there is no {path}", fix="`heed init` writes one.")
    return Check(name="profile", verdict=Verdict.OK, found=f"{path} tells {len(load_profile(path).leaves)} facts")


def _log(config: Config) -> Check:
    log = BehaviourLog(config.collectors.behaviour_log)
    entries, faults = log.entries(), log.faults()
    name, path = "behaviour log", config.collectors.behaviour_log
    if faults:
        found = f"{path} holds {len(entries)} lines, of which {len(faults)} are broken"
        return Check(
            name=name,
            verdict=Verdict.NOTE,
            found=found,
            fix=msg("Line {line}: {reason}", line=faults[0].line, reason=faults[0].reason),
        )
    found = f"{path} holds {len(entries)} lines"
    if not entries:
        return Check(name=name, verdict=Verdict.NOTE, found=found, fix="Habits come with use; nothing to do.")
    return Check(name=name, verdict=Verdict.OK, found=found)


def _model(config: Config) -> Check:
    kind = config.models.reasoner
    if kind is ReasonerKind.ROUTINES:
        situations = len(config.models.routines.situations)
        return Check(name="reasoner", verdict=Verdict.OK, found=f"routines, situations on: {situations}")
    if kind is ReasonerKind.LLAMA and not config.models.llama.model:
        return Check(name="reasoner", verdict=Verdict.BAD, found="llama without a model", fix="Set models.llama.model.")
    where = config.models.llama.model if kind is ReasonerKind.LLAMA else config.models.openai.base_url
    return Check(name="reasoner", verdict=Verdict.NOTE, found=f"{kind}: {where}", fix="`heed model check` tries it.")


def _folders(config: Config) -> Check:
    places = (config.collectors.frames_folder.parent, paths.runtime_dir())
    for place in places:
        paths.made(place)
    return Check(name="folders", verdict=Verdict.OK, found=", ".join(str(place) for place in places))
