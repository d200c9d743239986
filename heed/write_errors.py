"""The remedy for a file that cannot be written, by the reason that the system gives."""

import errno

_REMEDIES = {
    errno.ENOSPC: "The disk is full: make room on it.",
    errno.EDQUOT: "Your quota is used up: make room.",
    errno.EROFS: "The disk is read-only: name a folder on another one.",
    errno.EACCES: "You may not write there: change its permissions, or name another folder.",
    errno.EPERM: "You may not write there: change its permissions, or name another folder.",
}


def write_remedy(error: OSError, otherwise: str = "") -> str:
    """Returns what to do about ``error``; ``otherwise`` for a reason that is not in the table."""
    return _REMEDIES.get(error.errno or 0, otherwise)
