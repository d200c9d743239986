"""Volumes and the ringer mode."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.audio import AUDIO, Audio, Ringer
from android_bridge.facts.reader import UnreadableError
from executors.capability import Requirement
from executors.executor import RefusedError
from executors.observation import observe
from executors.plan import Effect, Preparation
from executors.screen import by_hand, settings_page
from executors.setting import PhoneSetting, SettingChange, SettingExecutor
from executors.shell_verbs import has_verb
from function_pool.call import FunctionCall
from heed.messages import msg

_PAGE = "android.settings.SOUND_SETTINGS"


class _Volume(NamedTuple):
    """One of Android's volumes: ``AudioSystem.STREAM_*``, its name in ``dumpsys audio``, and its Chinese name."""

    number: int
    name: str
    chinese: str


_VOLUMES = {
    "call": _Volume(0, "VOICE_CALL", "通话"),
    "system": _Volume(1, "SYSTEM", "系统"),
    "ring": _Volume(2, "RING", "铃声"),
    "media": _Volume(3, "MUSIC", "媒体"),
    "alarm": _Volume(4, "ALARM", "闹钟"),
    "notification": _Volume(5, "NOTIFICATION", "通知"),
}


def _volume(stream: str, maximum: int) -> PhoneSetting:
    volume = _VOLUMES[stream]

    def effect(index: str) -> Effect:
        words: JsonValue = {"en": stream, "zh": volume.chinese}
        detail: dict[str, JsonValue] = {"stream": words, "percent": round(100 * int(index) / maximum)}
        return Effect(kind="volume", detail=detail)

    return PhoneSetting(
        name=f"volume_{stream}",
        reader=AUDIO,
        write=lambda index: f"cmd media_session volume --show --stream {volume.number} --set {int(index)}",
        effect=effect,
        text=_index(volume.name),
    )


def _index(name: str) -> Callable[[Audio], str]:
    def index(audio: Audio) -> str:
        if name not in audio.streams:
            raise UnreadableError(msg("The phone does not tell its {name} volume.", name=name))
        return str(audio.streams[name].volume)

    return index


RINGER = PhoneSetting(
    name="ringer",
    reader=AUDIO,
    write=lambda mode: f"cmd audio set-ringer-mode {mode.upper()}",
    effect=lambda mode: Effect(kind=f"ringer_{mode}"),
    text=lambda audio: str(audio.ringer),
)


def _ringer_by_volume(index: int, maximum: int) -> PhoneSetting:
    """Returns the ringer mode for a phone that lacks its verb: set through the ring volume, to ``index`` for ringing.

    A ring volume of 0 makes a phone vibrate, and any other one makes it ring (``AudioService.getNewRingerMode``).
    """
    volume = _volume("ring", maximum)
    indexes = {Ringer.NORMAL: str(index), Ringer.VIBRATE: "0"}
    rings = Effect(kind="ringer_normal_at", detail={"percent": round(100 * index / maximum)})
    return replace(
        RINGER,
        write=lambda mode: volume.write(indexes[Ringer(mode)]),
        effect=lambda mode: rings if mode == Ringer.NORMAL else RINGER.effect(mode),
    )


class SetVolumeAndRinger(SettingExecutor):
    """Sets ``cmd media_session volume``, on the phone's own scale, and ``cmd audio set-ringer-mode``.

    On a phone without that verb the ring volume makes it ring or vibrate; it cannot silence the phone, nor end its
    silence in a way that can be undone: for that the sound settings are opened.
    """

    function = "set_volume_and_ringer"
    requirements = (Requirement(AUDIO, msg("The phone does not tell its volumes.")),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        facts = await self.facts(phone, call)
        wanted, present = _ringer_mode(call, facts), facts["mode"]
        changes_silence = wanted not in ("", present) and Ringer.SILENT in (wanted, present)
        if changes_silence and "ring" in facts:
            return await settings_page(phone, _PAGE, Effect(kind="sound_page"), *by_hand(call.parameters))
        return await super().prepare(phone, call)

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        (audio,) = await observe(phone, AUDIO)
        stream = str(call.parameters["stream"])
        scale = audio.streams.get(_VOLUMES[stream].name)
        if scale is None:
            raise RefusedError(msg("This phone does not tell its {stream} volume.", stream=stream))
        facts: dict[str, JsonValue] = {"minimum": scale.minimum, "maximum": scale.maximum, "mode": audio.ringer}
        if "ringer_mode" in call.parameters or stream == "ring":
            facts |= await self._ring_volume(phone, audio)
        return facts

    @staticmethod
    async def _ring_volume(phone: Device, audio: Audio) -> Mapping[str, JsonValue]:
        """Returns the volume at which the phone shall ring, and its maximum; nothing where the ringer has a verb."""
        (has_ringer_verb,) = await observe(phone, has_verb("audio", "set-ringer-mode"))
        ring = audio.streams.get(_VOLUMES["ring"].name)
        if has_ringer_verb or ring is None:
            return {}
        # A phone that vibrates tells no ring volume: it gets the middle one.
        return {"ring": ring.volume or max(1, ring.maximum // 2), "ring_maximum": ring.maximum}

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        changes = []
        if mode := _ringer_mode(call, facts):
            changes.append(SettingChange(_ringer(call, facts, mode), mode))
        if "level_percent" in call.parameters:
            volume = _volume(str(call.parameters["stream"]), int(str(facts["maximum"])))
            changes.append(SettingChange(volume, _target(call, facts)))
        return changes


def _ringer(call: FunctionCall, facts: Mapping[str, JsonValue], mode: str) -> PhoneSetting:
    """Returns the way in which this phone takes a ringer mode."""
    if "ring" not in facts:
        return RINGER
    rings_at_level = (
        mode == Ringer.NORMAL and call.parameters["stream"] == "ring" and "level_percent" in call.parameters
    )
    index = _target(call, facts) if rings_at_level else str(facts["ring"])
    return _ringer_by_volume(int(index), int(str(facts["ring_maximum"])))


def _target(call: FunctionCall, facts: Mapping[str, JsonValue]) -> str:
    """Returns the wanted volume on the phone's scale."""
    low, high = int(str(facts["minimum"])), int(str(facts["maximum"]))
    return str(max(low, round(int(str(call.parameters["level_percent"])) * high / 100)))


def _ringer_mode(call: FunctionCall, facts: Mapping[str, JsonValue]) -> str:
    """Returns the ringer mode that the call asks for or that a new ring volume brings with it; empty for none."""
    if "ringer_mode" in call.parameters:
        return str(call.parameters["ringer_mode"])
    if "level_percent" not in call.parameters or call.parameters["stream"] != "ring":
        return ""
    if _target(call, facts) != "0":
        return Ringer.NORMAL
    return Ringer.VIBRATE if facts.get("mode") == Ringer.NORMAL else ""
