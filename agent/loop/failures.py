"""Sentences for the failures that end a phone's monitoring, for status, console and log."""

import errno

from heed.errors import PersonError
from heed.messages import Text, msg, sentences


def failure_text(error: BaseException) -> Text:
    """Returns why a phone is not monitored now, and what to do, as text for the owner."""
    cause = _innermost(error)
    if isinstance(cause, PersonError):
        return cause.text
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return sentences(msg("The disk is full."), msg("Free some space; heed goes on by itself."))
    return sentences(
        msg("heed has a mistake ({error}).", error=type(cause).__name__),
        msg("heed tries again by itself; the log has more."),
    )


def _innermost(error: BaseException) -> BaseException:
    """The first error of a group, which several tasks at once raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
