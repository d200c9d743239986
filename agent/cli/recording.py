"""``heed doctor --record``: record a phone, show what was recorded, keep it or delete it."""

import asyncio
import shutil
from pathlib import Path

import typer

from agent.config import Config
from agent.recording.bundle import OUTPUTS, Manifest, require_empty, write_bundle
from agent.recording.recorded import recorded_readers
from agent.recording.recorder import Recording, record
from android_bridge.adb import AdbServer
from android_bridge.device import Device, choose, phones
from heed.errors import DeclinedError
from heed.language import Language
from heed.messages import msg, translate
from heed.printing import say

_KINDS = {
    "IP address": msg("IP addresses"),
    "MAC address": msg("MAC addresses"),
    "account": msg("accounts"),
    "cell": msg("cells of the mobile network"),
    "coordinate": msg("coordinates"),
    "device name": msg("names of devices"),
    "device number": msg("numbers of devices"),
    "e-mail address": msg("e-mail addresses"),
    "identifier": msg("identifiers"),
    "name": msg("names"),
    "network": msg("networks"),
    "phone number": msg("phone numbers"),
    "secret": msg("codes and keys"),
    "serial number": msg("serial numbers"),
    "setting": msg("settings"),
    "text": msg("texts"),
}
"""What the kinds of private values are called."""


def record_phone(settings: Config, folder: Path, *, keep: bool) -> None:
    """Records the chosen phone into ``folder``.

    Args:
        settings: the configuration.
        folder: a new or empty folder.
        keep: True keeps the recording without asking.

    Raises ``DeclinedError`` when the person does not confirm; the recording is then deleted.
    """
    require_empty(folder)
    say(msg("Reading the phone takes about a minute."), settings.language)
    recording = asyncio.run(_record(settings))
    write_bundle(folder, recording.manifest, recording.texts)
    confirmed = False
    try:
        _show(recording.manifest, folder, settings.language)
        confirmed = keep or _asked(settings.language)
    finally:
        if not confirmed:
            shutil.rmtree(folder, ignore_errors=True)
    if not confirmed:
        raise DeclinedError(msg("The recording was deleted."))
    say(msg("Kept in {folder}. Nothing left this machine.", folder=folder), settings.language)


async def _record(settings: Config) -> Recording:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    serial = choose(await phones(server), settings.bridge.serial)
    return await record(Device(server, serial), recorded_readers())


def _asked(language: Language) -> bool:
    try:
        return typer.confirm(translate(msg("Look through the files. Keep the recording?"), language))
    except typer.Abort:  # no terminal, or interrupted
        return False


def _show(manifest: Manifest, folder: Path, language: Language) -> None:
    say(
        msg(
            "{phone}: {count} outputs in {folder}",
            phone=manifest.phone,
            count=len(manifest.outputs),
            folder=folder / OUTPUTS,
        ),
        language,
    )
    counts = (msg("{kind} ({count})", kind=_KINDS[kind], count=count) for kind, count in manifest.replaced.items())
    say(msg("Replaced by invented ones: {counts}.", counts=tuple(counts)), language)
    say(msg("Names of installed apps, times and states are as the phone printed them."), language)
    for one in manifest.not_recorded:
        say(msg("not recorded: {command}: {reason}", command=one.command[:60], reason=one.reason), language)
    for output in manifest.outputs:
        if output.refused:
            say(msg("not understood by heed: {file}", file=output.file), language)
        if output.changed:
            say(msg("not understood after the replacement: {file}", file=output.file), language)
    if not manifest.complete:
        say(msg("The phone went away: the recording holds what was read before."), language)
