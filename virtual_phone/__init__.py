"""The virtual phone: real adbd protocol on the line, one authoritative state behind it."""

from virtual_phone.adbd.faults import Faults
from virtual_phone.phone import VirtualPhone
from virtual_phone.scenario import Scenario, ScenarioPlayer
from virtual_phone.state import PhoneState

__all__ = ["Faults", "PhoneState", "Scenario", "ScenarioPlayer", "VirtualPhone"]
