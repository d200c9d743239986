"""``locksettings``, which is ``cmd lock_settings`` (AOSP services/core, LockSettingsShellCommand.java)."""

from collections.abc import Sequence

from virtual_phone.commands.options import ProgramUsageError
from virtual_phone.shell.call import ProgramReply
from virtual_phone.state import PhoneState

_KINDS = {"set-pin": "Pin", "set-password": "Password", "set-pattern": "Pattern"}


def lock_settings(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``get-disabled``, ``set-pin|set-password|set-pattern``, ``clear`` and ``verify``, with ``--old CREDENTIAL``."""
    verb = args[0] if args else ""
    if verb == "get-disabled":  # a keyguard without a credential is not disabled: it opens with a swipe
        return ProgramReply("false\n")
    try:
        old, new = _credentials(args[1:])
    except ProgramUsageError as error:
        return ProgramReply(stderr=f"{error}\nError while executing command: {verb}\n", status=255)
    if not state.power.secure_lock and old:
        return ProgramReply("Old password provided but user has no password\n", status=255)
    if state.power.secure_lock and (not old or old != state.power.credential):
        return ProgramReply(f"Old password '{old}' didn't match\n", status=255)
    return _checked(state, verb, new)


def _credentials(words: Sequence[str]) -> tuple[str, str]:
    """The old credential and the new one."""
    old, operands, left = "", [], list(words)
    while left:
        word = left.pop(0)
        if word in ("--old", "--user") and left:
            value = left.pop(0)
            old = value if word == "--old" else old
        elif word.startswith("--"):
            raise ProgramUsageError(f"Unknown option: {word}")
        else:
            operands.append(word)
    return old, operands[0] if operands else ""


def _checked(state: PhoneState, verb: str, new: str) -> ProgramReply:
    """What a command does once the old credential was right."""
    if verb == "verify":
        return ProgramReply("Lock credential verified successfully\n")
    if verb == "clear":
        state.power.set_credential("")
        return ProgramReply("Lock credential cleared\n")
    if verb in _KINDS and new:
        state.power.set_credential(new)
        return ProgramReply(f"{_KINDS[verb]} set to '{new}'\n")
    return ProgramReply(stderr=f"Unknown command: {verb}\n")
