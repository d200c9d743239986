"""Libraries of the extra ``channels``, imported when a channel that needs one is used first."""

from importlib import import_module
from types import ModuleType

from heed.errors import UsageError
from heed.messages import msg


def optional(library: str, extra: str) -> ModuleType:
    """Import a library of an extra; ``UsageError`` that names the extra where it is not installed."""
    try:
        return import_module(library)
    except ImportError as error:
        raise UsageError(
            msg("{library} is not installed.", library=library),
            msg("Install heed with it: pip install 'heed-android[{extra}]'.", extra=extra),
        ) from error
