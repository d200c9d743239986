"""Installed apps and the state of one.

Checked against ``pm list packages`` (Android 5-7 and 14, plain and with paths) and ``dumpsys package`` of OPPO,
Samsung and a tablet, where several users print their own state.
"""

import re
from datetime import datetime

from android_bridge.commands import quote
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, flag, missing, parser
from heed.messages import msg
from heed.model import Frozen


class Package(Frozen):
    """One installed app, with its state for the phone's first user."""

    name: str
    version: str
    suspended: bool
    """Paused: it shows no notifications and cannot be opened."""
    disabled: bool
    updated: datetime | None
    """When it was last updated, on the phone's wall clock, without a zone."""


_LISTED = re.compile(r"^package:(?:\S.*=)?([A-Za-z][\w.]*)$", re.ASCII)
_NAME = re.compile(r"^  Package \[([\w.]+)\] \(", re.MULTILINE | re.ASCII)
_VERSION = re.compile(r"^    versionName=(.*)$", re.MULTILINE)
_UPDATED = re.compile(r"^    lastUpdateTime=(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$", re.MULTILINE | re.ASCII)
_USER = re.compile(r"^    User 0: (.*)$", re.MULTILINE)
_SUSPENDED = re.compile(r"\bsuspended=(true|false)\b")
_ENABLED = re.compile(r"\benabled=(\d)\b", re.ASCII)
_DISABLED = ("2", "3", "4")
"""``PackageManager.COMPONENT_ENABLED_STATE_DISABLED``, ``…_USER``, ``…_UNTIL_USED``."""


@parser(msg("The list of apps"))
def parse_packages(text: str) -> frozenset[str]:
    """Parses ``pm list packages``, with or without ``-f``."""
    lines = text.splitlines()
    matches = [_LISTED.match(line) for line in lines]
    if not lines or not all(matches):
        raise missing(msg("package in each line"))
    return frozenset(match[1] for match in matches if match)


@parser(msg("The app"))
def parse_package(text: str) -> Package | None:
    """Parses ``dumpsys package NAME``: the first block of the app; None when it is not installed."""
    if re.search(r"^ *Unable to find package: ", text, re.MULTILINE):
        return None
    name = find(_NAME, text, msg("package"))
    block = text[text.index(f"  Package [{name}]") :]
    user = find(_USER, block, msg("state for user 0"))
    suspended = flag(_SUSPENDED, user)
    if suspended is None:
        raise missing(msg("suspended"))
    updated = _UPDATED.search(block)
    return Package(
        name=name,
        version=find(_VERSION, block, msg("versionName")),
        suspended=suspended,
        disabled=find(_ENABLED, user, msg("enabled")) in _DISABLED,
        updated=datetime.fromisoformat(updated[1]) if updated else None,
    )


def package(name: str) -> Reader[Package | None]:
    """Returns the reader of one app."""
    return Reader(f"package.{name}", f"dumpsys package {quote(name)}", parse_package)


# Without a user the command asks for the apps of all, and fails where one of them (Samsung's Secure Folder, a clone of
# Xiaomi's) is closed to adb: docs/android-notes.md, "Permissions of the shell".
PACKAGES = Reader("packages", "pm list packages --user current", parse_packages)
"""All apps of the present user, including those of the system."""
INSTALLED_PACKAGES = Reader("installed_packages", "pm list packages -3 --user current", parse_packages)
"""The apps that the owner installed."""
