"""The checks of ``heed doctor``: each with its result and, where needed, a fix."""

import asyncio
import platform
from collections.abc import AsyncIterator, Callable
from enum import StrEnum

import adbutils

from agent.channels.registry import load_services
from agent.compose import compose, declared_situations, open_stores
from agent.config import Config
from agent.loop import control_socket as control
from agent.maintenance.forget import require_no_daemon
from android_bridge.adb import AdbServer, DeviceEntry
from android_bridge.device import Device, phones
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.packages import PACKAGES
from android_bridge.on_phone import left_on, remove_from
from collectors.behaviour_log import BehaviourLog
from collectors.profile import load_profile
from collectors.source import load_sources
from executors.registry import incapable_functions
from executors.taught.pool import known_executors
from heed import paths
from heed.errors import PersonError
from heed.messages import Text, clauses, msg
from heed.model import Frozen
from models.config import ReasonerKind
from models.llama.files import locate
from models.routines.rules.situations import switched_on

_SERVICE_SECONDS = 15.0
"""Deadline of one question to a channel's service."""


class CheckResult(StrEnum):
    """The result of one check."""

    OK = "ok"
    WARNING = "warning"
    """heed works, with a limitation."""
    ERROR = "error"


class Check(Frozen):
    """One check with its result."""

    name: Text
    result: CheckResult
    found: Text
    fix: Text = ""


async def run_checks(config: Config) -> AsyncIterator[Check]:
    """Yield every check, each after those that it depends on."""
    yield Check(
        name=msg("python"),
        result=CheckResult.OK,
        found=msg(
            "{python_version} on {machine}", python_version=platform.python_version(), machine=platform.machine()
        ),
    )
    yield _adb()
    server = AdbServer(config.bridge)
    try:
        await server.ensure_running()
        entries = await phones(server)
    except PersonError as error:
        yield Check(name=msg("adb server"), result=CheckResult.ERROR, found=error.message, fix=error.remedy)
        entries = []
    else:
        yield Check(
            name=msg("adb server"),
            result=CheckResult.OK,
            found=msg("{host}:{port}", host=config.bridge.host, port=config.bridge.port),
        )
        if not entries:
            yield Check(
                name=msg("phone"),
                result=CheckResult.ERROR,
                found=msg("none"),
                fix=msg("Connect one with USB debugging on, or `heed phone`."),
            )
    for entry in entries:
        yield await _phone(server, entry)
        if entry.state == "device":
            yield await _functions(config, Device(server, entry.serial))
            async for check in _excluded(config, Device(server, entry.serial)):
                yield check
            yield await _on_phone(config, Device(server, entry.serial))
    yield await _decisions(config)
    async for check in _channels(config):
        yield check
    for local in (_journal, _profile, _log, _reasoner, _folders):
        yield _checked(local, config)


async def clean_phones(config: Config) -> dict[str, tuple[str, ...]]:
    """Remove what heed has put on each connected phone (or on the chosen one); what is left there, by serial.

    Raises ``PersonError`` while a daemon is running, which may be using it.
    """
    require_no_daemon()
    server = AdbServer(config.bridge)
    await server.ensure_running()
    chosen = config.bridge.serial
    serials = [one.serial for one in await phones(server) if one.state == "device" and chosen in ("", one.serial)]
    left = {serial: await remove_from(Device(server, serial), config.console.phone_port) for serial in serials}
    return {serial: tuple(item.name for item in items) for serial, items in left.items()}


def _adb() -> Check:
    try:
        return Check(name=msg("adb"), result=CheckResult.OK, found=str(adbutils.adb_path()))
    except adbutils.AdbError:
        return Check(
            name=msg("adb"), result=CheckResult.ERROR, found=msg("none"), fix=msg("Install Android's platform tools.")
        )


