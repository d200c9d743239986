"""The journal: every context, decision, plan, answer, action and undo, in one SQLite file."""

from agent.journal.after_records import AfterRecord, AfterRecords, TimedUndo
from agent.journal.agenda import Agenda, AgendaEntry, AgendaKind
from agent.journal.answer_history import AnswerHistory
from agent.journal.cool_downs import CoolDown, CoolDowns
from agent.journal.database import Database, JournalError
from agent.journal.grants import Grant, Grants
from agent.journal.owner_edits import HabitEdits, SituationSwitches
from agent.journal.phones import Phones, SeenPhone
from agent.journal.preferences import Preferences
from agent.journal.records import ActionRecord, ActionState, DecisionRecord, PlanRecord, TimelineEntry
from agent.journal.store import Journal
from agent.journal.stores import Stores, stores_in

__all__ = [
    "ActionRecord",
    "ActionState",
    "AfterRecord",
    "AfterRecords",
    "Agenda",
    "AgendaEntry",
    "AgendaKind",
    "AnswerHistory",
    "CoolDown",
    "CoolDowns",
    "Database",
    "DecisionRecord",
    "Grant",
    "Grants",
    "HabitEdits",
    "Journal",
    "JournalError",
    "Phones",
    "PlanRecord",
    "Preferences",
    "SeenPhone",
    "SituationSwitches",
    "Stores",
    "TimedUndo",
    "TimelineEntry",
    "stores_in",
]
