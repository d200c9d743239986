"""How much a test tries: little by default, everything when ``HEED_PROVE=1`` (``make prove``)."""

import os

PROVING = bool(os.environ.get("HEED_PROVE"))


def examples(few: int, full: int = 0) -> int:
    """The number of examples to try: ``few``, or ``full`` (by default a hundred times as many) when proving."""
    return (full or 100 * few) if PROVING else few
