"""Volumes, ringer mode and audio mode, from ``dumpsys audio``.

Checked against OPPO ColorOS and a newer phone.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, missing, parser
from heed.messages import msg
from heed.model import Frozen


class Ringer(StrEnum):
    """``AudioManager.RINGER_MODE_*``."""

    NORMAL = "normal"
    VIBRATE = "vibrate"
    SILENT = "silent"


class AudioStream(Frozen):
    """The volume of one stream, in steps from ``minimum`` to ``maximum``; the scale differs between phones."""

    volume: int
    minimum: int
    maximum: int
    muted: bool


class Audio(Frozen):
    """Sound settings."""

    ringer: Ringer
    streams: Mapping[str, AudioStream]
    """By name: ``MUSIC``, ``RING``, ``NOTIFICATION``, ``ALARM``, ``VOICE_CALL``, ``SYSTEM``, …"""
    in_call: bool | None
    """True while the audio mode is that of a call, of a SIM card or an app; None where the phone does not print it."""


_RINGER = re.compile(r"^- mode \(external\) = (NORMAL|VIBRATE|SILENT)$", re.MULTILINE)
_STREAM = re.compile(r"^- STREAM_([A-Z_]+)\b.*:\n((?:   .*\n)*)", re.MULTILINE)
_NUMBER = {name: re.compile(rf"^   {name}: ?(\d{{1,5}})$", re.MULTILINE) for name in ("Min", "Max", "streamVolume")}
_MUTED = re.compile(r"^   Muted: (true|false)$", re.MULTILINE)
_MODE = re.compile(r"^- Actual mode = MODE_(\w+)$", re.MULTILINE)
_IN_CALL = ("IN_CALL", "IN_COMMUNICATION", "RINGTONE", "CALL_SCREENING", "CALL_REDIRECT", "COMMUNICATION_REDIRECT")


@parser(msg("The sound settings"))
def parse_audio(text: str) -> Audio:
    """Parses ``dumpsys audio`` (Android 10+): the ringer mode as set, each stream on its current device."""
    ringer = Ringer(find(_RINGER, text, msg("ringer mode")).lower())
    streams = {name: stream for name, block in _STREAM.findall(text) if (stream := _stream(block))}
    if not streams:
        raise missing(msg("volume"))
    mode = _MODE.search(text)
    return Audio(ringer=ringer, streams=streams, in_call=mode[1] in _IN_CALL if mode else None)


def _stream(block: str) -> AudioStream | None:
    numbers = {name: match[1] for name, pattern in _NUMBER.items() if (match := pattern.search(block))}
    muted = _MUTED.search(block)
    if len(numbers) < len(_NUMBER) or muted is None:
        return None
    return AudioStream(
        volume=int(numbers["streamVolume"]),
        minimum=int(numbers["Min"]),
        maximum=int(numbers["Max"]),
        muted=muted[1] == "true",
    )


AUDIO = Reader("audio", "dumpsys audio", parse_audio)
