"""Awake or asleep, and battery saver.

Checked against Android 13 (MediaTek tablet), 14 (Xiaomi HyperOS) and Samsung One UI; all three print the same keys.
"""

import re
from enum import StrEnum

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, flag, parser
from heed.messages import msg
from heed.model import Frozen


class Wakefulness(StrEnum):
    """``PowerManagerInternal.WAKEFULNESS_*``."""

    ASLEEP = "asleep"
    AWAKE = "awake"
    DREAMING = "dreaming"
    DOZING = "dozing"


class Power(Frozen):
    """The state that ``PowerManagerService`` prints."""

    wakefulness: Wakefulness
    battery_saver: bool | None
    """None where the phone does not print it (before Android 9)."""

    @property
    def awake(self) -> bool:
        """True when the phone is awake: not asleep, dreaming or dozing."""
        return self.wakefulness is Wakefulness.AWAKE


_WAKEFULNESS = re.compile(r"^  mWakefulness=(Asleep|Awake|Dreaming|Dozing)$", re.MULTILINE)
_SAVER = re.compile(r"^  Battery Saver is currently: (ON|OFF)$", re.MULTILINE)


@parser(msg("The power state"))
def parse_power(text: str) -> Power:
    """Parses ``dumpsys power``."""
    wakefulness = find(_WAKEFULNESS, text, msg("mWakefulness"))
    return Power(wakefulness=Wakefulness(wakefulness.lower()), battery_saver=flag(_SAVER, text))


POWER = Reader("power", "dumpsys power", parse_power)
