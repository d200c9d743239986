"""Safe command building: every value that a model or a third party may have written goes through here.

``adb shell`` hands one string to ``sh -c`` on the phone, so list arguments on the host protect nothing
(notes: functions.md, D1). A line is built from constant words and quoted values; a value can never be a flag,
a component, a package or a scheme: those come from our tables.
"""

import shlex
from urllib.parse import quote as _percent_encode

from heed.errors import UsageError

MAX_VALUE = 2000
"""Characters; Android's argument and URI limits lie above it."""


def quote(value: str) -> str:
    """``value`` as one word of a POSIX shell line; ``UsageError`` for a NUL or more than 2,000 characters."""
    if "\0" in value:
        raise UsageError("A value with a NUL character cannot be sent to the phone.")
    if len(value) > MAX_VALUE:
        raise UsageError(f"A value of {len(value)} characters is too long for the phone (at most {MAX_VALUE}).")
    return shlex.quote(value.replace("\r\n", "\n").replace("\r", "\n"))


def encode(value: str) -> str:
    """``value`` percent-encoded as one component of a URI."""
    if "\0" in value:
        raise UsageError("A value with a NUL character cannot be put into a URI.")
    if len(value) > MAX_VALUE:
        raise UsageError(f"A value of {len(value)} characters is too long for a URI (at most {MAX_VALUE}).")
    return _percent_encode(value, safe="")
