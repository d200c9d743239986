"""Volumes and the ringer mode."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.audio import AUDIO, Audio
from android_bridge.facts.reader import UnreadableError
from executors.capability import Requirement
from executors.executor import RefusedError
from executors.observation import observe
from executors.plan import Effect
from executors.setting import PhoneSetting, SettingChange, SettingExecutor
from function_pool.call import FunctionCall
from heed.messages import msg


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


class SetVolumeAndRinger(SettingExecutor):
    """Sets ``cmd media_session volume``, on the phone's own scale, and ``cmd audio set-ringer-mode``."""

    function = "set_volume_and_ringer"
    requirements = (Requirement(AUDIO, msg("The phone does not tell its volumes.")),)

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        (audio,) = await observe(phone, AUDIO)
        stream = str(call.parameters["stream"])
        scale = audio.streams.get(_VOLUMES[stream].name)
        if scale is None:
            raise RefusedError(msg("This phone does not tell its {stream} volume.", stream=stream))
        return {"minimum": scale.minimum, "maximum": scale.maximum}

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        given, changes = call.parameters, []
        if "ringer_mode" in given:
            changes.append(SettingChange(RINGER, str(given["ringer_mode"])))
        if "level_percent" in given:
            low, high = int(str(facts["minimum"])), int(str(facts["maximum"]))
            index = max(low, round(int(str(given["level_percent"])) * high / 100))
            changes.append(SettingChange(_volume(str(given["stream"]), high), str(index)))
        return changes
