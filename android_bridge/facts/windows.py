"""Windows with ``FLAG_SECURE``, which no screenshot shows, from ``dumpsys window windows``.

Checked against Google emulators (Android 9 to 16) and MIUI of 2016; none shows a secure window, so the flag itself
follows ``WindowManager.LayoutParams.FLAG_SECURE`` as ``ViewDebug.FlagToString`` prints it (AOSP).
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser, pieces
from heed.messages import msg

_WINDOW = re.compile(r"^  Window #\d+ Window\{\S+ (?:u\d+ )?(.+)\}:$", re.MULTILINE | re.ASCII)
_FLAGS = re.compile(r"^[ \t]++fl=[A-Z_ ]*\bSECURE\b", re.MULTILINE)
_SHOWN = re.compile(r"^[ \t]++(?:isOnScreen=true|isReadyForDisplay\(\)=true)$", re.MULTILINE)


@parser(msg("The windows"))
def parse_secure_windows(text: str) -> frozenset[str]:
    """Parses ``dumpsys window windows``: titles (``package/activity``) of the secure windows on the screen."""
    starts = list(_WINDOW.finditer(text))
    if not starts:
        raise missing(msg("list of windows"))
    blocks = zip(starts, pieces(starts, text), strict=True)
    return frozenset(start[1] for start, block in blocks if _FLAGS.search(block) and _SHOWN.search(block))


SECURE_WINDOWS = Reader("secure_windows", "dumpsys window windows", parse_secure_windows, verified=False)
