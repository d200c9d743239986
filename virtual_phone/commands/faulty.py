"""The phone's programs, with its faults applied."""

import random
from collections import ChainMap
from collections.abc import Mapping

from virtual_phone.adbd.faults import Faults
from virtual_phone.commands import PROGRAMS
from virtual_phone.shell.call import Program, ProgramCall, thrown

INJECT_EVENTS = (
    "java.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, "
    "if any) to have the INJECT_EVENTS permission."
)
_WRITE_SETTINGS = (
    "java.lang.SecurityException: Permission denial: writing to settings requires:"
    "android.permission.WRITE_SECURE_SETTINGS"
)
_NOISE = 4096
"""Bytes."""


async def _garbled(call: ProgramCall) -> int:
    noise = random.Random(call.name).randbytes(_NOISE)  # noqa: S311 - noise, the same every time
    await call.out(noise)
    return 0


async def _input(call: ProgramCall) -> int:
    verb = next((word for word in call.args if word in ("tap", "swipe", "text", "keyevent", "draganddrop")), "input")
    reply = thrown(verb, INJECT_EVENTS)
    await call.err(reply.stderr)
    return reply.status


async def _settings(call: ProgramCall) -> int:
    verb = call.args[0] if call.args else ""
    if verb not in ("put", "delete", "reset"):
        return await PROGRAMS["settings"](call)
    reply = thrown(verb, _WRITE_SETTINGS)
    await call.err(reply.stderr)
    return reply.status


def programs(faults: Faults) -> Mapping[str, Program]:
    """Every program by name; those that a fault breaks are replaced."""
    broken: dict[str, Program] = dict.fromkeys(faults.garbled, _garbled)
    if faults.refuses_input:
        broken["input"] = _input
    if faults.refuses_settings:
        broken["settings"] = _settings
    return ChainMap(broken, dict(PROGRAMS)) if broken else PROGRAMS
