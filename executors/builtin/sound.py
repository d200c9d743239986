"""Volumes and the ringer."""

from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.audio import AUDIO, Audio
from android_bridge.facts.reader import UnreadableError
from executors.capability import Need
from executors.executor import RefusedError
from executors.observation import look
from executors.plan import Effect
from executors.setting import Knob, KnobExecutor, Turn
from function_pool.call import FunctionCall
from heed.messages import msg

# AudioSystem.STREAM_* and the names that `dumpsys audio` prints.
_STREAMS = {
    "call": (0, "VOICE_CALL", "通话"),
    "system": (1, "SYSTEM", "系统"),
    "ring": (2, "RING", "铃声"),
    "media": (3, "MUSIC", "媒体"),
    "alarm": (4, "ALARM", "闹钟"),
    "notification": (5, "NOTIFICATION", "通知"),
}


def _volume(stream: str, maximum: int) -> Knob:
    number, name, chinese = _STREAMS[stream]

    def effect(index: str) -> Effect:
        words: JsonValue = {"en": stream, "zh": chinese}
        detail: dict[str, JsonValue] = {"stream": words, "percent": round(100 * int(index) / maximum)}
        return Effect(kind="volume", detail=detail)

    return Knob(
        name=f"volume_{stream}",
        reader=AUDIO,
        write=lambda index: f"cmd media_session volume --show --stream {number} --set {int(index)}",
        effect=effect,
        text=_index(name),
    )


def _index(name: str) -> Callable[[Audio], str]:
    def index(audio: Audio) -> str:
        if name not in audio.streams:
            raise UnreadableError(msg("The phone does not tell its {name} volume.", name=name))
        return str(audio.streams[name].volume)

    return index


RINGER = Knob(
    name="ringer",
    reader=AUDIO,
    write=lambda mode: f"cmd audio set-ringer-mode {mode.upper()}",
    effect=lambda mode: Effect(kind=f"ringer_{mode}"),
    text=lambda audio: str(audio.ringer),
)


class SetVolumeAndRinger(KnobExecutor):
    """``cmd media_session volume`` on the phone's own scale, and ``cmd audio set-ringer-mode``."""

    function = "set_volume_and_ringer"
    needs = (Need(AUDIO, msg("The phone does not tell its volumes.")),)

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        (audio,) = await look(phone, AUDIO)
        stream = str(call.parameters["stream"])
        scale = audio.streams.get(_STREAMS[stream][1])
        if scale is None:
            raise RefusedError(msg("This phone does not tell its {stream} volume.", stream=stream))
        return {"minimum": scale.minimum, "maximum": scale.maximum}

    def turns(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[Turn]:
        given, turns = call.parameters, []
        if "ringer_mode" in given:
            turns.append(Turn(RINGER, str(given["ringer_mode"])))
        if "level_percent" in given:
            low, high = int(str(facts["minimum"])), int(str(facts["maximum"]))
            index = max(low, round(int(str(given["level_percent"])) * high / 100))
            turns.append(Turn(_volume(str(given["stream"]), high), str(index)))
        return turns
