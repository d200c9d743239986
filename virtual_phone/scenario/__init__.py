"""Scenario files: a phone at a start, and what happens to it along a timeline."""

from virtual_phone.scenario.document import FOLDER, Persona, Scenario, ScenarioEntry, shipped
from virtual_phone.scenario.player import ScenarioPlayer

__all__ = ["FOLDER", "Persona", "Scenario", "ScenarioEntry", "ScenarioPlayer", "shipped"]
