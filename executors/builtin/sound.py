"""Volumes and the ringer mode."""

from collections.abc import Callable, Mapping, Sequence

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

# AudioSystem.STREAM_* and the names that `dumpsys audio` prints.
_STREAMS = {
    "call": (0, "VOICE_CALL", "通话"),
    "system": (1, "SYSTEM", "系统"),
    "ring": (2, "RING", "铃声"),
    "media": (3, "MUSIC", "媒体"),
    "alarm": (4, "ALARM", "闹钟"),
    "notification": (5, "NOTIFICATION", "通知"),
}


def _volume(stream: str, maximum: int) -> PhoneSetting:
    number, name, chinese = _STREAMS[stream]

    def effect(index: str) -> Effect:
        words: JsonValue = {"en": stream, "zh": chinese}
        detail: dict[str, JsonValue] = {"stream": words, "percent": round(100 * int(index) / maximum)}
        return Effect(kind="volume", detail=detail)

    return PhoneSetting(
        name=f"volume_{stream}",
        reader=AUDIO,
        write=lambda index: f"cmd media_session volume --show --stream {number} --set {int(index)}",
        effect=effect,
        text=_index(name),
    )


def _index(name: str) -> Callable[[Audio], str]:
    def index(audio: Audio) -> str:
        if name not in audio.streams:
            raise UnreadableError(f"The phone does not tell its {name} volume.")
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
    requirements = (Requirement(AUDIO, "The phone does not tell its volumes."),)

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        (audio,) = await observe(phone, AUDIO)
        stream = str(call.parameters["stream"])
        scale = audio.streams.get(_STREAMS[stream][1])
        if scale is None:
            raise RefusedError(f"This phone does not tell its {stream} volume.")
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
