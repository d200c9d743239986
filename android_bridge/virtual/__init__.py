"""The virtual phone: real adbd protocol on the line, one authoritative state behind it."""

from android_bridge.virtual.adbd.faults import Faults
from android_bridge.virtual.phone import VirtualPhone
from android_bridge.virtual.scenario import Scenario, ScenarioPlayer
from android_bridge.virtual.state import PhoneState

__all__ = ["Faults", "PhoneState", "Scenario", "ScenarioPlayer", "VirtualPhone"]
