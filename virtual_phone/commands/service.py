"""``service check|list|call`` (AOSP frameworks/native, cmds/service/service.cpp)."""

from collections.abc import Callable, Sequence
from zoneinfo import available_timezones

from virtual_phone.commands.cmd import SERVICES as WITH_COMMANDS
from virtual_phone.commands.dumpsys import SERVICES as WITH_DUMPS
from virtual_phone.shell.call import Program, ProgramReply, answering
from virtual_phone.state import PhoneState

_NAMES = sorted({*WITH_COMMANDS, *WITH_DUMPS, "package", "user", "clipboard", "window"})
_EMPTY = "Result: Parcel(00000000    '....')\n"
_UNKNOWN = 'Result: Parcel(Error: 0xffffffffffffffb6 "Not a data message")\n'
"""``UNKNOWN_TRANSACTION``."""


def service(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``service check NAME``, ``service list`` and ``service call NAME CODE [s16 TEXT | i32 NUMBER] …``."""
    verb, rest = (args[0] if args else ""), list(args[1:])
    if verb == "list":
        rows = "".join(f"{number}\t{name}: []\n" for number, name in enumerate(_NAMES))
        return ProgramReply(f"Found {len(_NAMES)} services:\n{rows}")
    if verb == "check" and rest:
        return ProgramReply(f"Service {rest[0]}: {'found' if rest[0] in _NAMES else 'not found'}\n")
    if verb == "call":
        return _call(state, rest)
    return ProgramReply(stderr="service: Unknown command\n" if verb else "Usage: service [-h|-?]\n", status=10)


def _call(state: PhoneState, args: list[str]) -> ProgramReply:
    if len(args) < 2 or not args[1].isdigit():
        missing = "code" if args else "service"
        return ProgramReply(stderr=f"service: No {missing} specified for call\n", status=10)
    if args[0] not in _NAMES:
        return ProgramReply(stderr=f"service: Service {args[0]} does not exist\n", status=10)
    action = _TRANSACTIONS.get((args[0], int(args[1])))
    values = [value for kind, value in zip(args[2::2], args[3::2], strict=False) if kind in ("s16", "i32")]
    return ProgramReply(action(state, values) if action else _UNKNOWN)


def _set_zone(state: PhoneState, values: Sequence[str]) -> str:
    if values and values[0] in available_timezones():
        state.move_to_zone(values[0])
    return _EMPTY


def _expand(state: PhoneState, values: Sequence[str]) -> str:
    state.show_panel("shade")
    return _EMPTY


def _collapse(state: PhoneState, values: Sequence[str]) -> str:
    state.show_panel("")
    return _EMPTY


_TRANSACTIONS: dict[tuple[str, int], Callable[[PhoneState, Sequence[str]], str]] = {
    ("alarm", 3): _set_zone,
    ("statusbar", 1): _expand,
    ("statusbar", 2): _collapse,
}
"""Transactions by service and code, in the order of ``IAlarmManager.aidl`` and ``IStatusBarService.aidl``."""

PROGRAMS: dict[str, Program] = {"service": answering(service)}
