"""What a failure of the daemon's own is called in status, console and log."""

import errno

from heed.errors import PersonError
from heed.unicode import valid_text

_REMEDY = "heed tries again by itself; the log has more."


def failure_text(error: BaseException) -> str:
    """One sentence for the owner about why a phone is not monitored now, and what to do."""
    cause = _innermost(error)
    if isinstance(cause, PersonError):
        return valid_text(str(cause))
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return str(PersonError("The disk is full.", "Free some space; heed goes on by itself."))
    return str(PersonError(f"heed has a mistake ({type(cause).__name__}).", _REMEDY))


def _innermost(error: BaseException) -> BaseException:
    """The first error of a group, which several tasks at once raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
