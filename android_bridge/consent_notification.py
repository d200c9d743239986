"""heed's own notifications on the phone: a question, whose tap opens the consent page in its browser, and notices.

``cmd notification post`` posts as the shell's app with the fixed id 2020, so the tag is the only key. With ``-c`` the
next word without a dash is read as the address of the tap: it must stand directly before the tag. No command removes a
notification, and posting it again empty would alert again; a snoozed one is hidden.

Source: AOSP ``NotificationShellCmd.java`` (android-14); docs/android-notes.md, "heed's notification".
"""

import secrets
from typing import Protocol

from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.facts.notifications import NOTIFICATIONS

PACKAGE = "com.android.shell"
_ID, _UID = 2020, 2000
_TAG = "heed-"
_LONGEST = 300
"""Characters of the text that are shown; the page shows all of it."""
_OUT_OF_SIGHT_MS = 30 * 24 * 3600 * 1000


def new_tag(number: int) -> str:
    """Returns a tag for the question about plan ``number``; other apps cannot guess it."""
    return f"{_TAG}{number}-{secrets.token_hex(8)}"


async def show_notice(device: Device, kind: str, title: str, text: str) -> None:
    """Makes ``text`` the only notice of a kind (a word) on the phone; empty = none. One that is shown is left alone.

    A hidden notification stays hidden when it is posted again, so each notice has a tag of its own.
    """
    prefix = f"{_TAG}{kind}-"
    items = (await device.read(NOTIFICATIONS)).items
    notices = [one for one in items if is_ours(one.package, one.tag) and (one.tag or "").startswith(prefix)]
    for one in notices:
        if one.text != text:
            await device.shell(withdraw(one.tag or ""))
    if text and all(one.text != text for one in notices):
        await device.shell(post(f"{prefix}{secrets.token_hex(8)}", title, text))


class NotificationIdentity(Protocol):
    """The identity of a notification in the phone's event log."""

    @property
    def package(self) -> str: ...

    @property
    def id(self) -> int: ...

    @property
    def tag(self) -> str | None: ...

    @property
    def user(self) -> int: ...


def is_same(event: NotificationIdentity, name: str) -> bool:
    """Whether an event is about heed's notification with the tag ``name``.

    Any app may use any tag; the package, which Android fills in, is what no app can choose.
    """
    return (event.package, event.id, event.tag, event.user) == (PACKAGE, _ID, name, 0)


def is_ours(package: str, name: str | None) -> bool:
    """Whether a notification is one of heed's."""
    return package == PACKAGE and (name or "").startswith(_TAG)


async def is_shown(device: Device, name: str) -> bool:
    """Whether the phone lists heed's notification with the tag ``name``."""
    return any(is_ours(one.package, one.tag) and one.tag == name for one in (await device.read(NOTIFICATIONS)).items)


def post(name: str, title: str, text: str, url: str = "") -> str:
    """Returns the line that posts or updates a notification.

    ``url`` must be an address of heed's console: Android opens it on a tap with the system's permissions. Without one a
    tap does nothing.
    """
    shown = quote(text[:_LONGEST])
    tap = f" -c activity -a android.intent.action.VIEW {quote(url)}" if url else ""
    return f"cmd notification post -t {quote(title)} -S bigtext --bigtext {shown}{tap} {name} {shown}"


def withdraw(name: str) -> str:
    """Returns the line that hides a notification for 30 days."""
    return f"cmd notification snooze --for {_OUT_OF_SIGHT_MS} {quote(_key(name))}"


def _key(name: str) -> str:
    """Android's key of the notification: ``user|package|id|tag|uid``."""
    return f"0|{PACKAGE}|{_ID}|{name}|{_UID}"
