"""The journal: every context, decision, plan, answer, execution and undo, in one SQLite file."""

from agent.journal.agenda import Agenda, Appointment
from agent.journal.answers import Memory, Restraint
from agent.journal.database import Database
from agent.journal.owner_edits import HabitEdits, SituationSwitches
from agent.journal.records import ActionRecord, ActionState, DecisionRecord, PlanRecord, TimelineEntry
from agent.journal.store import Journal

__all__ = [
    "ActionRecord",
    "ActionState",
    "Agenda",
    "Appointment",
    "Database",
    "DecisionRecord",
    "HabitEdits",
    "Journal",
    "Memory",
    "PlanRecord",
    "Restraint",
    "SituationSwitches",
    "TimelineEntry",
]
