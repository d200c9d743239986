"""Scrubs the outputs of all commands: the same value has the same stand-in in each of them."""

import re
from collections.abc import Callable, Mapping

from agent.recording.fields import (
    ACCOUNT,
    DEVICE,
    DEVICE_NAME,
    NETWORK,
    PERSON,
    PHONE,
    SERIAL,
    SETTING,
    TEXT,
    scrub_dump,
)
from agent.recording.notifications import scrub_notifications
from agent.recording.rows import scrub_rows
from agent.recording.screen import scrub_screen, scrub_sockets
from agent.recording.settings import PROPERTIES, SETTINGS, scrub_identity, scrub_pairs, scrub_setting
from agent.recording.shapes import scrub_secrets, scrub_shapes
from agent.recording.stand_ins import StandIns

_FORMS: tuple[tuple[str, Callable[[str, str, StandIns], str]], ...] = (
    ("content query", scrub_rows),
    ("settings list", scrub_pairs(SETTINGS)),
    ("settings get", scrub_setting),
    ("getprop ro.serialno", scrub_identity),
    ("getprop", scrub_pairs(PROPERTIES)),
    ("dumpsys notification", scrub_notifications),
    ("uiautomator dump", scrub_screen),
    ("cat /proc/net/", scrub_sockets),
)
"""Beginnings of commands with the rule for the form of their output; every other output is a dump."""

_EVERYWHERE = frozenset({PERSON, NETWORK, DEVICE_NAME, ACCOUNT, PHONE, SERIAL, DEVICE})
"""Kinds of values that are looked for in every output, wherever they stand; of texts and settings only long ones."""
_SHORTEST_TEXT = 8
_COMMON = frozenset(
    {"android", "bluetooth", "call", "calls", "charging", "default", "device", "google", "headset", "home", "incoming",
     "location", "messages", "mobile", "network", "phone", "samsung", "screen", "shell", "speaker", "system", "usb",
     "user", "wifi", "work", "xiaomi"}
)  # fmt: skip
"""Words of dumps that are nobody's name."""


def scrub(outputs: Mapping[str, str], serial: str, stand_ins: StandIns) -> dict[str, str]:
    """Returns the outputs by command with invented values in place of private ones.

    Args:
        outputs: what each command printed.
        serial: the phone's address as adb lists it.
        stand_ins: remembers the values; ``stand_ins.kinds`` has them afterwards.
    """
    if serial:
        stand_ins.text(serial, SERIAL)
    marked = {command: _by_form(command, text, stand_ins) for command, text in outputs.items()}
    marked = {command: scrub_shapes(text, stand_ins) for command, text in marked.items()}
    everywhere = _pattern(stand_ins)
    marked = {command: everywhere.sub(lambda m: stand_ins.text(m[0], PERSON), text) for command, text in marked.items()}
    return {command: stand_ins.revealed(scrub_secrets(text, stand_ins)) for command, text in marked.items()}


def _by_form(command: str, text: str, stand_ins: StandIns) -> str:
    rule = next((rule for beginning, rule in _FORMS if command.startswith(beginning)), scrub_dump)
    return rule(command, text, stand_ins)


def _pattern(stand_ins: StandIns) -> re.Pattern[str]:
    """Returns the pattern of all values that are replaced wherever they stand, the longest first."""
    values = {value for kind in _EVERYWHERE for value in stand_ins.kinds.get(kind, ())}
    values |= {word for name in stand_ins.kinds.get(PERSON, ()) for word in re.findall(r"\w{3,}", name)}
    values |= {
        value
        for kind in (TEXT, SETTING)
        for value in stand_ins.kinds.get(kind, ())
        if (len(value) >= _SHORTEST_TEXT and not value.isascii()) or " " in value.strip()
    }
    wanted = sorted(filter(_telling, values), key=len, reverse=True)
    return re.compile("|".join(map(_bounded, wanted)) or r"(?!)")


def _telling(value: str) -> bool:
    shortest = 2 if not value.isascii() else 6 if value.isdigit() else 3
    return len(value) >= shortest and value.casefold() not in _COMMON


def _bounded(value: str) -> str:
    before = r"(?<![A-Za-z0-9])" if value[0].isascii() and value[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if value[-1].isascii() and value[-1].isalnum() else ""
    return f"{before}{re.escape(value)}{after}"
