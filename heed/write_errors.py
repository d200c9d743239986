"""The remedy for a file that cannot be written, by the reason that the system gives."""

import errno

from heed.messages import Message, msg

_FULL = msg("The disk is full: make room on it.")
_NOT_ALLOWED = msg("You may not write there: change its permissions, or name another folder.")
_REMEDIES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: msg("Your quota is used up: make room."),
    errno.EROFS: msg("The disk is read-only: name a folder on another one."),
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
}


def write_remedy(error: OSError, otherwise: Message | None = None) -> Message | str:
    """Returns what to do about ``error``; ``otherwise`` (or nothing) for a reason that is not in the table."""
    return _REMEDIES.get(error.errno or 0, otherwise or "")
