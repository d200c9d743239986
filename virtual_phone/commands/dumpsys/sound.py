"""Dumps of audio and media sessions."""

from collections.abc import Sequence

from virtual_phone.state import PhoneState
from virtual_phone.state.audio import STREAMS
from virtual_phone.state.dnd import NAMES


def audio(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys audio``: volumes, ringer and mode."""
    audio = state.audio
    rows = ""
    for number, (name, low, high) in STREAMS.items():
        index = audio.heard(number)
        rows += (
            f"- {name}:\n   Muted: {'true' if index == 0 else 'false'}\n   Muted Internally: false\n   Min: {low}\n"
            f"   Max: {high}\n   streamVolume:{index}\n   Current: 2 (speaker): {index}, 40000000 (default): {index}\n"
            "   Devices: speaker(2)\n"
        )
    mode = audio.ringer.upper()
    return (
        "\nMediaFocusControl dump time: 9:04:32 PM\n\n"
        "Audio Focus stack entries (last is top of stack):\n"
        f"{_focus(state)}\n"
        f"Stream volumes (device: index)\n{rows}\n"
        "- mute affected streams = 0x1af\n\n"
        "Ringer mode: \n"
        f"- mode (internal) = {mode}\n- mode (external) = {mode}\n- zen mode:{NAMES[state.dnd.effective]}\n"
        "- delegate = ZenModeHelper\n\n"
        "Audio mode: \n"
        f"- Requested mode = {audio.mode}\n- Actual mode = {audio.mode}\n- Mode owner: \n   None\n\n"
        f"Events log: playback activity as reported through PlayerBase\n{_players(state)}"
    )


def _focus(state: PhoneState) -> str:
    session = state.audio.session
    if session is None or not session.playing:
        return ""
    return (
        f"  source:android.os.BinderProxy@b925c30 -- pack: {session.package} -- client: "
        "android.media.AudioManager@aa0bc36 -- gain: GAIN -- flags: DELAY_OK -- loss: none -- notified: true -- "
        f"uid: {state.apps.uid(session.package)} -- attr: AudioAttributes: usage=USAGE_MEDIA "
        "content=CONTENT_TYPE_MUSIC flags=0x800 tags= bundle=null -- sdk:34\n"
    )


def _players(state: PhoneState) -> str:
    """The player's last event (captures: deepeye-2026, oppo-coloros-audiocontrol)."""
    session = state.audio.session
    if session is None:
        return ""
    event = "started" if session.playing else "paused"
    return f"{state.clock.wall():%m-%d %H:%M:%S}:000 player piid:3543 event:{event}\n"


def media_session(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys media_session``."""
    session = state.audio.session
    stack = "  Sessions Stack - have 0 sessions:\n"
    button = "  Media button session is null\n"
    if session is not None:
        word = "PLAYING(3)" if session.playing else "PAUSED(2)"
        speed = "1.0" if session.playing else "0.0"
        name = f"{session.package}/session"
        button = f"  Media button session is {name} (userId=0)\n"
        stack = (
            "  Sessions Stack - have 1 sessions:\n"
            f"    session {name} (userId=0)\n"
            f"      ownerPid={state.apps.pid(session.package)}, ownerUid={state.apps.uid(session.package)}, userId=0\n"
            f"      package={session.package}\n"
            "      active=true\n"
            "      flags=7\n"
            f"      state=PlaybackState {{state={word}, position={session.position}, buffered position=0, "
            f"speed={speed}, updated=142263351, actions=7339671, custom actions=[], active item id=0, error=null}}\n"
            f"      metadata: size=8, description={session.title}, {session.artist}, {session.album or 'null'}\n"
        )
    return (
        "MEDIA SESSION SERVICE (dumpsys media_session)\n\n"
        "1 sessions listeners.\nGlobal priority session is null\n"
        f"User Records:\nRecord for full_user=0\n{button}{stack}"
        "Audio playback (lastly played comes first)\n"
    )
