"""``cmd power``, ``uimode``, ``display``, ``statusbar``, ``appops``, ``media_session`` and ``audio``."""

from collections.abc import Sequence
from zoneinfo import available_timezones

from virtual_phone.shell.call import ProgramReply
from virtual_phone.state import PhoneState
from virtual_phone.state.audio import STREAMS, Ringer
from virtual_phone.state.display import NightMode


def power(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd power set-mode 0|1``: while charging, Android keeps the saver off without an error."""
    if list(args[:1]) == ["set-mode"] and len(args) == 2:
        if args[1] not in ("0", "1"):
            return ProgramReply(
                stderr="Error: Mode must be either 0 or 1\n" if args[1].isdigit() else "Error: Bad mode\n", status=255
            )
        state.power.set_saver(args[1] == "1")
        return ProgramReply()
    return ProgramReply("Power manager (power) commands:\n  set-mode MODE\n", status=255)


def uimode(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd uimode night [yes|no|auto]``."""
    modes: dict[str, NightMode] = {"yes": "yes", "no": "no", "auto": "auto"}
    if args[:1] == ["night"]:
        if len(args) > 1:
            if args[1] not in modes:
                return ProgramReply(stderr="Invalid 'night' mode\n", status=255)
            state.display.set_night(modes[args[1]])
        return ProgramReply(f"Night mode: {state.display.night}\n")
    return ProgramReply("UiModeManager service (uimode) commands:\n", status=255)


def media_session(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd media_session dispatch KEY`` and ``volume --stream N [--get|--set I]``."""
    if args[:1] == ["dispatch"] and len(args) > 1:
        state.audio.dispatch(args[1])
        return ProgramReply()
    if args[:1] == ["volume"]:
        return _volume(state, list(args[1:]))
    return ProgramReply("usage: media_session [subcommand] [options]\n", status=255)


def _volume(state: PhoneState, args: list[str]) -> ProgramReply:
    stream = int(args[args.index("--stream") + 1]) if "--stream" in args[:-1] else 3
    if stream not in STREAMS:
        return ProgramReply(stderr=f"Error: Invalid stream type {stream}\n", status=255)
    said = "[V] will control stream=" + f"{stream} ({STREAMS[stream][0]})\n"
    if "--set" in args[:-1]:
        state.audio.set_volume(stream, int(args[args.index("--set") + 1]))
        said += f"[V] will set volume to index={args[args.index('--set') + 1]}\n"
    if "--get" in args:
        _, low, high = STREAMS[stream]
        said += f"[V] volume is {state.audio.heard(stream)} in range [{low}..{high}]\n"
    return ProgramReply(said)


def alarm(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd alarm set-timezone TZ`` (the shell command of ``AlarmManagerService``)."""
    if args[:1] == ["set-timezone"] and args[1:2] and args[1] in available_timezones():
        state.move_to_zone(args[1])
        return ProgramReply()
    return ProgramReply("Alarm manager service (alarm) commands:\n", status=255)


def audio(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd audio set-ringer-mode``, ``get-ringer-mode``, ``set-volume``."""
    names: dict[str, Ringer] = {"NORMAL": "normal", "VIBRATE": "vibrate", "SILENT": "silent"}
    if args[:1] == ["set-ringer-mode"] and args[1:2] and args[1].upper() in names:
        state.audio.set_ringer(names[args[1].upper()])
        return ProgramReply()
    if args[:1] == ["get-ringer-mode"]:
        return ProgramReply(f"Ringer mode: {state.audio.ringer.upper()}\n")
    if args[:1] == ["set-volume"] and len(args) == 3 and args[1].isdigit() and int(args[1]) in STREAMS:
        state.audio.set_volume(int(args[1]), int(args[2]))
        return ProgramReply()
    return ProgramReply("Audio manager (audio) commands:\n", status=255)


def display(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd display set-brightness 0..1`` and ``get-displays``."""
    if args[:1] == ["set-brightness"] and len(args) == 2:
        try:
            brightness = float(args[1])
        except ValueError:
            return ProgramReply(stderr="Error: brightness value should be between 0.0 and 1.0\n", status=1)
        state.settings.store("system", "screen_brightness", str(round(max(0.0, min(1.0, brightness)) * 255)))
        return ProgramReply()
    if args[:1] == ["get-displays"]:
        size = f"real {state.display.width} x {state.display.height}"
        info = f'DisplayInfo{{"Built-in Screen", displayId 0, state ON, {size}}}'
        return ProgramReply(f"Displays:\nDisplay id 0: {info}, isValid=true\n")
    return ProgramReply("Display manager commands:\n", status=255)


def statusbar(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd statusbar expand-notifications|collapse``."""
    if args[:1] and args[0] in ("expand-notifications", "expand-settings", "collapse"):
        state.show_panel("" if args[0] == "collapse" else "shade")
        return ProgramReply()
    return ProgramReply("Status bar (statusbar) commands:\n", status=255)


def appops(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd appops get|set|reset``: accepted without effect; nothing on this phone depends on it."""
    if args[:1] == ["get"]:
        return ProgramReply("No operations.\n")
    return (
        ProgramReply()
        if args[:1] in (["set"], ["reset"])
        else ProgramReply("AppOps service (appops) commands:\n", status=255)
    )