async def _phone(server: AdbServer, entry: DeviceEntry) -> Check:
    name = msg("phone {serial}", serial=entry.serial)
    if entry.state != "device":
        return Check(
            name=name, result=CheckResult.ERROR, found=entry.state, fix=msg("Unlock it and allow USB debugging.")
        )
    try:
        model, version = await Device(server, entry.serial).batch(
            ["getprop ro.product.model", "getprop ro.build.version.release"]
        )
        await Device(server, entry.serial).read(CLOCK)
    except PersonError as error:
        return Check(name=name, result=CheckResult.ERROR, found=error.message, fix=error.remedy)
    return Check(
        name=name,
        result=CheckResult.OK,
        found=msg("{stdout}, Android {other_stdout}", stdout=model.stdout.strip(), other_stdout=version.stdout.strip()),
    )


async def _functions(config: Config, device: Device) -> Check:
    """Probe which functions this phone cannot carry out; they are not offered to the reasoner."""
    name = msg("functions on {serial}", serial=device.serial)
    executors = known_executors(config.executors)
    try:
        cannot = await incapable_functions(executors, device, writes=True)
    except PersonError as error:
        return Check(name=name, result=CheckResult.ERROR, found=error.message, fix=error.remedy)
    able = len(executors) - len(cannot)
    if not cannot:
        return Check(
            name=name,
            result=CheckResult.OK,
            found=msg("{able} of {count} can be carried out", able=able, count=len(executors)),
        )
    found = msg(
        "{able} of {count} can be carried out, but not {cannot}", able=able, count=len(executors), cannot=sorted(cannot)
    )
    reasons = clauses(
        msg("{function}: {reason}", function=function, reason=reason) for function, reason in sorted(cannot.items())
    )
    return Check(name=name, result=CheckResult.WARNING, found=found, fix=reasons)


async def _decisions(config: Config) -> Check:
    """Make all that a decision needs, as every command does; what is refused there is refused here."""
    name = msg("decisions")
    try:
        async with compose(config) as runtime:
            load_sources(runtime.config.collectors)
            situations = len(declared_situations(config))
    except PersonError as error:
        return Check(name=name, result=CheckResult.ERROR, found=error.message, fix=error.remedy)
    return Check(
        name=name,
        result=CheckResult.OK,
        found=msg("{functions} functions, {situations} situations", functions=len(runtime.pool), situations=situations),
    )


async def _excluded(config: Config, device: Device) -> AsyncIterator[Check]:
    """Warn of excluded packages that are not on a phone: most likely one is misspelt."""
    try:
        installed = await device.read(PACKAGES)
    except PersonError:
        return
    if absent := sorted(config.collectors.excluded_apps - installed):
        yield Check(
            name=msg("excluded apps on {serial}", serial=device.serial),
            result=CheckResult.WARNING,
            found=msg("not installed: {apps}", apps=absent),
            fix=msg(
                "Look for a misspelt one in `collectors.excluded_apps`; "
                "`adb shell pm list packages --user current` lists all."
            ),
        )


async def _on_phone(config: Config, device: Device) -> Check:
    """List what heed has put on this phone and not removed."""
    name = msg("left on {serial}", serial=device.serial)
    try:
        items = await left_on(device, config.console.phone_port)
    except PersonError as error:
        return Check(name=name, result=CheckResult.ERROR, found=error.message, fix=error.remedy)
    if not items:
        return Check(name=name, result=CheckResult.OK, found=msg("nothing of heed"))
    found = msg("{items}", items=tuple(item.name for item in items))
    fix = msg("Unless `heed run` is using it, `heed doctor --clean-phone` removes it.")
    return Check(name=name, result=CheckResult.WARNING, found=found, fix=fix)


