"""Runs the commands of the readers on a phone and scrubs what it prints; nothing is stored here, nothing sent."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from agent.recording.bundle import Manifest, NotRecorded, RecordedOutput, reads
from agent.recording.outputs import scrub
from agent.recording.stand_ins import StandIns
from android_bridge.device import Device
from android_bridge.facts.properties import PROPERTIES, parse_properties
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import MAX_OUTPUT
from heed.errors import DeviceError
from heed.language import Language
from heed.messages import msg, translate
from heed.redaction import redact

LIMIT_S = 20.0
"""The time limit of each command."""
_AGAIN_S = 5.0


class Recording(NamedTuple):
    """A scrubbed recording, in memory."""

    manifest: Manifest
    texts: dict[str, str]
    """The outputs by command."""


async def record(device: Device, readers: Sequence[Reader[Any]], *, limit: float = LIMIT_S) -> Recording:
    """Runs each command once and returns the scrubbed outputs.

    A command that does not end within ``limit`` seconds, or prints too much, is left out. When the phone goes away,
    what was read so far is returned, and the manifest is not complete.
    """
    printed: dict[str, str] = {}
    left_out: dict[str, str] = {}
    commands = list(dict.fromkeys(reader.command for reader in readers))
    complete = True
    for command in commands:
        try:
            printed[command] = _bounded((await device.shell(command, timeout=limit)).text)
        except DeviceError as error:
            left_out[command] = translate(error.message, Language.EN)
            if not await _is_there(device):
                complete = False
                break
    absent = "the phone went away"
    left_out.update(dict.fromkeys((c for c in commands if c not in printed and c not in left_out), absent))
    return _scrubbed(device.serial, readers, printed, left_out, complete=complete)


def _bounded(text: str) -> str:
    if len(text) > MAX_OUTPUT:
        raise DeviceError(msg("its output is longer than {limit} characters", limit=MAX_OUTPUT))
    return text


async def _is_there(device: Device) -> bool:
    try:
        await device.shell("echo", timeout=_AGAIN_S)
    except DeviceError:
        return False
    return True


def _scrubbed(
    serial: str, readers: Sequence[Reader[Any]], printed: dict[str, str], left_out: dict[str, str], *, complete: bool
) -> Recording:
    stand_ins = StandIns()
    texts = scrub(printed, serial, stand_ins)
    names = _files(readers)
    outputs = tuple(_output(command, names[command], readers, printed[command], texts[command]) for command in texts)
    reasons = scrub(left_out, serial, stand_ins)
    manifest = Manifest(
        phone=_phone(texts.get(PROPERTIES.command, "")),
        complete=complete,
        outputs=outputs,
        not_recorded=tuple(NotRecorded(command=command, reason=reason) for command, reason in reasons.items()),
        replaced={kind: len(values) for kind, values in sorted(stand_ins.kinds.items())},
    )
    return Recording(manifest, texts)


def _output(command: str, file: str, readers: Sequence[Reader[Any]], printed: str, scrubbed: str) -> RecordedOutput:
    own = [reader for reader in readers if reader.command == command]
    before = {reader.name for reader in own if reads(reader, printed)}
    after = {reader.name for reader in own if reads(reader, scrubbed)}
    return RecordedOutput(
        command=command,
        file=file,
        read=tuple(sorted(after)),
        refused=tuple(sorted({reader.name for reader in own} - before)),
        changed=tuple(sorted(before - after)),
    )


def _files(readers: Sequence[Reader[Any]]) -> dict[str, str]:
    """Returns a file name for each command, made of the name of its first reader."""
    files: dict[str, str] = {}
    for reader in readers:
        stem = re.sub(r"[^\w.-]+", "-", reader.name, flags=re.ASCII).strip("-.")
        taken = sum(name == f"{stem}.txt" or name.startswith(f"{stem}--") for name in files.values())
        files.setdefault(reader.command, f"{stem}--{taken + 1}.txt" if taken else f"{stem}.txt")
    return files


def _phone(properties: str) -> str:
    values = parse_properties(properties) if properties else {}
    names = ("ro.product.manufacturer", "ro.product.model", "ro.build.version.release")
    maker, model, release = (values.get(name, "?") for name in names)
    return redact(f"{maker} {model}, Android {release}")
