"""Scenario files: a phone at a start, and what happens to it along a timeline."""

from android_bridge.virtual.scenario.document import FOLDER, Entry, Persona, Scenario, shipped
from android_bridge.virtual.scenario.player import ScenarioPlayer

__all__ = ["FOLDER", "Entry", "Persona", "Scenario", "ScenarioPlayer", "shipped"]