async def _channels(config: Config) -> AsyncIterator[Check]:
    """Ask the service of each channel that is switched on whether it can be used as configured."""
    try:
        loaded = load_services(config.channels)
    except PersonError as error:
        yield Check(name=msg("channels"), result=CheckResult.ERROR, found=error.message, fix=error.remedy)
        return
    for service in (one.service for one in loaded):
        name = msg("channel {name}", name=service.name)
        try:
            async with asyncio.timeout(_SERVICE_SECONDS):
                await service.check()
        except PersonError as error:
            yield Check(name=name, result=CheckResult.WARNING, found=error.message, fix=error.remedy)
        except TimeoutError:
            yield Check(name=name, result=CheckResult.WARNING, found=msg("The service did not answer in time."))
        else:
            yield Check(name=name, result=CheckResult.OK, found=msg("working"))
        finally:
            await service.aclose()


def _checked(check: Callable[[Config], Check], config: Config) -> Check:
    """Run one check; a ``PersonError`` that it raises becomes its result."""
    try:
        return check(config)
    except PersonError as error:
        name = check.__name__.strip("_")
        return Check(name=name, result=CheckResult.ERROR, found=error.message, fix=error.remedy)


def _journal(config: Config) -> Check:
    with open_stores(config) as stores:
        count = len(stores.journal.timeline(1))
    path = str(config.journal.path)
    return Check(
        name=msg("journal"), result=CheckResult.OK, found=path if count else msg("{path} is empty so far", path=path)
    )


def _profile(config: Config) -> Check:
    path = config.collectors.profile
    if not path.exists():
        return Check(
            name=msg("profile"),
            result=CheckResult.WARNING,
            found=msg("there is no {path}", path=path),
            fix=msg("`heed init` writes one."),
        )
    return Check(
        name=msg("profile"),
        result=CheckResult.OK,
        found=msg("{path} tells {count} facts", path=path, count=len(load_profile(path).leaves)),
    )


def _log(config: Config) -> Check:
    log = BehaviourLog(config.collectors.behaviour_log)
    entries, faults = log.entries(), log.faults()
    name, path = msg("behaviour log"), config.collectors.behaviour_log
    if faults:
        found = msg(
            "{path} holds {count} lines, of which {faults_count} are broken",
            path=path,
            count=len(entries),
            faults_count=len(faults),
        )
        return Check(
            name=name,
            result=CheckResult.WARNING,
            found=found,
            fix=msg("Line {line}: {reason}", line=faults[0].line, reason=faults[0].reason),
        )
    found = msg("{path} holds {count} lines", path=path, count=len(entries))
    if not entries:
        return Check(
            name=name, result=CheckResult.WARNING, found=found, fix=msg("Habits come with use; nothing to do.")
        )
    return Check(name=name, result=CheckResult.OK, found=found)


def _reasoner(config: Config) -> Check:
    kind = config.models.reasoner
    if kind is ReasonerKind.ROUTINES:
        situations = len(switched_on(declared_situations(config), config.models.routines.situations))
        return Check(
            name=msg("reasoner"),
            result=CheckResult.OK,
            found=msg("routines, situations on: {situations}", situations=situations),
        )
    if kind is ReasonerKind.LLAMA and not config.models.llama.model:
        return Check(
            name=msg("reasoner"),
            result=CheckResult.ERROR,
            found=msg("llama without a model"),
            fix=msg("Set models.llama.model."),
        )
    if kind is ReasonerKind.LLAMA and not config.models.llama.model.startswith("hf:"):
        locate(config.models.llama)
    where = config.models.llama.model if kind is ReasonerKind.LLAMA else config.models.openai.base_url
    return Check(
        name=msg("reasoner"),
        result=CheckResult.WARNING,
        found=msg("{kind}: {where}", kind=kind, where=where),
        fix=msg("`heed model check` tries it."),
    )


def _folders(config: Config) -> Check:
    places = (config.collectors.frames_folder.parent, paths.runtime_dir())
    for place in places:
        paths.create_folder(place)
    control.require_short(control.socket_path())
    return Check(name=msg("folders"), result=CheckResult.OK, found=", ".join(str(place) for place in places))
