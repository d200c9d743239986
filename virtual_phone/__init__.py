"""A virtual Android phone for tests of code that talks to phones over adb.

The real adb server connects to it, so adb, adbutils and uiautomator2 work with it unchanged. Behind it is one state,
``PhoneState``: commands, dumps and screens are views of it, and tests change and read it directly.

The names below are loaded when they are first used, so that pytest, which imports this package for its plug-in
at every start, does not wait for all of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from virtual_phone.adb import AdbHost, LocalAdbServer
    from virtual_phone.adbd.faults import Faults
    from virtual_phone.phone import VirtualPhone
    from virtual_phone.running import RunningPhone
    from virtual_phone.scenario import Scenario, ScenarioEntry, ScenarioPlayer
    from virtual_phone.state import PhoneState

__all__ = [
    "AdbHost",
    "Faults",
    "LocalAdbServer",
    "PhoneState",
    "RunningPhone",
    "Scenario",
    "ScenarioEntry",
    "ScenarioPlayer",
    "VirtualPhone",
]

_MODULES = {
    "AdbHost": "adb",
    "Faults": "adbd.faults",
    "LocalAdbServer": "adb",
    "PhoneState": "state",
    "RunningPhone": "running",
    "Scenario": "scenario",
    "ScenarioEntry": "scenario",
    "ScenarioPlayer": "scenario",
    "VirtualPhone": "phone",
}
"""Each public name's module in this package."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
