"""What the owner can do when the phone refuses a command, by Android's own words and the phone's maker."""

from collections.abc import Mapping

from heed.messages import Message, Text, msg

_PERMISSIONS = ("INJECT_EVENTS", "WRITE_SECURE_SETTINGS", "GRANT_RUNTIME_PERMISSIONS")
"""What some makers take from the shell (docs/android-notes.md, "Vendor switches")."""
_SECURITY_SETTINGS = msg('In the developer options, turn on "USB debugging (Security settings)".')
_PERMISSION_MONITORING = msg('In the developer options, turn on "Disable permission monitoring".')
_SWITCHES: Mapping[str, Message] = {
    "xiaomi": _SECURITY_SETTINGS,
    "oppo": _PERMISSION_MONITORING,
    "realme": _PERMISSION_MONITORING,
}
"""Maker (``ro.product.manufacturer``) → the switch that gives the permissions back."""
_ANY_SWITCH = msg(
    'In the developer options, turn on "USB debugging (Security settings)" (Xiaomi) or "Disable permission monitoring" '
    "(OPPO, realme); other phones may not let USB debugging do this at all."
)
_BY_HAND = msg("This phone does not let USB debugging do it: do it on the phone.")
_TOO_OLD = msg("This phone's Android is too old for it.")
_REMEDIES: tuple[tuple[str, Message], ...] = (
    ("SecurityException", _BY_HAND),
    ("Security exception", _BY_HAND),
    ("Permission Denial", _BY_HAND),
    ("unable to resolve Intent", msg("No app on the phone opens this.")),
    ("inaccessible or not found", _TOO_OLD),
    ("No shell command implementation", _TOO_OLD),
)
"""The remedy for each sign in Android's message, the first that fits."""


def remedy(said: str, maker: str = "") -> Text:
    """Returns the remedy for a refusal; empty where heed knows none.

    Args:
        said: Android's words (``ShellResult.rejected``).
        maker: ``ro.product.manufacturer``; empty where it is not known.
    """
    if any(permission in said for permission in _PERMISSIONS):
        return _SWITCHES.get(maker.casefold(), _BY_HAND) if maker else _ANY_SWITCH
    return next((words for sign, words in _REMEDIES if sign in said), "")
