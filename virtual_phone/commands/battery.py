"""``cmd battery …``, which is ``dumpsys battery …`` with arguments (AOSP services/core, BatteryService.java)."""

from collections.abc import Callable, Mapping, Sequence

from virtual_phone.shell.call import ProgramReply
from virtual_phone.state import PhoneState
from virtual_phone.state.battery import BatteryState, Charger

_CHARGERS: Mapping[str, Charger] = {"ac": "ac", "usb": "usb", "wireless": "wireless"}
_VALUES: Mapping[str, Callable[[BatteryState], int]] = {
    "ac": lambda battery: int(battery.charger == "ac"),
    "usb": lambda battery: int(battery.charger == "usb"),
    "wireless": lambda battery: int(battery.charger == "wireless"),
    "status": lambda battery: battery.status,
    "level": lambda battery: battery.level,
    "temp": lambda battery: battery.temperature,
    "present": lambda _: 1,
    "counter": lambda battery: battery.charge_counter,
}
_SETTABLE = {*_VALUES, "dock", "invalid"}
_HELP = """Battery service (battery) commands:
  help
    Print this help text.
  get [-f] [ac|usb|wireless|dock|status|level|temp|present|counter|invalid]
    Gets the value of a battery state.
    -f: force to get the latest property value.
  set [-f] [ac|usb|wireless|dock|status|level|temp|present|counter|invalid] <value>
    Force a battery property value, freezing battery state.
    -f: force a battery change broadcast be sent, prints new sequence.
  unplug [-f]
    Force battery unplugged, freezing battery state.
    -f: force a battery change broadcast be sent, prints new sequence.
  reset [-f]
    Unfreeze battery state, returning to current hardware values.
    -f: force a battery change broadcast be sent, prints new sequence.
"""


def battery(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``get``, ``set``, ``unplug`` and ``reset``: the shell may fake the battery until ``reset``."""
    verb, operands = (args[0] if args else ""), [word for word in args[1:] if word != "-f"]
    match verb:
        case "help" | "-h" | "":
            return ProgramReply(_HELP, status=0 if verb else 255)
        case "get":
            return _get(state.battery, operands)
        case "set":
            return _set(state.battery, operands)
        case "unplug":
            state.battery.fake(charger="none")
        case "reset":
            state.battery.unfake()
        case _:
            return _refused(f"Unknown command: {verb}")
    return ProgramReply()


def _get(battery: BatteryState, operands: Sequence[str]) -> ProgramReply:
    if not operands:
        return _refused("No property specified")
    value = _VALUES.get(operands[0])
    return ProgramReply(f"{value(battery)}\n") if value else _refused(f"Unknown get option: {operands[0]}")


def _set(battery: BatteryState, operands: Sequence[str]) -> ProgramReply:
    if len(operands) < 2:
        return _refused(f"No {'value' if operands else 'property'} specified")
    key, value = operands[:2]
    if not value.removeprefix("-").isdecimal():
        return _refused(f"Bad value: {value}")
    if key not in _SETTABLE:
        return _refused(f"Unknown set option: {key}")
    number = int(value)
    if key in _CHARGERS:
        battery.fake(charger=_CHARGERS[key] if number else "none")
    elif key == "level":
        battery.fake(level=max(0, min(100, number)))
    elif key == "temp":
        battery.fake(temperature=number)
    elif key == "status":
        battery.fake(status=number)
    else:  # values that nothing on this phone reads
        battery.fake()
    return ProgramReply()


def _refused(text: str) -> ProgramReply:
    return ProgramReply(f"{text}\n", status=255)
