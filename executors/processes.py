"""The processes of an app, from ``pidof`` (toybox)."""

import re

from android_bridge.commands import quote
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg

_PIDS = re.compile(r"[\d ]*\n?", re.ASCII)


@parser(msg("The processes of the app"))
def parse_pids(text: str) -> tuple[int, ...]:
    """Parses ``pidof``: process ids; empty when the app does not run."""
    if not _PIDS.fullmatch(text):
        raise missing(msg("list of process ids"))
    return tuple(int(word) for word in text.split())


def processes(package: str) -> Reader[tuple[int, ...]]:
    """Returns the reader of an app's process ids."""
    return Reader(f"processes.{package}", f"pidof {quote(package)}", parse_pids, verified=False)
