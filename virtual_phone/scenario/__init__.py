"""Scenario files: a phone at a start, and what happens to it along a timeline."""

from virtual_phone.scenario.document import FOLDER, Entry, Persona, Scenario, shipped
from virtual_phone.scenario.player import ScenarioPlayer

__all__ = ["FOLDER", "Entry", "Persona", "Scenario", "ScenarioPlayer", "shipped"]
