"""The attack corpus, and the channels a text from outside can come through: later tests run string by channel.

``corpus/<category>.yaml`` maps an id to a text, or to ``{text, times}`` for a text repeated. Ids are never used again
for another text, so that a finding can name one.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

FOLDER = Path(__file__).with_name("corpus")


class Attack(NamedTuple):
    """One hostile text."""

    id: str
    category: str
    text: str


class Channel(StrEnum):
    """A way for text that others wrote to reach heed."""

    SMS = "sms"
    NOTIFICATION = "notification"
    CONTACT = "contact"
    CALENDAR = "calendar"
    SSID = "ssid"
    FILE = "file"
    APP_LABEL = "app_label"
    SONG = "song"
    SCREEN = "screen"
    LOG = "log"
    MODEL = "model"


class Limits(NamedTuple):
    """The most of a text that a channel can carry; None where nothing limits it."""

    bytes: int | None = None
    one_line: bool = False


LIMITS: dict[Channel, Limits] = {
    Channel.SMS: Limits(),
    Channel.NOTIFICATION: Limits(),
    Channel.CONTACT: Limits(),
    Channel.CALENDAR: Limits(),
    Channel.SSID: Limits(bytes=32),  # IEEE 802.11
    Channel.FILE: Limits(bytes=255, one_line=True),  # ext4 and f2fs; neither NUL nor a slash
    Channel.APP_LABEL: Limits(),
    Channel.SONG: Limits(),
    Channel.SCREEN: Limits(),
    Channel.LOG: Limits(one_line=True),
    Channel.MODEL: Limits(),
}


@cache
def attacks() -> Sequence[Attack]:
    """Every text of the corpus, in the order of its files."""
    return tuple(
        Attack(name, path.stem, entry if isinstance(entry, str) else entry["text"] * entry["times"])
        for path in sorted(FOLDER.glob("*.yaml"))
        for name, entry in yaml.safe_load(path.read_text("utf-8")).items()
    )


def through(channel: Channel) -> Sequence[Attack]:
    """The texts as this channel delivers them, each once: cut to what it can carry."""
    delivered = {attack._replace(text=_fitted(attack.text, channel)) for attack in attacks()}
    return sorted({attack.text: attack for attack in sorted(delivered)}.values())


def _fitted(text: str, channel: Channel) -> str:
    limits = LIMITS[channel]
    if channel is Channel.FILE:
        text = text.replace("/", "∕").replace("\x00", "")
    if limits.one_line:
        text = text.replace("\n", " ")
    if limits.bytes is None:
        return text
    return text.encode("utf-8", "surrogatepass")[: limits.bytes].decode("utf-8", "ignore")
