"""heed's own notification on the phone; a tap on it opens the consent page in the phone's browser.

``cmd notification post`` posts as the shell's app with the fixed id 2020, so the tag is the only key. With ``-c`` the
next word without a dash is read as the address of the tap: it must stand directly before the tag. No command removes a
notification, and posting it again empty would alert again; a snoozed one is hidden.

Source: AOSP ``NotificationShellCmd.java`` (android-14); docs/android-notes.md, "heed's notification".
"""

from android_bridge.commands import quote

PACKAGE = "com.android.shell"
_ID, _UID = 2020, 2000
_TAG = "heed-"
_LONGEST = 300
"""Characters of the text that are shown; the page shows all of it."""
_OUT_OF_SIGHT_MS = 30 * 24 * 3600 * 1000


def tag(number: int) -> str:
    """Returns the tag of consent notification ``number``."""
    return f"{_TAG}{number}"


def is_ours(package: str, name: str | None) -> bool:
    """Whether a notification is one of heed's."""
    return package == PACKAGE and (name or "").startswith(_TAG)


def post(name: str, title: str, text: str, url: str) -> str:
    """Returns the line that posts or updates a notification.

    ``url`` must be an address of heed's console: Android opens it on a tap with the system's permissions.
    """
    shown = quote(text[:_LONGEST])
    tap = f" -c activity -a android.intent.action.VIEW {quote(url)}"
    return f"cmd notification post -t {quote(title)} -S bigtext --bigtext {shown}{tap} {name} {shown}"


def withdraw(name: str) -> str:
    """Returns the line that hides a notification for 30 days."""
    return f"cmd notification snooze --for {_OUT_OF_SIGHT_MS} {quote(_key(name))}"


def _key(name: str) -> str:
    """Android's key of the notification: ``user|package|id|tag|uid``."""
    return f"0|{PACKAGE}|{_ID}|{name}|{_UID}"
