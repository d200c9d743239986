"""The three settings tables.

Checked against ``settings list`` of Android 11-12 (AOSP emulator) and 14 (Xiaomi HyperOS): values may be ``null``,
empty, JSON with ``=``, or certificates over several lines.
"""

import re
from collections.abc import Mapping

from android_bridge.commands import Namespace, settings_get
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser, pieces
from heed.messages import msg

_ENTRY = re.compile(r"^([\w#][\w.#:/@$-]*)=", re.MULTILINE | re.ASCII)
_REFUSAL = re.compile(
    r"cmd: |Error\b|Exception\b|Security ?exception|Failure |Invalid namespace|java\.|\tat |usage:|.*not found$",
    re.IGNORECASE,
)


@parser(msg("The setting"))
def parse_setting(text: str) -> str | None:
    """Parses ``settings get``: the value; None for a key that is not set."""
    value = text.removesuffix("\n")
    if not text or _REFUSAL.match(value):
        raise missing(msg("value"))
    return None if value == "null" else value


@parser(msg("The settings"))
def parse_settings(text: str) -> Mapping[str, str]:
    """Parses ``settings list``: every key with its value; a value ends before the next line that begins with a key."""
    starts = list(_ENTRY.finditer(text))
    if not starts or starts[0].start() != 0:
        raise missing(msg("key"))
    values = pieces(starts, text)
    return {start[1]: value.removesuffix("\n") for start, value in zip(starts, values, strict=True)}


def setting(namespace: Namespace, key: str) -> Reader[str | None]:
    """Returns the reader of one setting."""
    return Reader(f"settings.{namespace}.{key}", settings_get(namespace, key), parse_setting)


def settings_table(namespace: Namespace) -> Reader[Mapping[str, str]]:
    """Returns the reader of a whole table."""
    return Reader(f"settings.{namespace}", f"settings list {namespace}", parse_settings)


@parser(msg("The switch"))
def parse_switch(text: str) -> bool:
    """Parses ``settings get`` of a switch: True for ``1``, False for ``0`` and for a key that is not set."""
    value = text.strip()
    if value not in ("0", "1", "null"):
        raise missing(msg("0 or 1"))
    return value == "1"
