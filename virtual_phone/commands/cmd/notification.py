"""``cmd notification`` (AOSP NotificationShellCmd.java, android-14)."""

from collections.abc import Callable, Sequence

from virtual_phone.shell.call import ProgramReply
from virtual_phone.state import PhoneState
from virtual_phone.state.dnd import Mode
from virtual_phone.state.well_known import SHELL_APP

SHELL_NOTIFICATION_ID = 2020
_DND_WORDS: dict[str, Mode] = {
    "on": "none", "none": "none", "priority": "priority", "alarms": "alarms", "off": "off", "all": "off",
}  # fmt: skip
_NOTIFICATION_USAGE = """usage: cmd notification SUBCMD [args]

SUBCMDs:
  list
  get <key>
  set_dnd [on|none (same as none)|priority|alarms|all|off (same as all)]
  post [--help | flags] TAG TEXT
  snooze --for <msec> <notification-key>
  unsnooze <notification-key>
"""


def notification(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``list``, ``get``, ``set_dnd``, ``post``, ``snooze`` and ``unsnooze``."""
    verb = _VERBS.get(args[0] if args else "")
    return verb(state, list(args[1:])) if verb else ProgramReply(_NOTIFICATION_USAGE, status=255)


def _list(state: PhoneState, args: list[str]) -> ProgramReply:
    return ProgramReply("".join(f"{note.key}\n" for note in state.notifications.visible()))


def _get(state: PhoneState, args: list[str]) -> ProgramReply:
    note = state.notifications.find(args[0]) if args else None
    return ProgramReply(f"{note.title}: {note.text}\n" if note else f"Notification {' '.join(args)} not found\n")


def _set_dnd(state: PhoneState, args: list[str]) -> ProgramReply:
    mode = _DND_WORDS.get(args[0] if args else "")
    if mode is None:
        return ProgramReply(stderr="Invalid DND mode\n", status=255)
    state.dnd.set_by_shell(mode)
    return ProgramReply()


def _snooze(state: PhoneState, args: list[str]) -> ProgramReply:
    if len(args) != 3 or args[0] not in ("--for", "-f") or not args[1].isdigit():
        return ProgramReply(_NOTIFICATION_USAGE, status=255)
    done = state.notifications.snooze(args[2], int(args[1]))
    return ProgramReply(f"snoozing <{args[2]}> until time: {args[1]}\n" if done else f"Unable to snooze {args[2]}\n")


def _unsnooze(state: PhoneState, args: list[str]) -> ProgramReply:
    state.notifications.unsnooze(args[0] if args else "")
    return ProgramReply()


_POST_VALUES = {"-t", "--title", "-i", "--icon", "-I", "--large-icon", "-S", "--style", "--bigtext", "--picture",
                "--line", "--conversation", "--message"}  # fmt: skip


def _post(state: PhoneState, args: list[str]) -> ProgramReply:
    """``post [flags] TAG TEXT``; with ``-c`` the next words up to TAG make the tap's intent."""
    title, big_text, tap = "", None, {}
    words = list(args)
    while words and words[0].startswith("-"):
        flag = words.pop(0)
        if flag in _POST_VALUES:
            value = words.pop(0) if words else ""
            title = value if flag in ("-t", "--title") else title
            big_text = value if flag == "--bigtext" else big_text
        elif flag in ("-c", "--content-intent"):
            tap = _tap(words)
        elif flag not in ("-v", "--verbose", "-h", "--help"):
            return ProgramReply(_NOTIFICATION_USAGE, status=255)
    if len(words) < 2:
        return ProgramReply(_NOTIFICATION_USAGE, status=255)
    note = state.notifications.post(
        package=SHELL_APP, identifier=SHELL_NOTIFICATION_ID, tag=words[0], channel="shell_cmd",
        channel_name="Shell command",
        title=title or words[0], text=words[1], big_text=big_text, tap=tap,
    )  # fmt: skip
    return ProgramReply(f"posting:\n  {note.key}\n")


def _tap(words: list[str]) -> dict[str, str]:
    """``activity -a ACTION URI``: removes its words from ``args``; a positional URI ends the intent."""
    tap: dict[str, str] = {}
    if words and words[0] in ("activity", "broadcast", "service"):
        words.pop(0)
    names = {"-a": "action", "-d": "data", "-n": "component", "-p": "package", "-t": "mime"}
    while words and words[0] in names:
        name = names[words.pop(0)]
        tap[name] = words.pop(0) if words else ""
    if words:
        # Intent.parseCommandArgs takes one positional word: a URI, a component or a package.
        word = words.pop(0)
        tap["data" if ":" in word else "component" if "/" in word else "package"] = word
    return tap


_VERBS: dict[str, Callable[[PhoneState, list[str]], ProgramReply]] = {
    "list": _list, "get": _get, "set_dnd": _set_dnd, "dnd": _set_dnd, "post": _post, "notify": _post, "snooze": _snooze,
    "unsnooze": _unsnooze,
}  # fmt: skip
